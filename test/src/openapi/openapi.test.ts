import { collection, defineApi, expandable, InvalidRequestError, type Resource, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { documentInspector } from '../../support/documented.ts';
import { ordering } from '../../support/ordering.ts';
import fc from '../../support/random.ts';
import { anyFields, declareApi, rowsOf } from '../../support/random-model.ts';

const { paths, components } = toOpenApi(ordering);

const one = (shape: Parameters<typeof resource>[0]) =>
  defineApi({
    name: 'one',
    version: 1,
    auth: 'token',
    collections: { things: collection('things', resource(shape)) },
  });

describe('the paths of a document', () => {
  test('are those of the collections, in the order of the declaration', () => {
    expect(Object.keys(paths)).toEqual([
      '/v1/orders',
      '/v1/orders/{id}',
      '/v1/companies/{companyId}/orders',
      '/v1/companies/{companyId}/orders/{id}',
      '/v1/companies',
      '/v1/companies/{id}',
      '/v1/feed',
    ]);
  });

  test('have the query parameters that are declared, with their limits', () => {
    const parameters = paths['/v1/companies']?.get?.parameters ?? [];
    const names = (path: string) => paths[path]?.get?.parameters?.map(({ name }) => name);
    expect(names('/v1/orders')).toEqual(['sort', 'fields', 'expand', 'page', 'perPage']);
    expect(names('/v1/orders/{id}')).toEqual(['fields', 'expand']);
    expect(names('/v1/feed')).toEqual(['page', 'perPage', 'since', 'limit']);
    expect(parameters[0]).toMatchObject({
      explode: false,
      schema: { items: { enum: ['name', '-name', 'city', '-city'] } },
    });
    expect(paths['/v1/orders']?.get?.parameters?.[4]).toMatchObject({
      name: 'perPage',
      schema: { maximum: 200 },
    });
  });

  test('have 413 and a list for a bulk request only', () => {
    const api = defineApi({
      name: 'bulk',
      version: 1,
      auth: 'basic',
      collections: { things: collection('things', resource({ a: z.string() }), { bulk: { maxItems: 7 } }) },
    });
    const post = toOpenApi(api).paths['/v1/things']?.post;
    expect(post?.responses).toHaveProperty('413');
    expect(post?.requestBody?.content['application/json']?.schema).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/ThingBody' }, { type: 'array', maxItems: 7 }],
    });
    expect(paths['/v1/orders']?.post?.responses).not.toHaveProperty('413');
  });
});

describe('the components of a document', () => {
  test('are named after collections, fields and forms, in the order of their names', () => {
    expect(Object.keys(components.schemas)).toEqual([
      'Company',
      'CompanyBody',
      'CompanyFields',
      'CompanyReference',
      'CompanyUpdate',
      'Error',
      'ErrorItem',
      'Order',
      'OrderBody',
      'OrderFields',
      'OrderLine',
      'OrderLineFields',
      'OrderLinePart',
      'OrderUpdate',
    ]);
  });

  test('have an expandable resource in both forms in a response, and by its id in a body', () => {
    expect(components.schemas.Order).toHaveProperty('properties.company.anyOf', [
      { $ref: '#/components/schemas/Company' },
      { $ref: '#/components/schemas/CompanyReference' },
    ]);
    expect(components.schemas.OrderBody).toHaveProperty('properties.company.required', ['id']);
  });

  test('have no id and no self in the body of a resource, and nothing required in that of a PATCH', () => {
    expect(Object.keys((components.schemas.CompanyBody?.properties ?? {}) as object)).toEqual([
      'name',
      'city',
    ]);
    expect(components.schemas.OrderUpdate).not.toHaveProperty('required');
    expect(components.schemas.OrderUpdate).not.toHaveProperty('properties.device.required');
    expect(components.schemas.OrderLinePart).toHaveProperty('required', ['sku', 'quantity']);
  });

  test('have a codec as it is on the wire, and forbid no unknown fields', () => {
    const at = z.codec(z.iso.datetime(), z.date(), {
      decode: (s) => new Date(s),
      encode: (d) => d.toISOString(),
    });
    const { Thing } = toOpenApi(one({ at })).components.schemas;
    expect(Thing).toHaveProperty('properties.at.format', 'date-time');
    expect(Thing).not.toHaveProperty('additionalProperties');
  });

  test('are named by .meta({ id }) where a schema has it, and keep its other annotations', () => {
    const status = z.enum(['on', 'off']).meta({ id: 'Power', description: 'Whether it runs.' });
    const counts = z.record(z.enum(['day', 'night']).meta({ id: 'Shift' }), z.number());
    const { schemas } = toOpenApi(one({ status, before: z.optional(status), counts })).components;
    expect(schemas.Power).toMatchObject({ enum: ['on', 'off'], description: 'Whether it runs.' });
    expect(schemas.Thing).toHaveProperty('properties.status', { $ref: '#/components/schemas/Power' });
    const shift = { $ref: '#/components/schemas/Shift' };
    expect(schemas.Thing).toHaveProperty('properties.counts.propertyNames', shift);
  });

  test('refer to themselves where a resource or an object contains itself', () => {
    const Part: Resource = resource({
      name: z.string(),
      get parts() {
        return z.array(Part);
      },
    });
    const Tree = z.object({
      get below() {
        return z.optional(z.array(Tree));
      },
    });
    const api = defineApi({
      name: 'parts',
      version: 1,
      auth: 'token',
      collections: { parts: collection('parts', Part), trees: collection('trees', resource({ tree: Tree })) },
    });
    const { schemas } = toOpenApi(api).components;
    expect(schemas.Part).toHaveProperty('properties.parts.items', { $ref: '#/components/schemas/Part' });
    expect(schemas.Tree).toHaveProperty('properties.tree.$ref', '#/components/schemas/TreeBelow');
    expect(schemas.TreeBelow).toHaveProperty('properties.below.items.$ref', '#/components/schemas/TreeBelow');
  });
});

