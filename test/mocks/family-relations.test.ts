import { createClient, customAuth, family } from 'restkin';
import * as presets from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
const companies = [
  { id: 1, name: 'Acme' },
  { id: 2, name: 'Borealis' },
];

const clientOf = (mock: { readonly fetch: typeof fetch }) =>
  createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch });

/** Posts JSON as a program without restkin does. */
const send = async (mock: { readonly fetch: typeof fetch }, method: string, url: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' };
  const response = await mock.fetch(url, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as unknown };
};

const declareById = () => {
  const { resource, expandable, collection, defineApi } = family({
    ...presets.directus,
    item: '',
    query: { ...presets.directus.query, expand: 'deep' },
  });
  const Company = resource({ name: z.string() });
  const Order = resource({ title: z.string(), company: expandable(Company) });
  const collections = {
    companies: collection('companies', Company),
    orders: collection('orders', Order, { expand: ['company'], fields: true, paging: true }),
  };
  return defineApi({ name: 'shop', auth: 'custom', collections });
};

describe('a relation that is sent as its id', () => {
  const url = 'https://api.test/items/orders';
  const mockOf = (order: object) =>
    createMock(declareById(), { data: { companies, orders: [{ id: 5, title: 'A', ...order } as never] } });

  test.each([{ company: { id: 2 } }, { company: 2 }, { companyId: 2 }])(
    'is its id for the row %j',
    async (order) => {
      const { orders } = clientOf(mockOf(order)).api(declareById());
      expect(await orders.get(5)).toEqual({ id: 5, title: 'A', company: 2 });
    },
  );

  test('is the resource when it is expanded', async () => {
    const { orders } = clientOf(mockOf({ company: 2 })).api(declareById());
    const order = await orders.get(5, { expand: ['company'] });
    expect(order.company).toEqual({ id: 2, name: 'Borealis' });
  });

  test('keeps its id among `fields`', async () => {
    const { orders } = clientOf(mockOf({ company: 2 })).api(declareById());
    expect(await orders.get(5, { fields: ['company'] })).toEqual({ id: 5, company: 2 });
  });

  test('is written by its id', async () => {
    const mock = mockOf({ company: 2 });
    const created = await send(mock, 'POST', url, { title: 'B', company: 1 });
    expect(created).toEqual({ status: 200, body: { id: 6, title: 'B', company: 1 } });
    const replaced = await send(mock, 'PUT', `${url}/5`, { title: 'C', company: 1 });
    expect(replaced.body).toEqual({ id: 5, title: 'C', company: 1 });
    const updated = await send(mock, 'PATCH', `${url}/6`, { company: 2 });
    expect(updated.body).toEqual({ id: 6, title: 'B', company: 2 });
  });

  test('is refused at its own name when nothing has the id', async () => {
    const { status, body } = await send(mockOf({ company: 2 }), 'PATCH', `${url}/5`, { company: 9 });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ extensions: { field: 'company' } }] });
  });

  test('is generated as the id of a row', async () => {
    const mock = createMock(declareById(), { data: { companies }, generate: { orders: 20 } });
    const orders = await clientOf(mock).api(declareById()).orders.list().toArray();
    expect(new Set(orders.map(({ company }) => company))).toEqual(new Set([1, 2]));
  });
});

const declareAbsent = (preset: typeof presets.yii2 | typeof presets.jsonServer | typeof presets.laravel) => {
  const { resource, expandable, collection, defineApi } = family(preset);
  const Company = resource({ name: z.string() });
  const Order = resource({ title: z.string(), companyId: z.int(), company: expandable(Company) });
  const collections = {
    companies: collection('companies', Company),
    orders: collection('orders', Order, { expand: ['company'], paging: true }),
  };
  return defineApi({ name: 'shop', auth: 'custom', collections });
};

