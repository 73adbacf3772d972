import { collection, defineApi, endpoint, InvalidRequestError, resource } from 'restkin';
import { createMock, type MockOptions } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { declare, origin, send } from './calls.ts';

// Rows and values of a test that JSON would change, drop or refuse without saying where.

const Thing = resource({
  name: z.string().optional(),
  count: z.nullable(z.number()).optional(),
  at: z.iso.datetime().optional(),
  day: z
    .codec(z.iso.date(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
    .optional(),
  price: z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String }).optional(),
  tags: z.array(z.string()).optional(),
  any: z.unknown().optional(),
});
const things = declare({ things: collection('things', Thing) });

const circular = (): Readonly<Record<string, unknown>> => {
  const row: Record<string, unknown> = { name: 'a' };
  row.any = { of: [row] };
  return row;
};

const wire = 'write it in the form that goes over the wire';

const rows: readonly (readonly [what: string, row: unknown, problem: string])[] = [
  ['a decoded BigInt', { price: 5n }, `price: JSON has no BigInt; ${wire}`],
  ['a BigInt inside', { any: { of: [1, 5n] } }, `any.of.1: JSON has no BigInt; ${wire}`],
  [
    'a decoded Date',
    { day: new Date(0) },
    'day: Invalid ISO date; write the string that goes over the wire in place of the Date',
  ],
  ['an invalid Date', { any: new Date('x') }, `any: JSON has no invalid Date; ${wire}`],
  ['a Map', { any: new Map([['a', 1]]) }, `any: JSON has no Map; ${wire}`],
  ['a Set', { tags: new Set(['a']) }, `tags: JSON has no Set; ${wire}`],
  ['bytes', { any: new Uint8Array(3) }, `any: JSON has no Uint8Array; ${wire}`],
  ['undefined in a list', { tags: [undefined] }, `tags.0: JSON has no undefined; ${wire}`],
  ['a function', { name: () => 'a' }, `name: JSON has no function; ${wire}`],
  ['a symbol', { any: Symbol('a') }, `any: JSON has no symbol; ${wire}`],
  ['NaN', { count: Number.NaN }, `count: JSON has no NaN; ${wire}`],
  ['Infinity', { any: [Number.NEGATIVE_INFINITY] }, `any.0: JSON has no -Infinity; ${wire}`],
  ['a row that contains itself', circular(), 'any.of.0: it contains itself, which JSON does not have'],
  ['a promise', Promise.resolve({}), `JSON has no Promise; ${wire}`],
  ['a string', 'a', 'a row must be an object'],
];

// What the types refuse, too.
const asOptions = (options: unknown) => options as MockOptions<typeof things>;

describe.each(rows)('%s', (_what, row, problem) => {
  test('in data is an error with collection, index and field', () => {
    const create = () => createMock(things, asOptions({ data: { things: [{ name: 'first' }, row] } }));
    expect(create).toThrow(
      new InvalidRequestError(`createMock: data.things[1] does not fit the collection "things": ${problem}`),
    );
  });

  test('in setRows, too, and the rows stay', () => {
    const { state } = createMock(things, { data: { things: [{ name: 'first' }] } });
    expect(() => state.setRows('things', [row as never])).toThrow(
      new InvalidRequestError(
        `mock.state.setRows: things[0] does not fit the collection "things": ${problem}`,
      ),
    );
    expect(state.rows('things')).toEqual([{ id: 1, name: 'first' }]);
  });
});

test.each(rows.filter(([what]) => what !== 'a decoded Date'))(
  '%s that generate.row returns is an error with collection, index and field',
  (_what, row, problem) => {
    const create = () =>
      createMock(things, asOptions({ generate: { things: { count: 2, row: () => row } } }));
    expect(create).toThrow(new InvalidRequestError(`createMock: generate.things.row(0): ${problem}`));
  },
);

test('a field of generate.row that does not fit is named as that', () => {
  const create = () =>
    createMock(things, asOptions({ generate: { things: { count: 2, row: () => ({ tags: ['a', 1] }) } } }));
  expect(create).toThrow(
    'generate.things.row gives an invalid "tags.1": Invalid input: expected string, received number',
  );
});

test('what JSON has in another form is stored in that form', () => {
  const price = { toJSON: () => '9.00' };
  const row = { name: undefined, at: new Date(0), any: { price, url: new URL('https://example.com/') } };
  const { state } = createMock(things, asOptions({ data: { things: [row] } }));
  const any = { price: '9.00', url: 'https://example.com/' };
  expect(state.rows('things')).toEqual([{ id: 1, at: '1970-01-01T00:00:00.000Z', any }]);
});

test('a Map in place of the data is refused', () => {
  expect(() => createMock(things, asOptions({ data: new Map() }))).toThrow(
    'createMock: data must be an object',
  );
});

test.each(rows.slice(0, 2))(
  '%s that a handler returns is a 500 that names the handler',
  async (_what, row, problem) => {
    const api = defineApi({
      name: 'x',
      version: 1,
      auth: 'open',
      collections: {},
      endpoints: { info: endpoint('GET', 'info', { response: z.unknown() }) },
    });
    const mock = createMock(api, { endpoints: { info: () => row } });
    const response = await mock.fetch(`${origin}/v1/info`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      message: `The mock failed: the handler of info returned what cannot be sent: ${problem}`,
    });
  },
);

describe('a codec that throws', () => {
  const decode = (): never => {
    throw new TypeError('a secret');
  };
  const code = z.codec(z.string(), z.int(), { decode, encode: String });
  const Coded = resource({ name: z.string(), inner: z.object({ codes: z.array(code) }).optional() });
  const api = declare({
    coded: collection('coded', Coded, { params: z.object({ since: code.optional() }) }),
  });
  const problem = 'a function of the schema threw TypeError';

  test('for a row is an error with collection, index and field', () => {
    const row = { name: 'a', inner: { codes: ['x'] } };
    expect(() => createMock(api, { data: { coded: [row] } })).toThrow(
      new InvalidRequestError(
        `createMock: data.coded[0] does not fit the collection "coded": inner.codes.0: ${problem}`,
      ),
    );
  });

  test('for a body or a parameter is a 400 that names the field', async () => {
    const mock = createMock(api);
    const body = { name: 'a', inner: { codes: ['x'] } };
    const made = await send(mock, '/v1/coded', { method: 'POST', body });
    expect(made.status).toBe(400);
    expect(made.json.errors).toEqual([{ field: 'inner.codes.0', code: 'invalid', message: problem }]);
    const listed = await send(mock, '/v1/coded?since=x');
    expect(listed.status).toBe(400);
    expect(listed.json.errors).toEqual([{ field: 'since', code: 'invalid', message: problem }]);
  });
});

test('an asynchronous function of a schema is an error that says so', () => {
  const name = z.string().refine(async () => true);
  const api = declare({ named: collection('named', resource({ name })) });
  expect(() => createMock(api, { data: { named: [{ name: 'a' }] } })).toThrow(
    'data.named[0] does not fit the collection "named": name: a function of the schema is asynchronous; make it',
  );
  expect(() => createMock(api, { generate: 1 })).toThrow('the field "name" of the collection "named": ');
});
