import { describe, expect, test } from 'vitest';
import { importOf } from '../../../support/import-document.ts';
import { onOneLine } from '../../../support/imported-parts.ts';
import {
  documentOf,
  json,
  objectOf,
  query,
  reference,
  response,
  type Schema,
} from '../../../support/odd-document.ts';

// Where one collection has its records, in small documents of one other collection.

const integer = { type: 'integer' };
const string = { type: 'string' };
const pages = [query('page', integer), query('per_page', integer)];

const Thing = objectOf({ id: integer, name: string }, ['id']);
const things = { type: 'array', items: reference('Thing') };
const bare = { get: { parameters: pages, responses: { 200: response(things) } } };

/** Imports paths beside those of a usual collection. */
const importBeside = async (paths: Schema, schemas: Schema = {}) =>
  importOf(documentOf({ '/things': bare, '/others': bare, ...paths }, { Thing, ...schemas }));

describe('a list of numbered pages among lists that continue by links', () => {
  const link = { headers: { Link: {} } };
  const found = objectOf({ total_count: integer, items: things }, ['total_count', 'items']);
  const importSearch = async (headers: Schema, parameters = pages) => {
    const issues = { get: { parameters: pages, responses: { 200: { ...response(things), ...link } } } };
    const search = { get: { parameters, responses: { 200: { ...response(found), ...headers } } } };
    return onOneLine(
      await importOf(
        documentOf({ '/issues': issues, '/pulls': issues, '/search/things': search }, { Thing }),
      ),
    );
  };

  test('continues by its numbers where it has a total', async () => {
    const code = await importSearch({});
    expect(code).toContain(
      "= family({ ...github, list: { items: 'items', next: 'number', totalCount: { body: 'total_count' } } });",
    );
  });

  test.each([
    ['the link that its document says', link, pages],
    ['links where it takes no page', {}, [query('per_page', integer)]],
  ])('continues by %s', async (_what, headers, parameters) => {
    const code = await importSearch(headers, parameters);
    expect(code).toContain("items: 'items'");
    expect(code).not.toContain("next: 'number'");
  });
});

describe('a response stays that of an endpoint', () => {
  test.each<[string, Schema]>([
    [
      'where it is one resource with others in it',
      { ...objectOf({ id: integer, name: string, teams: things }, ['id']) },
    ],
    ['where another resource is beside its list', objectOf({ members: things, owner: reference('Thing') })],
    ['where it has two lists', objectOf({ open: things, closed: things })],
  ])('%s', async (_, schema) => {
    const code = onOneLine(
      await importBeside({ '/team': { get: { parameters: pages, responses: { 200: response(schema) } } } }),
    );
    expect(code).toContain('= family(github);');
    expect(code).not.toContain('...github');
    expect(code).toContain("getTeam: endpoint('GET', 'team',");
  });

  test('where a list has no place for the next page beside it', async () => {
    const rows = objectOf({ rows: things, next: { type: ['string', 'null'] } }, ['next']);
    const list = { get: { parameters: pages, responses: { 200: response(rows) } } };
    const plain = { get: { responses: { 200: response(things) } } };
    const document = documentOf({ '/a': list, '/b': list, '/plain': plain }, { Thing });
    const code = onOneLine(await importOf(document));
    expect(code).toContain("list: { items: 'rows', next: { body: 'next' } } });");
    expect(code).toContain("getPlain: endpoint('GET', 'plain',");
  });

  test('where an action returns a bare resource, and its collection an object with it', async () => {
    const one = objectOf({ widget: reference('Thing') });
    const code = onOneLine(
      await importBeside({
        '/widgets/{id}': { get: { responses: { 200: response(one) } } },
        '/widgets/{id}/copy': {
          post: { operationId: 'copy', responses: { 201: response(reference('Thing')) } },
        },
      }),
    );
    expect(code).toContain("const widgets = family({ ...github, item: 'widget' });");
    expect(code).toContain("copy: endpoint('POST', 'widgets/:id/copy', { response: Thing })");
  });
});