test('query parameters that the client writes as strings are what their strings hold', () => {
  const since = z.date().meta({ description: 'The first day.' });
  const params = z.object({
    since,
    days: z.optional(z.array(z.date())),
    count: z.optional(z.bigint()),
    until: z.union([z.date(), z.literal('now')]),
  });
  const api = defineApi({
    name: 'one',
    version: 1,
    auth: 'token',
    collections: { things: collection('things', resource({}), { params }) },
  });
  expect(toOpenApi(api).paths['/v1/things']?.get?.parameters?.slice(0, 4)).toMatchObject([
    {
      name: 'since',
      required: true,
      schema: { type: 'string', format: 'date-time', description: 'The first day.' },
    },
    { name: 'days', schema: { type: 'array', items: { type: 'string', format: 'date-time' } } },
    { name: 'count', schema: { type: 'integer' } },
    { name: 'until', schema: { anyOf: [{ type: 'string', format: 'date-time' }, { const: 'now' }] } },
  ]);
  // The same schema has no JSON Schema in a body.
  const both = defineApi({
    ...api,
    collections: { things: collection('things', resource({ since }), { params }) },
  });
  expect(() => toOpenApi(both)).toThrow('the field "Thing.since" has no JSON Schema');
});

test('lists are plain strings, and responses are in full only, where a tool wants them so', () => {
  const { paths, components } = toOpenApi(ordering, { plainLists: true, fullResponses: true });
  expect(paths['/v1/companies']?.get?.parameters?.[0]).toEqual({
    name: 'sort',
    in: 'query',
    description: expect.stringContaining('One of `name`, `-name`, `city`, `-city`. Joined with commas.'),
    schema: { type: 'string' },
  });
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } };
  expect(paths['/v1/orders/{id}']?.get?.responses[200]).toMatchObject({ content });
  expect(components.schemas).not.toHaveProperty('OrderFields');
});

describe('what a document cannot say', () => {
  test.each([
    ['a date without a codec', { device: z.object({ at: z.date() }) }, 'device.at'],
    ['one side of a union', { either: z.union([z.string(), z.date()]) }, 'either'],
  ])('%s throws with the resource and the field', (_, shape, path) => {
    const convert = () => toOpenApi(one(shape));
    expect(convert).toThrow(InvalidRequestError);
    expect(convert).toThrow(`API "one": the field "Thing.${path}" has no JSON Schema`);
  });

  test('an unknown scheme throws, and one that is described does not', () => {
    const api = defineApi({ ...ordering, auth: 'custom' });
    expect(() => toOpenApi(api)).toThrow('the scheme "custom"');
    const custom = { type: 'apiKey', in: 'header', name: 'X-Key' } as const;
    expect(toOpenApi(api, { securitySchemes: { custom } }).components.securitySchemes).toEqual({ custom });
  });

  test('two collections at one path throw', () => {
    const api = defineApi({
      name: 'twice',
      version: 1,
      auth: 'token',
      collections: { a: collection('x/:a', resource({})), b: collection('x', resource({})) },
    });
    expect(() => toOpenApi(api)).toThrow('The collection "b": another one has its path /v1/x/{id}, too');
  });
});

describe('a document of random declarations', () => {
  const query = (names: readonly string[], name: string) =>
    names.length === 0 ? '' : `&${name}=${names.join(',')}`;

  test('has every response of their mock, limited and expanded', async () => {
    await fc.assert(
      fc.asyncProperty(anyFields, fc.nat(), async (fields, seed) => {
        const { api, targets } = declareApi(fields);
        const inspect = documentInspector(toOpenApi(api));
        const mock = createMock(defineApi({ ...api, auth: 'basic' }), {
          data: rowsOf(fields, { targets }, seed),
        });
        const expand = api.collections.roots?.options.expand ?? [];
        const names = Object.keys(fields).slice(0, 1);
        for (const search of [
          '',
          query(expand, 'expand'),
          query(names, 'fields'),
          query(expand, 'expand') + query(names, 'fields'),
        ]) {
          const request = new Request(`https://api.example.com/v1/roots?${search.slice(1)}`, {
            headers: { authorization: `Basic ${btoa('a:b')}` },
          });
          const response = await mock.respond(request);
          expect(response.status).toBe(200);
          expect(await inspect(request, response)).toEqual([]);
        }
      }),
      { numRuns: 12 },
    );
  });
});

test.each([undefined, {}, 'ordering'])('what defineApi did not return is refused: %j', (given) => {
  expect(() => toOpenApi(given as never)).toThrow('toOpenApi needs what defineApi returned');
});

test('a nested resource that is never expanded is a reference only', () => {
  const Owner = resource({ name: z.string() });
  const { Thing, Owner: whole } = toOpenApi(one({ owner: expandable(Owner) })).components.schemas;
  expect(Thing).toHaveProperty('properties.owner', { $ref: '#/components/schemas/OwnerReference' });
  expect(whole).toBeUndefined();
});
