import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, list, query, resourceOf, response, type Schema } from '../../../support/odd-document.ts';

// Where the operations of a document are: the base URL, the version, and paths.

const thing = resourceOf({ name: { type: 'string' } });

const one = (schema: Schema) => ({ get: { responses: { 200: response(schema) } } });

const servers = (url: string) => ({ servers: [{ url }] });

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

  test('with variables is that of their defaults, also where a path states it', async () => {
    const server = {
      servers: [{ url: '{scheme}://{host}.test/api', variables: { scheme: { default: 'https' }, host: {} } }],
    };
    const { summary } = await importOf(
      documentOf({ '/v1/things': { ...list(thing), ...server } }, {}, server),
    );
    expect(summary).toBe('1 collection, 0 endpoints, 0 other operations, base URL https://{host}.test/api');
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

  test('has them in its paths also where its lists are those of a family', async () => {
    const next = { type: 'object', properties: { rows: { type: 'array', items: thing }, next_cursor: {} } };
    const parameters = [query('cursor', { type: 'string' }), query('limit', { type: 'integer' })];
    const get = { parameters, responses: { 200: response(next) } };
    const imported = await importOf(
      documentOf({ '/v1/a': report('a'), '/v2/b': report('b'), '/v1/things': { get } }),
    );
    expect(imported.unfit).toEqual([]);
    expect(Object.keys(apisOf(imported)[0]?.collections ?? {})).toEqual(['v1Things']);
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

test('an operation at the path of another one, but for the name of a parameter, is a function', async () => {
  const get = (operationId: string) => ({ get: { ...one(thing).get, operationId } });
  const paths = { '/v1/things/{id}': get('a'), '/v1/things/{thing}': get('b'), '/v1/things': list(thing) };
  const imported = await importOf(documentOf(paths));
  expect(imported.unfit).toEqual(['GET /v1/things/{thing}: no endpoint can have its path']);
  expect(apisOf(imported)).toHaveLength(1);
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

describe('the operations of a document without versions', () => {
  const parameters = [{ in: 'path', name: 'query', required: true, schema: { type: 'string' } }];
  const audio = { get: { operationId: 'audio', responses: { 200: { content: { 'audio/wav': {} } } } } };
  const cancel = { post: { operationId: 'cancel', parameters, responses: { 202: {} } } };
  const form = { content: { 'multipart/form-data': {} } };
  const upload = { post: { operationId: 'upload', requestBody: form, responses: { 204: {} } } };
  const document = documentOf({
    '/audio': audio,
    '/orders/{query}/cancel': cancel,
    '/files': upload,
    '/files/{a}.{b}': audio,
  });

  test.each([
    ['are those of a family without a version', "const { defineApi } = family({ path: '' });"],
    ['are endpoints', "audio: endpoint('GET', 'audio', { accept: 'audio/wav', as: 'bytes' })"],
    [
      'have another name for a parameter that a call has an option of',
      "cancel: endpoint('POST', 'orders/:queryValue/cancel', { accepts: true })",
    ],
    ['may take forms', "upload: endpoint('POST', 'files', { body: z.instanceof(FormData) })"],
    ['are functions where an endpoint cannot have the path', 'audio = (client: Client, '],
  ])('%s', async (_, code) => {
    const { declarations } = await importOf(document);
    expect(declarations.replace(/\s+/g, ' ')).toContain(code);
  });

  test('are those of collections where they fit the conventions', async () => {
    const paths = { '/things': list(thing), '/things/{id}': one(thing), '/audio': audio };
    const { declarations, unfit } = await importOf(documentOf(paths));
    expect(declarations).toContain("things: collection('things', Thing, { operations: ['list', 'get'] })");
    expect(unfit).toEqual([]);
  });

  test('are counted', async () => {
    const { summary } = await importOf(document);
    expect(summary).toBe('0 collections, 3 endpoints, 1 other operation');
  });

  test('are a declaration', async () => {
    expect(apisOf(await importOf(document))).toHaveLength(1);
  });
});
