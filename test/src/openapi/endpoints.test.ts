import { collection, defineApi, endpoint, resource } from 'restkin';
import { toOpenApi } from 'restkin/openapi';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { office } from '../../support/endpoints.ts';

const { paths, components } = toOpenApi(office);

const schemaOf = (name: string): unknown => ({ $ref: `#/components/schemas/${name}` });

test('endpoints at one path are the operations of one path item', () => {
  const { get, put } = paths['/v1/settings'] ?? {};
  expect(get?.responses[200]?.content).toEqual({
    'application/json': { schema: schemaOf('SettingsResponse') },
  });
  expect(put?.requestBody).toEqual({
    required: true,
    content: { 'application/json': { schema: schemaOf('SettingsResponse') } },
  });
  expect(put?.responses[204]).toEqual({ description: 'Success.' });
});

test('a codec is in a component as it is on the wire', () => {
  expect(components.schemas.SettingsResponse).toMatchObject({
    properties: { currency: { type: 'string' }, since: { type: 'string', format: 'date' } },
  });
});

test.each([
  ['/v1/recordings/{id}/audio', 'audio/wav', { type: 'string', format: 'binary' }],
  ['/v1/recordings/{id}/transcript', 'text/plain', { type: 'string' }],
])('a response that is not JSON has its media type: %s', (path, type, schema) => {
  const { get, parameters } = paths[path] ?? {};
  expect(get?.responses[200]?.content).toEqual({ [type]: { schema } });
  expect(parameters?.map(({ name }) => name)).toEqual(['id']);
});

test('a Blob is binary, of any type', () => {
  const store = endpoint('PUT', 'notes/:id', { body: z.instanceof(Blob) });
  const notes = defineApi({
    name: 'notes',
    version: 1,
    auth: 'basic',
    collections: {},
    endpoints: { store },
  });
  const { put } = toOpenApi(notes).paths['/v1/notes/{id}'] ?? {};
  expect(put?.requestBody?.content).toEqual({ '*/*': { schema: { type: 'string', format: 'binary' } } });
});

test('a body has the type that is declared, and a form that is URL-encoded has its own', () => {
  const object = z.object({ a: z.string() });
  const endpoints = {
    store: endpoint('PUT', 'image', { body: z.instanceof(Blob), contentType: 'image/png' }),
    patch: endpoint('PATCH', 'image', { body: object, contentType: 'application/merge-patch+json' }),
    search: endpoint('POST', 'image', { body: z.instanceof(URLSearchParams) }),
  };
  const image = defineApi({ name: 'image', version: 1, auth: 'basic', collections: {}, endpoints });
  const { put, patch, post } = toOpenApi(image).paths['/v1/image'] ?? {};
  const contents = [put, patch, post].map((operation) => operation?.requestBody?.content);
  expect(contents).toEqual([
    { 'image/png': { schema: { type: 'string', format: 'binary' } } },
    { 'application/merge-patch+json': { schema: { $ref: '#/components/schemas/PatchBody' } } },
    { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
  ]);
});

test('a form is multipart/form-data', () => {
  const { post } = paths['/v1/recordings'] ?? {};
  expect(post?.requestBody?.content).toEqual({ 'multipart/form-data': { schema: { type: 'object' } } });
});

test('an endpoint has its query, its body, and 202 where it is declared', () => {
  const { post } = paths['/v1/reports'] ?? {};
  expect(post?.parameters?.map(({ name, required, explode }) => ({ name, required, explode }))).toEqual([
    { name: 'from', required: true, explode: undefined },
    { name: 'tags', required: undefined, explode: true },
  ]);
  expect(post?.requestBody?.content).toEqual({ 'application/json': { schema: schemaOf('ReportBody') } });
  expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(['201', '202', '400', '404']));
});

test('a response with `fields` may be the limited resource, and `expand` has its names', () => {
  const { get } = paths['/v1/latest-order'] ?? {};
  const { schema } = get?.responses[200]?.content?.['application/json'] ?? {};
  expect(schema).toEqual({ anyOf: [schemaOf('Order'), schemaOf('OrderFields')] });
  const expand = get?.parameters?.find(({ name }) => name === 'expand');
  expect(expand?.schema).toEqual({ type: 'array', items: { type: 'string', enum: ['company'] } });
});

