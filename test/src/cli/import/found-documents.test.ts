import { createClient, customAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  list,
  query,
  reference,
  resourceOf,
  response,
  type Schema,
} from '../../../support/odd-document.ts';

// What the documents of well-known APIs have, and those of the conventions' family mostly do not.

const thing = resourceOf({ name: { type: 'string' } });
const one = (schema: Schema) => ({ get: { responses: { 200: response(schema) } } });
const servers = (url: string) => ({ servers: [{ url }] });

/** What an imported endpoint of the only API sends. */
const sentBy = async (document: Schema, name: string, options: object): Promise<Request> => {
  const [api] = apisOf(await importOf({ ...document, security: [] }));
  if (api === undefined) throw new Error('the document has no API');
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com/base',
    auth: customAuth(() => undefined),
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return Response.json({});
    },
  });
  const endpoints: Readonly<Record<string, unknown>> = client.api(api);
  await (endpoints[name] as (given: object) => Promise<unknown>)(options);
  return sent[0] as Request;
};

describe('the server of a document', () => {
  test('may be stated again at a path or an operation, with a slash', async () => {
    const paths = {
      '/v1/things': { ...list(thing), ...servers('https://api.example.com/') },
      '/v1/things/{id}': { get: { ...one(thing).get, ...servers('https://api.example.com') } },
      '/v1/others': {
        ...list(thing),
        servers: [{ url: 'https://beta.test' }, { url: 'https://api.example.com' }],
      },
    };
    const { unfit, declarations } = await importOf(documentOf(paths, {}, servers('https://api.example.com')));
    expect(unfit).toEqual([]);
    expect(declarations).toContain("operations: ['list', 'get']");
    expect(declarations).toContain("others: collection('others'");
  });

  test('with a version and a collection in its path is reported as the base URL of a client', async () => {
    const { summary } = await importOf(
      documentOf({ '/nearest': list(thing) }, {}, servers('https://api.example.com/shop/v2/things')),
    );
    expect(summary).toBe(
      '1 collection, 0 endpoints, 0 other operations, base URL https://api.example.com/shop',
    );
  });

  test('without a scheme is one of https', async () => {
    const own = { ...one(thing).get, ...servers('https://api.example.com') };
    const { summary, unfit } = await importOf(
      documentOf({ '/v1/things/{id}': { get: own } }, {}, servers('//api.example.com')),
    );
    expect(summary).toBe('1 collection, 0 endpoints, 0 other operations, base URL https://api.example.com');
    expect(unfit).toEqual([]);
  });

  test('leads to no function outside the base URL of the collections', async () => {
    const { declarations } = await importOf(
      documentOf({ '/api/v1/things': list(thing), '/health': { get: { responses: {} } } }),
    );
    expect(declarations).toContain('export const shopAPI');
    expect(declarations).toContain('// GET /health is not declared: it is outside the base URL');
  });
});

describe('a document in which paths have several versions', () => {
  const report = (operationId: string) => ({ get: { operationId, responses: { 204: {} } } });

  test('has them in its paths where most are older than the newest', async () => {
    const imported = await importOf(
      documentOf({ '/v1/a': report('a'), '/v2/b': report('b'), '/v1/things': list(thing) }),
    );
    const [api] = apisOf(imported);
    expect(imported.family).toMatch(/^Family: conventions, without its path, because/);
    expect(Object.entries(api?.endpoints ?? {}).map(([name, { path }]) => [name, path])).toEqual([
      ['a', 'v1/a'],
      ['b', 'v2/b'],
    ]);
    expect(Object.keys(api?.collections ?? {})).toEqual(['v1Things']);
  });

  test('has the newest, and functions for others, where most are of the newest', async () => {
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/a': report('a'), '/v2/b': report('b'), '/v2/things': list(thing) }),
    );
    expect(declarations).toContain('version: 2,');
    expect(unfit).toEqual(['GET /v1/a: its path has another major version (§9)']);
  });
});

test('a function says that no endpoint can have its path', async () => {
  const get = { operationId: 'both', responses: { 204: {} } };
  const { unfit } = await importOf(documentOf({ '/items/{id}/{id}': { get }, '/items': { get } }));
  expect(unfit).toEqual(['GET /items/{id}/{id}: no endpoint can have its path']);
});

