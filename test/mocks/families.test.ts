import { createClient, customAuth, endpoint, family, isValidationError } from 'restkin';
import * as presets from 'restkin/families';
import { directus, drf, type Family, github, wordpress, yii2 } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

const shape = { title: z.string(), pages: z.int() };

const declareGitHub = () => {
  const { resource, collection, defineApi } = family(github);
  const issues = collection('issues', resource(shape), { sort: true, paging: { maxPerPage: 3 } });
  return defineApi({ name: 'github', auth: 'custom', collections: { issues } });
};

const declareDjango = () => {
  const { resource, collection, defineApi } = family(drf);
  const books = collection('books', resource(shape), { sort: true, paging: { maxPerPage: 3 } });
  return defineApi({ name: 'django', auth: 'custom', collections: { books } });
};

const rows = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Title ${id}`, pages: 10 - id }));

const read = async (response: Response) => ({
  status: response.status,
  link: response.headers.get('link'),
  body: (await response.json()) as unknown,
});

describe('the mock of an API like that of GitHub', () => {
  const mock = () => createMock(declareGitHub(), { data: { issues: rows } });

  test('takes its names, and has links without totals', async () => {
    const response = await mock().fetch(
      'https://api.test/issues?per_page=2&page=2&sort=pages&direction=desc',
    );
    const url = (page: number) => `https://api.test/issues?per_page=2&page=${page}&sort=pages&direction=desc`;
    expect(await read(response)).toMatchObject({
      link: `<${url(1)}>; rel="first", <${url(1)}>; rel="prev", <${url(3)}>; rel="next", <${url(3)}>; rel="last"`,
      body: [{ id: 3 }, { id: 4 }],
    });
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  test('lowers a size above the maximum', async () => {
    const { body } = await read(await mock().fetch('https://api.test/issues?per_page=100'));
    expect(body).toHaveLength(3);
  });

  test('a parameter of the conventions is ignored, as GitHub ignores it', async () => {
    const { body } = await read(await mock().fetch('https://api.test/issues?perPage=1'));
    expect(body).toHaveLength(3);
  });

  test('responds to invalid fields with 422 and their items', async () => {
    const init = { method: 'POST', body: '{"title":7}', headers: { 'content-type': 'application/json' } };
    const { status, body } = await read(await mock().fetch('https://api.test/issues', init));
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ field: 'title', code: 'invalid' }, { field: 'pages' }] });
  });

  test('responds to PATCH with the resource', async () => {
    const init = { method: 'PATCH', body: '{"pages":7}', headers: { 'content-type': 'application/json' } };
    const response = await mock().fetch('https://api.test/issues/2', init);
    expect(await read(response)).toMatchObject({ status: 200, body: { id: 2, title: 'Title 2', pages: 7 } });
  });
});

describe('the mock of an API of Django REST framework', () => {
  const mock = () => createMock(declareDjango(), { data: { books: rows } });

  test('has its lists in an object, at paths with a slash at the end', async () => {
    const { body } = await read(await mock().fetch('https://api.test/books/?page_size=2&ordering=-id'));
    expect(body).toMatchObject({
      count: 5,
      next: 'https://api.test/books/?page_size=2&ordering=-id&page=2',
      results: [{ id: 5 }, { id: 4 }],
    });
    const last = await read(await mock().fetch('https://api.test/books/?page_size=2&page=3'));
    expect(last.body).toMatchObject({ count: 5, next: null, results: [{ id: 5 }] });
  });

  test('responds to invalid fields with a map', async () => {
    const init = { method: 'POST', body: '{"title":"A"}', headers: { 'content-type': 'application/json' } };
    const { status, body } = await read(await mock().fetch('https://api.test/books/', init));
    expect({ status, body }).toEqual({ status: 400, body: { pages: ['is required'] } });
  });
});

describe('a client of two families', () => {
  test('speaks to each API as its family does', async () => {
    const apis = [declareGitHub(), declareDjango()] as const;
    const mock = createMock(apis, { data: { issues: rows, books: rows } });
    const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch });
    const { issues } = client.api(apis[0]);
    const { books } = client.api(apis[1]);
    const ids = rows.map(({ id }) => id);
    expect((await issues.list({ perPage: 2 }).toArray()).map(({ id }) => id)).toEqual(ids);
    expect((await books.list({ perPage: 2 }).toArray()).map(({ id }) => id)).toEqual(ids);
    expect(mock.requests.map(({ url }) => new URL(url).search)).toEqual([
      '?per_page=2',
      '?per_page=2&page=2',
      '?per_page=2&page=3',
      '?page_size=2',
      '?page_size=2&page=2',
      '?page_size=2&page=3',
    ]);
  });
});

test.each(Object.entries(presets))(
  'the client reads the invalid fields of the mock: %s',
  async (_, preset) => {
    const declared: Family = preset;
    const { resource, collection, defineApi } = family(declared);
    const books = collection('books', resource(shape));
    const api = defineApi({ name: 'books', version: 1, auth: 'custom', collections: { books } });
    const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
    const { fetch } = createMock(api);
    const client = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api);
    const given = { title: 7, pages: 1 } as unknown as { title: string; pages: number };
    const error: unknown = await client.books.create(given).catch((thrown: unknown) => thrown);
    if (!isValidationError(error)) throw error;
    expect(error.at('title')).toHaveLength(1);
    expect(error.at('pages')).toEqual([]);
  },
);