describe('what is sent', () => {
  const post = (body: Schema, created: Schema) => ({
    post: { requestBody: json(body), responses: { 201: response(created) } },
  });

  test('may be in an object where the response is bare', async () => {
    const named = { get: { parameters: pages, responses: { 200: response(things) } } };
    const body = objectOf({ widget: objectOf({ name: string }) });
    const code = onOneLine(
      await importBeside({ '/widgets': { ...named, ...post(body, reference('Thing')) } }),
    );
    expect(code).toContain("const widgets = family({ ...github, body: 'widget' });");
    expect(code).toContain(
      "widgets: widgets.collection('widgets', Thing, { paging: true, operations: ['list', 'create'] })",
    );
  });

  test('is the parameter of a function, where that alone differs', async () => {
    const paths = ['widget', 'gadget', 'tool'].map((name) => {
      const list = { get: { parameters: pages, responses: { 200: response(things) } } };
      return [
        `/${name}s`,
        { ...list, ...post(objectOf({ [name]: objectOf({ name: string }) }), reference('Thing')) },
      ];
    });
    const code = onOneLine(await importBeside(Object.fromEntries(paths)));
    expect(code).toContain('const familyAt = (body: string) => family({ ...github, body });');
    expect(code).toContain("gadgets: familyAt('gadget').collection('gadgets', Thing,");
  });

  test('is no such object where its name is a field of the resource', async () => {
    const Address = objectOf({ id: integer, address: objectOf({ street: string }) }, ['id']);
    const list = { type: 'array', items: reference('Address') };
    const code = onOneLine(
      await importBeside(
        {
          '/addresses': {
            get: { parameters: pages, responses: { 200: response(list) } },
            ...post(objectOf({ address: objectOf({ street: string }) }), reference('Address')),
          },
        },
        { Address },
      ),
    );
    expect(code).toContain('= family(github);');
    expect(code).not.toContain('...github');
  });

  test('may be returned in an object, where what is read is bare', async () => {
    const code = onOneLine(
      await importBeside({
        '/widgets': {
          get: { parameters: pages, responses: { 200: response(things) } },
          ...post(objectOf({ name: string }), objectOf({ widget: reference('Thing') })),
        },
        '/widgets/{id}': { get: { responses: { 200: response(reference('Thing')) } } },
      }),
    );
    expect(code).toContain("family({ ...github, item: { read: '', written: 'widget' } });");
    expect(code).toContain("{ paging: true, operations: ['list', 'get', 'create'] })");
  });

  test('is that of the family, where most of its document have it', async () => {
    const one = objectOf({ data: reference('Thing') });
    const list = objectOf({ data: things, meta: objectOf({ total: integer }) });
    const paths = (name: string) => ({
      [`/api/${name}`]: {
        get: { parameters: pages, responses: { 200: response(list) } },
        ...post(objectOf({ data: objectOf({ name: string }) }), one),
      },
      [`/api/${name}/{id}`]: { get: { responses: { 200: response(one) } } },
    });
    const imported = await importOf(documentOf({ ...paths('rows'), ...paths('cells') }, { Thing }));
    const code = onOneLine(imported);
    expect(code).toContain("body: 'data' });");
    expect(code).toContain(
      "rows: collection('rows', Thing, { paging: true, operations: ['list', 'get', 'create'] })",
    );
    expect(imported.family).not.toContain('Another');
  });
});

test('a list of things without an id beside the records does not hide them', async () => {
  const errors = { type: 'array', items: objectOf({ message: string }) };
  const list = { parameters: pages, responses: { 200: response(objectOf({ rows: things, errors })) } };
  const code = onOneLine(await importBeside({ '/widgets': { get: list } }));
  expect(code).toContain("list: { ...github.list, items: 'rows' } });");
});

test('an operation that returns another resource does not decide where a collection has its own', async () => {
  const one = (name: string, item: string) => response(objectOf({ [name]: reference(item) }));
  const Receipt = objectOf({ id: integer, amount: integer }, ['id']);
  const body = json(objectOf({ name: string }));
  const imported = await importBeside(
    {
      '/widgets': {
        get: { parameters: pages, responses: { 200: response(objectOf({ widgets: things })) } },
        post: { operationId: 'buy', requestBody: body, responses: { 201: one('receipt', 'Receipt') } },
      },
      '/widgets/{id}': {
        get: { responses: { 200: one('widget', 'Thing') } },
        put: { requestBody: body, responses: { 200: one('widget', 'Thing') } },
      },
    },
    { Receipt },
  );
  const code = onOneLine(imported);
  expect(code).toContain("list: { ...github.list, items: 'widgets' }, item: 'widget' });");
  expect(code).toContain("{ paging: true, operations: ['list', 'get', 'replace'] })");
  expect(code).toContain("buy: endpoint('POST', 'widgets',");
});

test('reports what a response has beside the resource', async () => {
  const one = objectOf({ widget: reference('Thing'), password: string });
  const list = objectOf({ widgets: things });
  const imported = await importBeside({
    '/widgets': {
      get: { parameters: pages, responses: { 200: response(list) } },
      post: { requestBody: json(objectOf({ name: string })), responses: { 201: response(one) } },
    },
  });
  const reason = '`password` of its response, beside the resource';
  expect(imported.unfit).toContain(`shopAPI.widgets.create: ${reason}`);
  expect(imported.declarations).toContain(`// Not declared in \`create\`: ${reason}.`);
});

test('has a function for a bare resource, where endpoints of the family have it in an object', async () => {
  const list = objectOf({ data: things, meta: objectOf({ total: integer }) });
  const imported = await importOf(
    documentOf(
      {
        '/api/things': { get: { parameters: pages, responses: { 200: response(list) } } },
        '/api/things/{id}': { get: { responses: { 200: response(objectOf({ data: reference('Thing') })) } } },
        '/api/things/{id}/copy': {
          post: { operationId: 'copy', responses: { 201: response(reference('Thing')) } },
        },
        '/api/latest': { get: { operationId: 'latest', responses: { 200: response(reference('Thing')) } } },
        '/api/first': {
          get: { operationId: 'first', responses: { 200: response(objectOf({ data: reference('Thing') })) } },
        },
      },
      { Thing },
    ),
  );
  const reason = 'it returns a resource elsewhere than `item` of the family says';
  expect(imported.unfit).toEqual([`POST /api/things/{id}/copy: ${reason}`, `GET /api/latest: ${reason}`]);
  const code = onOneLine(imported);
  expect(code).toContain(
    "client.request({ ...options, method: 'GET', path: 'api/latest', api: shopAPI, schema: Thing })",
  );
  expect(code).toContain("first: endpoint('GET', 'first', { response: Thing })");
});