test('two names for the same parameter of a path make one collection, which a mock serves', async () => {
  const imported = await importOf(
    documentOf({
      '/v1/fees/{fee}/refunds': list(thing),
      '/v1/fees/{id}/refunds/{refund}': one(thing),
    }),
  );
  const expected = "feeRefunds: collection('fees/:fee/refunds', FeeRefund, { operations: ['list', 'get'] })";
  expect(imported.declarations).toContain(expected);
  expect(() => createMock(apisOf(imported), { generate: 1 })).not.toThrow();
});

test('an endpoint takes the parameters of its path, a body that is a component, and the options of a call', async () => {
  const document = documentOf(
    {
      '/v1/report/{report-id}': {
        post: {
          operationId: 'report',
          requestBody: { ...json(reference('Wanted')), required: true },
          responses: {},
        },
      },
    },
    { Wanted: { type: 'object', properties: { year: { type: 'integer' } } } },
  );
  const { declarations } = await importOf(document);
  expect(declarations).toContain("report: endpoint('POST', 'report/:reportId', { body: Wanted })");
  const given = { reportId: 'a/b', body: { year: 2026 }, headers: { 'X-Tenant': 'a' } };
  const { method, url, headers } = await sentBy(document, 'report', given);
  expect([method, url]).toEqual(['POST', 'https://api.example.com/base/v1/report/a%2Fb']);
  expect(headers.get('x-tenant')).toBe('a');
});

test('a list of the query is a list, and repeated for each value as OpenAPI means by default', async () => {
  const tags = query('tags', { type: 'array', items: { enum: ['new', 'old'] } }, { required: true });
  const sizes = query('sizes', { type: 'array', items: { type: 'integer' } }, { explode: false });
  const both = query('both', { oneOf: [{ type: 'string' }, { type: 'array', items: {} }] });
  const parameters = [tags, sizes, both];
  const { declarations, unfit } = await importOf(documentOf({ '/v1/things': list(thing, { parameters }) }));
  expect(declarations).toContain("tags: z.array(z.enum(['new', 'old'])),");
  expect(declarations).toContain('sizes: z.optional(z.array(z.int())),');
  expect(declarations).toContain("repeated: ['tags', 'both'],");
  expect(unfit).toEqual([]);
});

test('an endpoint repeats the lists of its query', async () => {
  const tags = query('tags', { type: 'array', items: { type: 'string' } });
  const document = documentOf({
    '/v1/report': { get: { operationId: 'report', parameters: [tags], responses: {} } },
  });
  const { url } = await sentBy(document, 'report', { query: { tags: ['a', 'b'] } });
  expect(url).toBe('https://api.example.com/base/v1/report?tags=a&tags=b');
});

test('names of §4.4 that the document repeats for each value are reported', async () => {
  const names = { type: 'array', items: { type: 'string', enum: ['name'] } };
  const { declarations, unfit } = await importOf(
    documentOf({ '/v1/things': list(thing, { parameters: [query('sort', names)] }) }),
  );
  expect(declarations).toContain("sort: ['name']");
  expect(unfit).toEqual(['shopAPI.things: `sort=a&sort=b`: the client sends `sort=a,b` (§4.4)']);
});

test('a pattern is a regular expression of JavaScript', async () => {
  const name = { type: 'string', pattern: '^[\\p{IsHan}]+$' };
  const letters = { type: 'string', pattern: '^\\p{L}+$' };
  const imported = await importOf(documentOf({ '/v1/things': list(resourceOf({ name, letters })) }));
  expect(imported.declarations).toContain('name: z.optional(z.string())');
  expect(imported.declarations).toContain('letters: z.optional(z.string().regex(/^\\p{L}+$/u))');
});

