import { createClient, customAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { apisOf, evaluate, importOf } from '../../../support/import-document.ts';
import { documentOf, json, query, reference, response, type Schema } from '../../../support/odd-document.ts';

// FastAPI sends `/items` to `/items/` with a redirect, and its documents have paths of both kinds.

const string = { type: 'string' };
const item = { type: 'object', required: ['id', 'name'], properties: { id: string, name: string } };
const page = {
  type: 'object',
  required: ['data', 'count'],
  properties: { data: { type: 'array', items: reference('Item') }, count: { type: 'integer' } },
};
const parameters = [query('skip', { type: 'integer' }), query('limit', { type: 'integer' })];
const one = (name: string) => ({ in: 'path', name, required: true, schema: string });
const operation = (operationId: string, rest: Schema = {}) => ({
  operationId,
  responses: { 200: response(reference('Item')) },
  ...rest,
});

const document = documentOf(
  {
    '/items/': {
      get: operation('readItems', { parameters, responses: { 200: response(page) } }),
      post: operation('createItem', { requestBody: json(reference('Item')) }),
    },
    '/items/{id}': {
      parameters: [one('id')],
      get: operation('readItem'),
      put: operation('updateItem', { requestBody: json(reference('Item')) }),
      delete: operation('deleteItem', { responses: { 204: { description: '' } } }),
    },
    '/items/{id}/publish/': { parameters: [one('id')], post: operation('publish') },
    '/users/me': { get: operation('me') },
    '/reset-password/': { post: operation('reset') },
  },
  { Item: item },
);

describe('a document that has paths with and without a slash at the end', () => {
  test('becomes collections, actions and endpoints, without a function', async () => {
    const imported = await importOf(document);
    const [api] = apisOf(imported);
    expect(imported.summary).toBe('1 collection, 1 action, 2 endpoints, 0 other operations');
    expect(api?.collections.items?.options).toMatchObject({
      operations: ['list', 'get', 'create', 'replace', 'delete'],
      trailingSlash: true,
    });
  });

  test('is called at the paths of the document', async () => {
    const [api] = apisOf(await importOf(document));
    const urls: string[] = [];
    const client = createClient({
      baseUrl: 'https://api.test',
      auth: { token: customAuth(() => undefined) },
      fetch: async (input) => {
        urls.push(new URL(new Request(input).url).pathname);
        return new Response(null, { status: 404 });
      },
    });
    type Call = (...given: readonly unknown[]) => PromiseLike<unknown>;
    const { items, ...endpoints } = client.api(api as never) as unknown as Readonly<Record<string, Call>> & {
      readonly items: Readonly<Record<string, Call>>;
    };
    const { list, get, publish } = items;
    const { me, reset } = endpoints;
    const calls = [() => list?.(), () => get?.('a'), () => publish?.('a'), () => me?.(), () => reset?.()];
    for (const call of calls) await Promise.allSettled([call()]);
    expect(urls).toEqual(['/items/', '/items/a', '/items/a/publish/', '/users/me', '/reset-password/']);
  });
});

const thing = {
  type: 'object',
  required: ['id', 'self'],
  properties: { id: string, self: string },
};

test('an operation of a collection whose slash is another one is an endpoint', async () => {
  const imported = await importOf(
    documentOf({
      '/v1/things': {
        get: operation('list', { responses: { 200: response({ type: 'array', items: thing }) } }),
      },
      '/v1/things/': {
        post: operation('add', { requestBody: json(thing), responses: { 201: response(thing) } }),
      },
      '/v1/things/{id}/': {
        parameters: [one('id')],
        get: operation('one', { responses: { 200: response(thing) } }),
      },
      '/v1/others/{id}': { parameters: [one('id')], delete: operation('a', { responses: { 204: {} } }) },
      '/v1/more/{id}': { parameters: [one('id')], delete: operation('b', { responses: { 204: {} } }) },
    }),
  );
  const code = imported.declarations.replace(/\s+/g, ' ');
  expect(code).toContain("collection('things', Thing, { operations: ['list'] })");
  expect(code).toContain('// Not part of a collection: its path ends with a slash, unlike others.');
  expect(code).toContain("add: endpoint('POST', 'things', { trailingSlash: true,");
  expect(code).toContain("one: endpoint('GET', 'things/:id', { trailingSlash: true,");
  expect(apisOf(imported)).toHaveLength(1);
});

test('a function of another scheme sends the slash of its path', async () => {
  const paths = {
    '/things/': { post: operation('reset', { security: [{ key: [] }] }) },
    '/others/': { post: operation('other') },
    '/more/': { post: operation('more') },
  };
  const { reset } = evaluate(await importOf(documentOf(paths, { Item: item })));
  const sent: unknown[] = [];
  const client = { request: (given: unknown) => sent.push(given) };
  (reset as (of: unknown) => unknown)(client);
  expect(sent).toMatchObject([{ path: 'things/' }]);
});