describe('declarations of a family', () => {
  const Book = family(github).resource(shape);

  test('what the family has no name for cannot be declared', () => {
    // @ts-expect-error the compiler says so, too
    expect(() => family(github).collection('books', Book, { fields: true })).toThrow(
      'collection("books"): the family "github" has no `fields`; leave it out, or name query.fields in family()',
    );
  });

  test('options of another type are refused', () => {
    // @ts-expect-error the compiler says so, too
    expect(() => family(github).collection('books', Book, null)).toThrow(
      'collection("books") takes its options as an object',
    );
  });

  test('the parts of an API are of one family', () => {
    const books = family(github).collection('books', Book);
    expect(() => family(drf).defineApi({ name: 'books', auth: 'custom', collections: { books } })).toThrow(
      'it is declared with the family "github" and its API with "drf"',
    );
  });

  test('a version is needed where the path of the family has it', () => {
    const preset: Family = { ...github, path: 'api/v{version}' };
    const { collection, defineApi } = family(preset);
    const books = collection('books', Book);
    expect(() => defineApi({ name: 'books', auth: 'custom', collections: { books } })).toThrow(
      'defineApi: version is missing',
    );
  });
});

const declareYii2 = () => {
  const { resource, expandable, collection, defineApi } = family(yii2);
  const Company = resource({ name: z.string() });
  const Order = resource({
    status: z.string(),
    company: expandable(Company),
    parts: z.array(expandable(Company)),
  });
  const orders = collection('orders', Order, { expand: ['company', 'parts'], fields: true, paging: true });
  const companies = collection('companies', Company);
  return defineApi({ name: 'yii2', auth: 'custom', collections: { orders, companies } });
};

const declareDirectus = () => {
  const { resource, expandable, collection, defineApi } = family(directus);
  const Company = resource({ name: z.string() });
  const orders = collection('orders', resource({ status: z.string(), company: expandable(Company) }));
  const companies = collection('companies', Company);
  return defineApi({ name: 'directus', auth: 'custom', collections: { orders, companies } });
};

const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
const companies = [{ id: 3, name: 'Acme' }];

describe('relations that are left out until they are expanded', () => {
  const open = () => {
    const api = declareYii2();
    const orders = [{ id: 1, status: 'open', company: { id: 3 }, parts: [{ id: 3 }] }];
    const { fetch } = createMock(api, { data: { companies, orders } });
    return createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api).orders;
  };

  test('are not in a list, and are in an expanded one', async () => {
    expect(await open().list().toArray()).toEqual([{ id: 1, status: 'open' }]);
    const expanded = await open()
      .list({ expand: ['company', 'parts'] })
      .toArray();
    expect(expanded).toEqual([{ id: 1, status: 'open', company: companies[0], parts: companies }]);
  });

  test('are set by the server, because no body has them', async () => {
    const orders = open();
    const { id } = await orders.create({ status: 'new' });
    expect((await orders.get(id, { expand: ['company'] })).company).toEqual(companies[0]);
    await orders.replace(id, { status: 'closed' });
    expect((await orders.get(id, { expand: ['company'] })).company).toEqual(companies[0]);
  });

  test('are generated', async () => {
    const api = declareYii2();
    const { fetch } = createMock(api, { generate: { companies: 2, orders: 3 } });
    const { orders } = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api);
    const all = await orders.list({ expand: ['company'] }).toArray();
    expect(all.map(({ company }) => typeof company.name)).toEqual(['string', 'string', 'string']);
  });
});

test('takes the identity that the client names beside declared `fields`, where no server implies it', async () => {
  const { resource, collection, defineApi } = family(wordpress);
  const Line = resource({ sku: z.string(), note: z.string() });
  const Order = resource({ status: z.string(), lines: z.array(Line), parts: z.array(Line) });
  const fields = ['status', 'lines.sku'] as const;
  const api = defineApi({
    name: 'shop',
    version: 2,
    auth: 'custom',
    collections: { orders: collection('orders', Order, { fields, sort: ['status'] }) },
    endpoints: { latest: endpoint('GET', 'latest', { response: Order, fields }) },
  });
  const lines = [{ id: 7, sku: 'A-1', note: 'blue' }];
  const mock = createMock(api, { data: { orders: [{ id: 1, status: 'open', lines, parts: [] }] } });
  const { orders, latest } = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch }).api(api);
  const limited = { id: 1, lines: [{ id: 7, sku: 'A-1' }] };
  expect(await orders.get(1, { fields: ['lines.sku'] })).toEqual(limited);
  expect(await orders.list({ fields: ['lines.sku'] }).toArray()).toEqual([limited]);
  expect(await latest({ fields: ['status'] })).toEqual({ id: 1, status: 'open' });
  const refusalOf = async (query: string) => {
    const headers = { 'x-api-key': 'k-1234' };
    return (await mock.fetch(`https://api.test/wp-json/wp/v2/orders?${query}`, { headers })).text();
  };
  expect(await refusalOf('_fields=lines.note')).toContain('\\"lines.note\\" is not supported by fields here');
  expect(await refusalOf('_fields=parts.id')).toContain('\\"parts.id\\" is not supported by fields here');
  expect(await refusalOf('orderby=id')).toContain('\\"id\\" is not supported by sort here');
});