describe('a part of a query that an operation does not have', () => {
  const page = query('page', { type: 'integer' });
  const perPage = query('perPage', { type: 'integer' });

  test('is reported where it is the size of the page', async () => {
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/things': list(thing, { parameters: [page] }) }),
    );
    expect(declarations).toContain('paging: true');
    expect(unfit).toEqual([
      'shopAPI.things: `perPage`, which the document does not have: leave it out of queries',
    ]);
  });

  test('is reported where it is the page', async () => {
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/things': list(thing, { parameters: [perPage] }) }),
    );
    expect(declarations).not.toContain('paging');
    expect(unfit).toEqual([
      'shopAPI.things: the query parameter `perPage`',
      'shopAPI.things: how its list continues: as imported, only its first page is read, unless the server sends `Link`',
    ]);
  });

  test('is reported where no such operation has it in a collection', async () => {
    const post = {
      parameters: [query('fields', { type: 'string' }), page],
      requestBody: json(thing),
      responses: { 201: response(thing) },
    };
    const { unfit } = await importOf(documentOf({ '/v1/things': { ...list(thing), post } }));
    expect(unfit).toEqual([
      'shopAPI.things: the query parameter `fields`',
      'shopAPI.things: the query parameter `page`',
    ]);
  });

  test('is reported where it names something else than a field', async () => {
    const sort = query('sort', { type: 'string', enum: ['name', 'popularity', '-popularity'] });
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/things': list(thing, { parameters: [sort] }) }),
    );
    expect(declarations).toContain("sort: ['name']");
    expect(unfit).toEqual(['shopAPI.things: `sort` by `popularity`, which is no field of the resource']);
  });
});

test.each<[string, Schema, string]>([
  ['that need not be there', { ...json({ type: 'string' }), required: false }, 'z.optional(ReportBody)'],
  ['with no field that is required', json({ properties: { a: {} } }), 'z.optional(ReportBody)'],
  ['with a field that is required', json(thing), 'ReportBody'],
  ['that must be there', { ...json({ properties: { a: {} } }), required: true }, 'ReportBody'],
])('a request body %s', async (_, requestBody, code) => {
  const report = { post: { operationId: 'report', requestBody, responses: {} } };
  const { declarations } = await importOf(documentOf({ '/v1/report': report }));
  expect(declarations).toContain(`report: endpoint('POST', 'report', { body: ${code} })`);
});

describe('what is below one resource of a collection is an action', () => {
  const integer = (name: string) => ({ in: 'path', name, required: true, schema: { type: 'integer' } });
  const done = { 204: { description: '' } };
  const actionsOf = async (paths: Schema) => {
    const imported = await importOf(documentOf({ '/v1/fees/{fee}/orders': list(thing), ...paths }));
    const [api] = apisOf(imported);
    return {
      actions: Object.entries(api?.collections.feeOrders?.options ?? {}).find(
        ([name]) => name === 'actions',
      )?.[1],
      endpoints: Object.keys(api?.endpoints ?? {}),
      summary: imported.summary,
    };
  };

  test('by the shape of its path, with a name below its collection', async () => {
    const { actions, endpoints, summary } = await actionsOf({
      '/v1/fees/{id}/orders/{order_id}/cancel': {
        parameters: [integer('order_id')],
        post: { operationId: 'orders/cancel', responses: done },
      },
      '/v1/fees/{id}/orders/{order}/labels/{id2}': { delete: { responses: done } },
      '/v1/fees/{id}/orders/{order}/list': { post: { operationId: 'list', responses: done } },
    });
    expect(actions).toMatchObject({
      cancel: { method: 'POST', path: 'cancel' },
      deleteLabelsId2: { method: 'DELETE', path: 'labels/:id2' },
      list2: { method: 'POST', path: 'list' },
    });
    expect(endpoints).toEqual([]);
    expect(summary).toBe('1 collection, 3 actions, 0 endpoints, 0 other operations');
  });

  test('unless its parameter is another key than the id', async () => {
    const slug = { in: 'path', name: 'slug', required: true, schema: { type: 'string' } };
    const { actions, endpoints } = await actionsOf({
      '/v1/fees/{fee}/orders/{slug}/cancel': {
        parameters: [slug],
        post: { operationId: 'cancel', responses: done },
      },
    });
    expect(actions).toBeUndefined();
    expect(endpoints).toEqual(['cancel']);
  });
});

test('a second response with other JSON is reported, and a 202 that is declared is not', async () => {
  const other = response({ type: 'string' });
  const report = {
    operationId: 'report',
    responses: { 200: response(thing), 201: other, 202: other, 203: response(thing) },
  };
  const { unfit } = await importOf(documentOf({ '/v1/report': { post: report } }));
  expect(unfit).toEqual(['shopAPI.report: the JSON of its response 201, which differs from that of 200']);
});
