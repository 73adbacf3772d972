import { createClient, customAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, json, list, reference, resourceOf, response } from '../../../support/odd-document.ts';

const idPath = { in: 'path', name: 'id', required: true, schema: { type: 'integer' } };

/** A collection whose POST, PUT and PATCH take `body`. */
const documentWith = (resource: object, body: object, schemas: Readonly<Record<string, unknown>>) =>
  documentOf(
    {
      '/v1/things': {
        ...list({ ...resource }),
        post: { requestBody: json({ ...body }), responses: { 201: response({ ...resource }) } },
      },
      '/v1/things/{id}': {
        parameters: [idPath],
        put: { requestBody: json({ ...body }), responses: { 204: { description: '' } } },
        patch: { requestBody: json({ ...body }), responses: { 204: { description: '' } } },
      },
    },
    schemas,
  );

/** What an application does with the import: the first collection of its client, against its mock. */
const clientOf = async (document: object) => {
  const [api] = apisOf(await importOf(document));
  if (api === undefined) throw new Error('the import has no API');
  const mock = createMock({ ...api, auth: 'custom' }, { generate: 1, authorize: () => true });
  const client = createClient({
    baseUrl: 'https://api.example.com',
    auth: customAuth(() => undefined),
    fetch: mock.fetch,
  });
  const { things } = client.api({ ...api, auth: 'custom' }) as unknown as {
    readonly things: {
      create(body: object): Promise<Readonly<Record<string, unknown>>>;
      replace(id: number, body: object): Promise<object>;
      update(id: number, body: object): Promise<object>;
    };
  };
  return things;
};

describe('a request body that refers to the schema of the response, without `readOnly`', () => {
  const schemas = {
    Thing: {
      ...resourceOf({ name: { type: 'string' }, owner: reference('Owner') }),
      required: ['id', 'self', 'name'],
    },
    Owner: resourceOf({ city: { type: 'string' } }),
  };
  const document = documentWith(reference('Thing'), reference('Thing'), schemas);

  test('follows from the resource, so that the declaration has no body of its own', async () => {
    const { declarations, unfit } = await importOf(document);
    expect(unfit).toEqual([]);
    expect(declarations).not.toContain('bodies');
  });

  test('is created, replaced and updated without `id` and `self`', async () => {
    const things = await clientOf(document);
    expect(await things.create({ name: 'first' })).toMatchObject({ name: 'first' });
    expect(await things.replace(1, { name: 'second' })).toMatchObject({ outcome: 'done' });
    expect(await things.update(1, { name: 'third' })).toMatchObject({ outcome: 'done' });
  });
});

describe('a request body that has `id` and `self`, and differs from the resource', () => {
  const owner = resourceOf({ city: { type: 'string' } });
  const at = { type: 'string', readOnly: true };
  const schemas = {
    Thing: resourceOf({ name: { type: 'string' }, at, owner: reference('Owner') }),
    Owner: { ...owner, properties: { ...owner.properties, at } },
  };
  const document = documentWith(reference('Thing'), reference('Thing'), schemas);

  test('is declared without them, and names a nested resource by its `id`', async () => {
    const { declarations } = await importOf(document);
    const printed = declarations.replace(/\s+/g, ' ');
    expect(printed).toContain(
      'ThingBody = z.object({ name: z.optional(z.string()), owner: z.optional(OwnerPart) });',
    );
    expect(printed).toContain(
      'OwnerPart = z.object({ id: z.optional(z.int()), city: z.optional(z.string()) });',
    );
    expect(printed).toContain('bodies: { create: ThingBody, replace: ThingBody, update: ThingBody }');
  });

  test('is created, replaced and updated', async () => {
    const things = await clientOf(document);
    expect(await things.create({ name: 'first', owner: { city: 'Oslo' } })).toMatchObject({ name: 'first' });
    expect(await things.replace(1, { name: 'second' })).toMatchObject({ outcome: 'done' });
    expect(await things.update(1, { name: 'third' })).toMatchObject({ outcome: 'done' });
  });
});

test('a bulk request of exactly some items keeps its limit', async () => {
  const thing = resourceOf({ name: { type: 'string' } });
  const body = { type: 'object', properties: { name: { type: 'string' } } };
  const many = { type: 'array', items: body, minItems: 5, maxItems: 5 };
  const post = { requestBody: json({ anyOf: [body, many] }), responses: { 201: response(thing) } };
  const { declarations } = await importOf(documentOf({ '/v1/things': { post } }));
  expect(declarations).toContain('bulk: { maxItems: 5 }');
});

test('a body over a read-only base has the other fields', async () => {
  const base = { type: 'object', properties: { at: { type: 'string', readOnly: true } } };
  const body = { allOf: [reference('Base'), { type: 'object', properties: { name: { type: 'string' } } }] };
  const post = { requestBody: json(body), responses: { 201: response(resourceOf({})) } };
  const { declarations } = await importOf(documentOf({ '/v1/things': { post } }, { Base: base }));
  expect(declarations).toContain('ThingCreate = z.object({ name: z.optional(z.string()) });');
});

test('the body of a 202 is reported where nothing returns it', async () => {
  const thing = resourceOf({});
  const later = { requestBody: json(thing), responses: { 202: response(thing), 204: {} } };
  const paths = {
    '/v1/things': {
      ...list(thing),
      post: { requestBody: json(thing), responses: { 201: response(thing), 202: response(thing) } },
    },
    '/v1/things/{id}': { parameters: [idPath], put: later, patch: later },
  };
  const { declarations, unfit } = await importOf(documentOf(paths));
  const reason = 'the body of its response 202: `client.request` returns it';
  expect(declarations).toContain(`// Not declared in \`replace\`, \`update\`: ${reason}.`);
  expect(unfit).toEqual([`shopAPI.things.replace: ${reason}`, `shopAPI.things.update: ${reason}`]);
});
