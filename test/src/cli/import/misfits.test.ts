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

describe('what does not fit the conventions', () => {
  const patch = { content: { 'application/merge-patch+json': {} } };
  test.each<[string, Schema, string, string]>([
    [
      'a list in an envelope',
      documentOf({
        '/v1/things': { get: { responses: { 200: response({ properties: { data: { type: 'array' } } }) } } },
      }),
      'its response is not a list',
      "getThings: endpoint('GET', 'things', { response: GetThingsResponse })",
    ],
    [
      'a POST that responds with 200',
      documentOf({
        '/v1/things': {
          post: { requestBody: json(resourceOf({})), responses: { 200: response(resourceOf({})) } },
        },
      }),
      'it responds with 200 instead of 201 or 202 (§4.2)',
      "endpoint('POST', 'things', { body: PostThingsBody, response: PostThingsResponse })",
    ],
    [
      'a list of cats and dogs',
      documentOf({ '/v1/things': list({ oneOf: [resourceOf({ lives: {} }), resourceOf({ bark: {} })] }) }),
      'what it returns is one of several schemas, and a collection has one resource (§2.1)',
      "listThings: endpoint('GET', 'things', { response: ListThingsResponse })",
    ],
    [
      'a PATCH of another type than JSON',
      documentOf({ '/v1/things/{id}': { patch: { requestBody: patch, responses: { 204: {} } } } }),
      'its request body is application/merge-patch+json (§4.3)',
      "body: PatchThingsIdBody, contentType: 'application/merge-patch+json'",
    ],
  ])('%s is an endpoint, with the reason', async (_, document, reason, code) => {
    const imported = await importOf(document);
    expect(imported.unfit).toEqual([]);
    expect(imported.declarations).toContain(`// Not part of a collection: ${reason}`);
    expect(imported.declarations.replace(/\s+/g, ' ')).toContain(code);
    expect(apisOf(imported)).toHaveLength(1);
  });

  test('an operation on another server is a comment', async () => {
    const paths = { '/v1/things': { ...list({}), servers: [{ url: 'https://other.test' }] } };
    const { declarations } = await importOf(documentOf(paths));
    expect(declarations).toMatch(/^\/\/ GET \/v1\/\S+ is not declared: .*on another server/);
  });

  test('an `id` is always returned (§2.1), although the document does not require it', async () => {
    const thing = { type: 'object', properties: { id: { type: ['string', 'null'] }, self: {} } };
    const { declarations } = await importOf(documentOf({ '/v1/things': list(thing) }));
    expect(declarations).toContain('id: z.string()');
  });

  test('a parameter that the client does not write is a comment, and a name that the resource lacks is left out', async () => {
    const parameters = [
      query('sort', { type: 'array', items: { enum: ['name', '-name', 'other'] } }, { explode: false }),
      query('page', { type: 'integer' }),
      query('fields', { type: 'array', items: { enum: ['other'] } }, { explode: false }),
      query('pipes', { type: 'array', items: {} }, { explode: false, style: 'pipeDelimited' }),
      query('filter', { type: 'object' }),
      { in: 'query', name: 'json', ...json({ type: 'string' }) },
      query('both', { allOf: [{ type: 'string' }, { minLength: 2 }] }),
    ];
    const thing = resourceOf({ name: { type: 'string' } });
    const { declarations, unfit } = await importOf(documentOf({ '/v1/things': list(thing, { parameters }) }));
    const expected = "sort: ['name'], paging: true, operations: ['list'], params: z.object({ both: ";
    expect(declarations.replace(/\s+/g, ' ')).toContain(expected);
    expect(unfit).toEqual([
      'shopAPI.things.list: the query parameter `pipes`',
      'shopAPI.things.list: the query parameter `filter`',
      'shopAPI.things.list: the query parameter `json`',
      'shopAPI.things.list: the query parameter `fields`, which names no field of the resource',
      'shopAPI.things.list: `sort` by `other`, which is no field of the resource',
      'shopAPI.things.list: `perPage`, which the document does not have: leave it out of queries',
    ]);
  });

  test('an endpoint that takes another scheme is no part of the API', async () => {
    const others = list(resourceOf({}), { security: [{ key: [] }] });
    const paths = { '/v1/things': list(resourceOf({})), '/v1/others': others };
    const { declarations } = await importOf(documentOf(paths));
    expect(declarations).toContain('it takes key, and others take token (§5)');
    expect(declarations).not.toContain("collection('others'");
  });
});

