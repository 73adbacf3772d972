import { createClient, customAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { fieldOf } from '../../../support/imported-parts.ts';
import {
  documentOf,
  json,
  list,
  objectOf,
  query,
  reference,
  resourceOf,
  response,
  type Schema,
  string,
} from '../../../support/odd-document.ts';

// A release may add a value to a set (§9.2): a response takes others than the document has, a request does not.

const letters = (...values: readonly string[]) => ({ type: 'string', enum: values });

describe('a field of a response', () => {
  test.each<[string, Schema, string]>([
    ['of several strings takes others', letters('a', 'b'), "openEnum(['a', 'b'])"],
    ['may be null', { enum: ['a', 'b', null] }, "z.nullable(openEnum(['a', 'b']))"],
    ['is inside a list', { type: 'array', items: letters('a', 'b') }, "z.array(openEnum(['a', 'b']))"],
    ['of integers takes others', { enum: [0, 1] }, 'z.union([z.literal([0, 1]), z.int()])'],
    ['of numbers takes others', { enum: [0.5, 1] }, 'z.union([z.literal([0.5, 1]), z.number()])'],
    ['of one value has this one', letters('list'), "z.enum(['list'])"],
    ['of one number has this one', { enum: [1] }, 'z.literal(1)'],
    ['of booleans has these', { enum: [true, false] }, 'z.literal([true, false])'],
    ['of several types has these', { enum: ['a', 1] }, "z.literal(['a', 1])"],
    [
      'has the names of a record alone',
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: string },
      "z.partialRecord(z.enum(['a', 'b']), z.string())",
    ],
  ])('%s', async (_, field, expected) => {
    const { printed } = await fieldOf(field);
    expect(printed).toBe(expected);
  });

  const option = (kinds: readonly string[], more: Schema) =>
    objectOf({ kind: letters(...kinds), ...more }, ['kind']);
  const options = [option(['cat', 'tiger'], { size: letters('s', 'l') }), option(['dog'], { name: string })];

  test.each<[string, Schema, string]>([
    [
      'a discriminator',
      { oneOf: options, discriminator: { propertyName: 'kind' } },
      "discriminatedUnion('kind', ",
    ],
    ['what several options have', { anyOf: options }, 'union('],
  ])('is closed where it tells options apart: %s', async (_, field, start) => {
    const { printed } = await fieldOf(field);
    expect(printed).toMatch(/^z\.(?:discriminatedU|u)nion\(/);
    expect(printed).toContain(start);
    expect(printed).toContain("{ kind: z.enum(['cat', 'tiger']), size: z.optional(openEnum(['s', 'l'])) }");
  });
});

test('is open where the discriminator of a document has the same values in each option', async () => {
  const optionOf = (more: Schema) => objectOf({ kind: reference('Kind'), ...more }, ['kind']);
  const { code, printed } = await fieldOf(
    { oneOf: [reference('Cat'), reference('Dog')], discriminator: { propertyName: 'kind' } },
    {
      Kind: letters('cat', 'dog'),
      Cat: optionOf({ lives: { type: 'integer' } }),
      Dog: optionOf({ name: string }),
    },
  );
  expect(printed).toBe('z.union([Cat, Dog])');
  expect(code).toContain("export const Kind = openEnum(['cat', 'dog']);");
});

test('an open enum tells no options apart, also as the discriminator of a document', async () => {
  const optionOf = (...values: readonly string[]) =>
    objectOf({ kind: { type: 'string', 'x-extensible-enum': values } }, ['kind']);
  const { printed } = await fieldOf({
    oneOf: [optionOf('cat', 'tiger'), optionOf('dog', 'wolf')],
    discriminator: { propertyName: 'kind' },
  });
  expect(printed).toMatch(/^z\.union\(/);
});

test('what several options have alike is open', async () => {
  const shared = (more: Schema) => objectOf({ status: reference('Status'), ...more });
  const field = { anyOf: [shared({ name: string }), shared({ size: letters('s', 'l') })] };
  const { code } = await fieldOf(field, { Status: letters('open', 'shipped') });
  expect(code).toContain("export const Status = openEnum(['open', 'shipped']);");
});

const status = letters('open', 'shipped');
const order = resourceOf({ status: reference('Status') });
const newOrder = objectOf({ status: reference('Status') });

const importOrders = (created: Schema) =>
  importOf(
    documentOf(
      {
        '/v1/orders': {
          get: {
            parameters: [query('status', reference('Status')), query('kind', letters('a', 'b'))],
            responses: { 200: response({ type: 'array', items: reference('Order') }) },
          },
          post: { requestBody: json(created), responses: { 201: response(reference('Order')) } },
        },
      },
      { Status: status, Order: order, NewOrder: newOrder },
    ),
  );

test('requests take the values of the document alone', async () => {
  const { declarations } = await importOrders(objectOf({ status: reference('Status'), note: string }));
  const code = declarations.replace(/\s+/g, ' ');
  expect(code).toContain("export const Status = openEnum(['open', 'shipped']);");
  expect(code).toContain("export const StatusBody = z.enum(['open', 'shipped']);");
  expect(code).toContain('status: z.optional(StatusBody), kind: z.optional(z.enum([');
  expect(code).toContain('OrderCreate = z.object({ status: z.optional(StatusBody)');
});

test('a body that equals its resource is not declared twice', async () => {
  const { declarations } = await importOrders(reference('NewOrder'));
  expect(declarations).not.toContain('bodies');
});

test('a schema that only requests have keeps its name', async () => {
  const paths = { '/v1/orders': { post: { requestBody: json(reference('Rush')), responses: { 204: {} } } } };
  const { declarations } = await importOf(documentOf(paths, { Rush: objectOf({ status }) }));
  expect(declarations).toContain('export const Rush = z.object({');
});

test('a value that a release adds is read', async () => {
  const [api] = apisOf(await importOrders(reference('NewOrder')));
  const rows = [{ id: 1, self: 'https://shop.example/v1/orders/1', status: 'lost' }];
  const client = createClient({
    baseUrl: 'https://shop.example',
    auth: { jwt: customAuth(() => ({ authorization: 'Bearer abcdefgh' })), token: customAuth(() => ({})) },
    fetch: async () => Response.json(rows),
  });
  // What was imported has no types here.
  const { orders } = client.api(api as never) as unknown as {
    orders: { list(): Promise<{ items: unknown }> };
  };
  expect((await orders.list()).items).toEqual(rows);
});

test('a tag that looks like that of an export does not close the values of a document', async () => {
  const { get } = list(resourceOf({ kind: letters('a', 'b') }));
  const tagged = { ...get, tags: ['Users v2: admin', 'Shop v1: things'] };
  const { declarations, unfit } = await importOf(documentOf({ '/v1/things': { get: tagged } }));
  expect(declarations).toContain("things: collection('things',");
  expect(declarations).toContain("kind: z.optional(openEnum(['a', 'b']))");
  expect(unfit).toEqual([]);
});

test('a component without such a set is the same in a response and in a request', async () => {
  const Place = objectOf({ name: string, kind: letters('list') });
  const thing = resourceOf({ place: reference('Place') });
  const { get } = list(thing);
  const post = {
    requestBody: json(objectOf({ at: reference('Place') })),
    responses: { 201: response(thing) },
  };
  const { declarations } = await importOf(documentOf({ '/v1/things': { get, post } }, { Place }));
  expect(declarations).toContain('export const Place = ');
  expect(declarations).not.toContain('PlaceBody');
});
