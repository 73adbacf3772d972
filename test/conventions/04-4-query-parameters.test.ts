import { InvalidRequestError } from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, shop } from '../support/conformance-data.ts';
import { idsOf, type Row, rowsOf } from '../support/conformance-send.ts';
import { Company, Order } from '../support/ordering.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });

/** The list of a collection for a JavaScript user, who has no compiler. */
const untyped = (collection: object) =>
  (collection as { list: (query: object) => PromiseLike<unknown> }).list;

const undeclared = [
  ['companyOrders', '/v1/companies/1/orders', { sort: ['id'] }, 'sort=id'],
  ['companies', '/v1/companies', { fields: ['name'] }, 'fields=name'],
  ['companies', '/v1/companies', { expand: ['name'] }, 'expand=name'],
  ['feed', '/v1/feed', { sort: ['name'] }, 'sort=name'],
  ['orders', '/v1/orders', { colour: 'red' }, 'colour=red'],
] as const;

check(filled, '§4.4 undeclared parameters get 400, and the client does not send them', {
  fetch: async ({ send }) => {
    for (const [, path, , query] of undeclared) {
      const { status, json } = await send(`${path}?${query}`);
      expect(status).toBe(400);
      expect(json).toMatchObject({ errors: [{ field: query.split('=')[0], code: 'invalid' }] });
    }
    for (const query of ['sort=id', 'page=1', 'perPage=1']) {
      expect((await send(`/v1/orders/1?${query}`)).status).toBe(400);
    }
  },
  client: async ({ api, mock }) => {
    const at = { ...api, companyOrders: api.companyOrders({ companyId: 1 }) };
    for (const [key, , query] of undeclared) {
      expect(await rejectionOf(untyped(at[key])(query))).toBeInstanceOf(InvalidRequestError);
    }
    const get = api.orders.get as (id: number, query: object) => PromiseLike<unknown>;
    for (const query of [{ sort: ['id'] }, { page: 1 }, { perPage: 1 }]) {
      expect(await rejectionOf(get(1, query))).toBeInstanceOf(InvalidRequestError);
    }
    expect(mock.requests).toEqual([]);
  },
});

check(filled, '§4.4 page selects a page of results', {
  fetch: async ({ send }) => {
    const at = async (page: number) => idsOf(rowsOf(await send(`/v1/orders?perPage=2&page=${page}`)));
    expect([await at(1), await at(2), await at(3), await at(4)]).toEqual([[1, 2], [3, 4], [5], []]);
    for (const page of ['0', '-1', '1.5', 'x', '']) {
      expect((await send(`/v1/orders?page=${page}`)).status).toBe(400);
    }
  },
  client: async ({ api, mock }) => {
    const at = async (page: number) => idsOf((await api.orders.list({ perPage: 2, page })).items);
    expect([await at(1), await at(2), await at(3), await at(4)]).toEqual([[1, 2], [3, 4], [5], []]);
    expect(mock.requests.map(({ search }) => search.get('page'))).toEqual(['1', '2', '3', '4']);
    for (const page of [0, -1, 1.5]) {
      expect(await rejectionOf(api.orders.list({ page }))).toBeInstanceOf(InvalidRequestError);
    }
  },
});

check(filled, '§4.4 perPage is the number of records per page, up to the maximum of the endpoint', {
  fetch: async ({ send }) => {
    expect(idsOf(rowsOf(await send('/v1/orders?perPage=3')))).toEqual([1, 2, 3]);
    expect((await send('/v1/orders?perPage=200')).status).toBe(200);
    const { status, json } = await send('/v1/orders?perPage=201');
    expect(status).toBe(400);
    expect(json).toMatchObject({ errors: [{ field: 'perPage', code: 'invalid' }] });
  },
  client: async ({ api, client, mock }) => {
    expect(idsOf((await api.orders.list({ perPage: 3 })).items)).toEqual([1, 2, 3]);
    expect((await api.orders.list({ perPage: 200 })).size).toBe(200);
    expect(await rejectionOf(api.orders.list({ perPage: 201 }))).toBeInstanceOf(InvalidRequestError);
    expect(mock.requests).toHaveLength(2);
    const own = client.request({ method: 'GET', path: 'v1/orders', query: { perPage: 201 } });
    expect(await rejectionOf(own)).toMatchObject({ status: 400, errors: [{ field: 'perPage' }] });
  },
});

const orders = [
  [['status'], [4, 1, 3, 2, 5]],
  [['-createdAt'], [5, 4, 3, 2, 1]],
  [
    ['status', '-createdAt'],
    [4, 3, 1, 5, 2],
  ],
  [
    ['-status', 'createdAt'],
    [2, 5, 1, 3, 4],
  ],
  [
    ['device.model', '-id'],
    [4, 2, 1, 3, 5],
  ],
] as const satisfies readonly (readonly [readonly string[], readonly number[]])[];