describe('a path with another key than the `id`', () => {
  const parameters = [{ in: 'path', name: 'cli', required: true, schema: { type: 'string' } }];
  const number = reference('Call');
  const paths = {
    '/v2/numbers': list(number),
    '/v2/numbers/{cli}': { get: { parameters, responses: { 200: response(number) } } },
  };

  test('is an endpoint, with the reason', async () => {
    const { declarations, unfit } = await importOf(documentOf(paths, { Call: resourceOf({}) }));
    expect(declarations).toContain(
      '// Not part of a collection: its path has `{cli}`, which is not the `id` of the resource.',
    );
    expect(declarations).toContain("endpoint('GET', 'numbers/:cli', { response: Call })");
    expect(unfit).toEqual([]);
  });

  test('leaves its collection the list', async () => {
    const { declarations } = await importOf(documentOf(paths, { Call: resourceOf({}) }));
    expect(declarations).toContain("collection('numbers', Call, { operations: ['list'] })");
  });
});

test('a body that the document shows by an example alone is any value, and is reported', async () => {
  const shown = (example: unknown) => ({ content: { 'application/json': { example } } });
  const post = {
    operationId: 'count',
    requestBody: { content: { 'application/json': { examples: { all: { value: { kind: 'all' } } } } } },
    responses: { 200: shown({ notes: 12 }), 404: shown({ message: 'none' }) },
  };
  const get = { operationId: 'text', responses: { 200: { content: { 'text/csv': { example: 'a,b' } } } } };
  const { declarations, unfit } = await importOf(documentOf({ '/v1/stats': { post, get } }));
  expect(declarations).toContain('export const CountResponse = z.unknown();');
  expect(unfit).toEqual([
    'shopAPI.count: the fields of its request body, of which the document has an example alone',
    'shopAPI.count: the fields of its response, of which the document has an example alone',
  ]);
});

test('a schema does not take the name of a global', async () => {
  const paths = { '/v1/numbers': list(reference('Number')) };
  const { declarations } = await importOf(documentOf(paths, { Number: resourceOf({}) }));
  expect(declarations).toContain("collection('numbers', Number2, {");
});

test.each<[string, Schema, Schema, string]>([
  [
    'an operation that is deprecated',
    { deprecated: true },
    {},
    'shopAPI.things.list: the document calls it deprecated',
  ],
  [
    'a callback',
    { callbacks: { done: {} } },
    {},
    'shopAPI.things.list: callbacks: requests of the server to you are no part of a client',
  ],
  [
    'a webhook',
    {},
    { webhooks: { changed: {} } },
    'webhook changed: requests of the server to you are no part of a client',
  ],
])('%s is reported', async (_, operation, rest, reported) => {
  const paths = { '/v1/things': list(resourceOf({}), operation) };
  expect((await importOf(documentOf(paths, {}, rest))).unfit).toEqual([reported]);
});

test.each<[string, Schema, string]>([
  ['that has no fields and may be left out is none', {}, "operations: ['list']"],
  ['that is needed makes it an endpoint', { required: true }, 'GET has a request body (§4.2)'],
])('the body of a GET %s', async (_, rest, code) => {
  const schema = { type: 'object', properties: {}, additionalProperties: false };
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema } }, ...rest };
  const things = list(resourceOf({}), { requestBody });
  expect((await importOf(documentOf({ '/v1/things': things }))).declarations).toContain(code);
});