test('`accepted` makes no 202 of a PUT or PATCH where servers respond with the resource', async () => {
  const mock = createMock(declareGitHub(), { data: { issues: rows }, accepted: true });
  const { issues } = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch }).api(
    declareGitHub(),
  );
  expect(await issues.update(1, { pages: 3 })).toEqual({ id: 1, title: 'Title 1', pages: 3 });
  expect(await issues.replace(1, { title: 'New', pages: 4 })).toEqual({ id: 1, title: 'New', pages: 4 });
  expect(await issues.delete(1)).toEqual({ outcome: 'accepted' });
  // Its collection does not declare `accepts`.
  expect(await issues.create({ title: 'Third', pages: 5 })).toMatchObject({ title: 'Third' });
});

test('sorts by repeated fields, each with its direction', async () => {
  const sortAs = { direction: 'order', many: true } as const;
  const { resource, collection, defineApi } = family({ sortAs, repeated: ['sort'], identity: ['id'] });
  const books = collection('books', resource(shape), { sort: true });
  const api = defineApi({ name: 'library', version: 1, auth: 'custom', collections: { books } });
  const data = [1, 2, 3, 4].map((id) => ({ id, title: `Title ${id % 2}`, pages: id }));
  const { fetch } = createMock(api, { data: { books: data } });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
  const list = client.api(api).books.list({ sort: ['title', '-pages'] });
  expect((await list.toArray()).map(({ id }) => id)).toEqual([4, 2, 3, 1]);
  const document = toOpenApi(api, { securitySchemes: { custom: {} } });
  expect(document.paths['/v1/books']?.get?.parameters).toMatchObject([
    { name: 'sort', explode: true },
    { name: 'order', explode: true },
  ]);
});

test('relations that are ids until they are expanded are ids, also in bodies', async () => {
  const api = declareDirectus();
  const { fetch } = createMock(api, { data: { companies, orders: [{ id: 1, status: 'open', company: 3 }] } });
  const { orders } = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api);
  expect(await orders.get(1)).toEqual({ id: 1, status: 'open', company: 3 });
  expect(await orders.create({ status: 'new', company: 3 })).toEqual({ id: 2, status: 'new', company: 3 });
});

test.each<[string, NonNullable<Family['list']>]>([
  ['a URL', { items: 'rows', next: { body: 'next' }, totalCount: { body: 'total' } }],
  ['a cursor', { items: 'rows', next: { body: 'next', parameter: 'cursor' }, totalCount: { body: 'total' } }],
])(
  'a list without `paging` is whole, and does not name the next page, in a family with %s',
  async (_, form) => {
    const { collection, defineApi, resource } = family({
      path: '',
      query: { perPage: 'limit' },
      list: form,
      identity: ['id'],
    });
    const api = defineApi({
      name: 'whole',
      auth: 'custom',
      collections: { things: collection('things', resource({}), { operations: ['list'] }) },
    });
    const mock = createMock(api, { generate: 3, authorize: () => true });
    const response = await mock.fetch('https://api.test/things');
    expect(Object.keys((await response.json()) as object)).toEqual(['rows']);
    const client = createClient({
      baseUrl: 'https://api.test',
      auth: customAuth(() => undefined),
      fetch: mock.fetch,
    });
    expect(await client.api(api).things.list().toArray()).toHaveLength(3);
  },
);

test.each<[string, { readonly optional?: true }, object]>([
  ['null', {}, { rows: [{ id: 1 }], next: null }],
  ['nothing where it is optional', { optional: true }, { rows: [{ id: 1 }] }],
])('the last page has in place of a cursor %s', async (_, optional, body) => {
  const { collection, defineApi, resource } = family({
    path: '',
    query: { perPage: 'limit' },
    list: { items: 'rows', next: { body: 'next', parameter: 'cursor', ...optional } },
    identity: ['id'],
  });
  const things = collection('things', resource({}), { paging: true });
  const api = defineApi({ name: 'things', auth: 'custom', collections: { things } });
  const mock = createMock(api, { generate: 1, authorize: () => true });
  expect(await (await mock.fetch('https://api.test/things')).json()).toEqual(body);
});

test('a made-up response to an endpoint has no `self` in a family without one', async () => {
  const { resource, defineApi } = family(github);
  const summary = endpoint('GET', 'summary', { response: resource({ count: z.int() }) });
  const api = defineApi({ name: 'books', auth: 'custom', collections: {}, endpoints: { summary } });
  const response = await createMock(api).fetch('https://api.github.com/summary');
  expect(Object.keys(await response.json()).sort()).toEqual(['count', 'id']);
});