test('an action is below its resource, with the id of it', () => {
  const { parameters, post } = paths['/v1/orders/{id}/cancel'] ?? {};
  expect(post?.operationId).toBe('ordersCancel');
  expect(parameters?.map(({ name, schema }) => [name, schema.type])).toEqual([['id', 'number']]);
  const below = paths['/v1/companies/{companyId}/orders/{id}/ship'];
  expect(below?.parameters?.map(({ name }) => name)).toEqual(['companyId', 'id']);
});

test('a POST whose response is a file responds with 200, and without a known type as any file', () => {
  const api = defineApi({
    name: 'files',
    version: 1,
    auth: 'basic',
    collections: {},
    endpoints: { render: endpoint('POST', 'render', { as: 'bytes', accept: 'image/*' }) },
  });
  const { responses } = toOpenApi(api).paths['/v1/render']?.post ?? {};
  const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  expect(responses?.[200]?.content).toEqual(content);
  expect(responses).not.toHaveProperty('201');
});

test('endpoints whose paths differ in the name of a parameter share a path', () => {
  const api = defineApi({
    name: 'labels',
    version: 1,
    auth: 'basic',
    collections: {},
    endpoints: { read: endpoint('GET', 'labels/:name'), drop: endpoint('DELETE', 'labels/:label') },
  });
  const document = toOpenApi(api);
  expect(Object.keys(document.paths)).toEqual(['/v1/labels/{name}']);
  expect(document.paths['/v1/labels/{name}']?.delete?.operationId).toBe('drop');
});

test.each([
  ['number', '/v1/notes/{number}'],
  ['part-number', '/v1/notes/{id}'],
])('the path of one resource has the name of its key if a path can have it: %s', (key, path) => {
  const Note = resource({ number: z.int(), 'part-number': z.string() });
  const notes = collection('notes', Note, { key, operations: ['get'] } as { key: 'number' });
  const document = toOpenApi(defineApi({ name: 'notes', version: 1, auth: 'basic', collections: { notes } }));
  expect(Object.keys(document.paths)).toEqual([path]);
});

test('an endpoint at the path of a collection joins its operations', () => {
  const api = defineApi({
    name: 'notes',
    version: 1,
    auth: 'basic',
    collections: {
      notes: collection('notes', resource({ text: z.string() }), { operations: ['list', 'get'] }),
    },
    endpoints: { search: endpoint('POST', 'notes'), touch: endpoint('PUT', 'notes/:noteId') },
  });
  const document = toOpenApi(api);
  expect(Object.keys(document.paths)).toEqual(['/v1/notes', '/v1/notes/{id}']);
  expect(document.paths['/v1/notes']?.post?.operationId).toBe('search');
  expect(document.paths['/v1/notes/{id}']?.put?.operationId).toBe('touch');
  expect(document.paths['/v1/notes/{id}']?.parameters?.map(({ name }) => name)).toEqual(['id']);
});

test('each operation has an operationId of its own, and an import gives the names back', () => {
  const act = endpoint('POST', 'act');
  const orders = collection('orders', resource({ text: z.string() }), {
    actions: { 'a b': act, aB: endpoint('POST', 'other') },
  });
  const ordersA = collection('orders-a', resource({ text: z.string() }), { operations: ['list'] });
  const endpoints = { ordersAList: endpoint('GET', 'all', { as: 'text' }) };
  const collections = { orders, ordersA };
  const api = defineApi({ name: 'orders', version: 1, auth: 'basic', collections, endpoints });
  const operations = Object.values(toOpenApi(api).paths)
    .flatMap(({ get, post, put, patch, delete: remove }) => [get, post, put, patch, remove])
    .filter((operation) => operation !== undefined);
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const named = operations.map((operation) => [operation.operationId, operation['x-restkin-name']]);
  expect(named.filter(([, name]) => name !== undefined)).toEqual([
    ['ordersAList2', 'ordersAList'],
    ['ordersAB', 'a b'],
    ['ordersAB2', 'aB'],
  ]);
});