describe.each([presets.yii2, presets.jsonServer, presets.laravel])(
  'a relation that $name leaves out',
  (preset) => {
    const api = declareAbsent(preset);
    const data = { companies, orders: [{ id: 5, title: 'A', companyId: 2 }] };

    test('is absent', async () => {
      const { orders } = clientOf(createMock(api, { data })).api(api);
      expect(await orders.get(5)).toEqual({ id: 5, title: 'A', companyId: 2 });
    });

    test('is there when it is expanded, by the field that has its id', async () => {
      const { orders } = clientOf(createMock(api, { data })).api(api);
      const [order] = await orders.list({ expand: ['company'] }).toArray();
      expect(order).toEqual({ id: 5, title: 'A', companyId: 2, company: { id: 2, name: 'Borealis' } });
    });

    test('follows a change of its id', async () => {
      const { orders } = clientOf(createMock(api, { data })).api(api);
      expect(await orders.update(5, { companyId: 1 })).toEqual({ id: 5, title: 'A', companyId: 1 });
      const { company } = await orders.get(5, { expand: ['company'] });
      expect(company).toEqual({ id: 1, name: 'Acme' });
    });

    test('is generated by the id of a row', async () => {
      const mock = createMock(api, { data: { companies }, generate: { orders: 20 } });
      const orders = await clientOf(mock)
        .api(api)
        .orders.list({ expand: ['company'] })
        .toArray();
      expect(orders).toHaveLength(20);
      for (const { companyId, company } of orders) expect(company.id).toBe(companyId);
    });
  },
);

test('a relation that is left out is kept when its resource is replaced', async () => {
  const { resource, expandable, collection, defineApi } = family(presets.yii2);
  const Company = resource({ name: z.string() });
  const orders = collection('orders', resource({ title: z.string(), company: expandable(Company) }), {
    expand: ['company'],
  });
  const collections = { companies: collection('companies', Company), orders };
  const api = defineApi({ name: 'shop', auth: 'custom', collections });
  const mock = createMock(api, { data: { companies, orders: [{ id: 5, title: 'A', company: 2 }] } });
  const client = clientOf(mock).api(api);
  await client.orders.replace(5, { title: 'B' });
  const { company } = await client.orders.get(5, { expand: ['company'] });
  expect(company).toEqual({ id: 2, name: 'Borealis' });
});

test('a reference of a family without self has its id alone', async () => {
  const { resource, expandable, collection, defineApi } = family(presets.github);
  const Company = resource({ name: z.string() });
  const Order = resource({ company: expandable(Company) });
  const collections = { companies: collection('companies', Company), orders: collection('orders', Order) };
  const api = defineApi({ name: 'shop', auth: 'custom', collections });
  const mock = createMock(api, { data: { companies, orders: [{ id: 5, company: 2 }] } });
  expect(await clientOf(mock).api(api).orders.get(5)).toEqual({
    id: 5,
    company: { id: 2 },
  });
});

test('a family that pages on request gives a list without `page` whole', async () => {
  const api = declareAbsent(presets.jsonServer);
  const orders = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, title: 'A', companyId: 1 }));
  const mock = createMock(api, { data: { companies, orders } });
  const whole = await (await mock.fetch('https://api.test/orders')).json();
  expect(whole).toHaveLength(60);
  const page = await (await mock.fetch('https://api.test/orders?_page=1')).json();
  expect(page).toHaveLength(25);
});

test('the successor of a deprecated version has the path of its family', async () => {
  const declare = (version: number) => {
    const { resource, collection, defineApi } = family(presets.wordpress);
    const posts = collection('posts', resource({ title: z.string() }));
    return defineApi({ name: 'blog', version, auth: 'custom', collections: { posts } });
  };
  const deprecated = { since: new Date('2026-01-01') };
  const mock = createMock([declare(1), declare(2)], { deprecated });
  const response = await mock.fetch('https://api.test/wp-json/wp/v1/posts/7');
  expect(response.headers.get('link')).toBe(
    '<https://api.test/wp-json/wp/v2/posts/7>; rel="successor-version"',
  );
});