for (const [sort, ids] of orders) {
  check(filled, `§4.4 sort by ${sort.join(',')} applies the fields in order, and - is descending`, {
    fetch: async ({ send }) => {
      expect(idsOf(rowsOf(await send(`/v1/orders?sort=${sort.join(',')}`)))).toEqual(ids);
    },
    client: async ({ api, mock }) => {
      expect(idsOf(await api.orders.list({ sort }).toArray())).toEqual(ids);
      expect(mock.requests.map(({ search }) => search.get('sort'))).toEqual([sort.join(',')]);
    },
  });
}

const everyField = ['id', 'status', 'createdAt', 'device.model', 'device.serial', 'company.id'] as const;

check(filled, '§4.4 sort takes every returned field, unless the endpoint narrows it; else it is 400', {
  fetch: async ({ send }) => {
    for (const field of everyField) expect((await send(`/v1/orders?sort=${field}`)).status).toBe(200);
    expect((await send('/v1/companies?sort=-city,name')).status).toBe(200);
    for (const path of ['/v1/companies?sort=id', '/v1/orders?sort=nothing', '/v1/orders?sort=status,']) {
      const { status, json } = await send(path);
      expect(status).toBe(400);
      expect(json).toMatchObject({ errors: [{ field: 'sort', code: 'invalid' }] });
    }
  },
  client: async ({ api, client }) => {
    for (const field of everyField) expect((await api.orders.list({ sort: [field] })).items).toHaveLength(5);
    expect(idsOf(await api.companies.list({ sort: ['-city', 'name'] }).toArray())).toEqual([3, 1, 2]);
    const refused = await rejectionOf(untyped(api.companies)({ sort: ['id'] }));
    expect(refused).toBeInstanceOf(InvalidRequestError);
    const own = client.request({ method: 'GET', path: 'v1/companies', query: { sort: 'id' } });
    expect(await rejectionOf(own)).toMatchObject({ status: 400, errors: [{ field: 'sort' }] });
  },
});

const limited = [
  '§4.4 fields restricts what returns, of a list and of one resource',
  '§2.1 id is returned under field limiting, at every level that is kept',
  '§2.1 self is the absolute URI of the resource, also under field limiting',
] as const;

/** An order with some of its fields, and one with those of its nested resources. */
const limitedRows = (url: string) => [
  { id: 1, self: `${url}/v1/orders/1`, status: 'open', device: { model: 'M2' } },
  {
    id: 2,
    self: `${url}/v1/orders/2`,
    lines: [{ id: expect.any(Number), sku: 'sku-2' }],
    company: { id: 2, self: `${url}/v1/companies/2` },
  },
];

check(filled, limited, {
  fetch: async ({ send, url }) => {
    const [first, second] = limitedRows(url);
    const list = rowsOf(await send('/v1/orders?fields=status,device.model&perPage=1'));
    expect(list).toEqual([first]);
    expect((await send('/v1/orders/1?fields=status,device.model')).json).toEqual(first);
    expect((await send('/v1/orders/2?fields=lines.sku,company')).json).toEqual(second);
    expect((await send(String(list[0]?.self))).json).toMatchObject({ id: 1, device: { serial: 'S1' } });
    expect((await send('/v1/orders?fields=nothing')).status).toBe(400);
  },
  client: async ({ api, client, url }) => {
    const [first, second] = limitedRows(url);
    const fields = ['status', 'device.model'] as const;
    expect((await api.orders.list({ fields, perPage: 1 })).items).toEqual([first]);
    const order = await api.orders.get(1, { fields });
    expect(order).toEqual(first);
    expect(await api.orders.get(2, { fields: ['lines.sku', 'company'] })).toEqual(second);
    expect(await client.follow(Order, order)).toMatchObject({ id: 1, device: { serial: 'S1' } });
    const unknown = untyped(api.orders)({ fields: ['nothing'] });
    expect(await rejectionOf(unknown)).toBeInstanceOf(InvalidRequestError);
  },
});

const expanded = [
  '§4.4 expand returns the full set of fields of a nested resource',
  '§2.1 nested resource is id and self alone until its expansion is requested',
] as const;

check(filled, expanded, {
  fetch: async ({ send, url }) => {
    const stub = { id: 2, self: `${url}/v1/companies/2` };
    const company = { ...stub, ...data.companies[1] };
    expect(((await send('/v1/orders/2')).json as Row).company).toEqual(stub);
    expect(((await send('/v1/orders/2?expand=company')).json as Row).company).toEqual(company);
    const [, second] = rowsOf(await send('/v1/orders?expand=company'));
    expect(second?.company).toEqual(company);
    expect((await send(stub.self)).json).toEqual(company);
    expect((await send('/v1/orders/2?expand=device')).status).toBe(400);
  },
  client: async ({ api, client, url }) => {
    const stub = { id: 2, self: `${url}/v1/companies/2` };
    const company = { ...stub, ...data.companies[1] };
    expect((await api.orders.get(2)).company).toEqual(stub);
    expect((await api.orders.get(2, { expand: ['company'] })).company).toEqual(company);
    const [, second] = await api.orders.list({ expand: ['company'] }).toArray();
    expect(second?.company).toEqual(company);
    expect(await client.follow(Company, stub)).toEqual(company);
    const unknown = untyped(api.orders)({ expand: ['device'] });
    expect(await rejectionOf(unknown)).toBeInstanceOf(InvalidRequestError);
  },
});
