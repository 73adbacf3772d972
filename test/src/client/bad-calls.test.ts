import { InvalidRequestError, type ItemList } from 'restkin';
import { expect, test } from 'vitest';
import { connect, countingFetch, failureOf, orderBody } from '../../support/basic-ordering.ts';
import { Order } from '../../support/ordering.ts';

// What a JavaScript user, or a value read from somewhere, can do against the types.
type Anything = (...given: unknown[]) => PromiseLike<unknown>;
type Name = 'list' | 'get' | 'create' | 'replace' | 'update' | 'delete' | 'allowedMethods';
type Loose = Readonly<Record<Name, Anything>>;
interface LooseApi {
  readonly orders: Loose;
  readonly companies: Loose;
  readonly feed: Loose;
  readonly companyOrders: (parameters?: unknown) => Loose;
  readonly follow: Anything;
}

/** The call is refused, with a message, and nothing is sent. */
const refused = async (call: (api: LooseApi) => PromiseLike<unknown>): Promise<string> => {
  const { fetch, urls } = countingFetch();
  const { client, ...collections } = connect('https://api.test', { fetch });
  const api = { ...collections, follow: client.follow } as unknown as LooseApi;
  const { message } = await failureOf((async () => call(api))(), InvalidRequestError);
  expect(urls).toEqual([]);
  expect(message).not.toBe('');
  return message;
};

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

// JSON writes a promise as `{}`: a PATCH that changes nothing, and succeeds.
test.each([
  ['a cycle', cycle, 'the body is missing or cannot be written as JSON'],
  ['a bigint', { a: 1n }, 'the body is missing or cannot be written as JSON'],
  [
    'NaN, for which JSON writes null',
    { a: [Number.NaN] },
    'the body is missing or cannot be written as JSON',
  ],
  ['an infinite number', { a: -Infinity }, 'the body is missing or cannot be written as JSON'],
  [
    'a file',
    { a: [new File(['x'], 'x.txt')] },
    'the body is missing or cannot be written as JSON: remove cycles, bigints, NaN, files and maps; see endpoint()',
  ],
  [
    'a map',
    new Map([['a', 1]]),
    'the body is missing or cannot be written as JSON: remove cycles, bigints, NaN, files and maps; see endpoint()',
  ],
  ['bytes inside', { a: new Uint8Array(2) }, 'the body is missing or cannot be written as JSON'],
  ['a promise inside', { a: Promise.resolve(1) }, 'the body is missing or cannot be written as JSON'],
  ['nothing', undefined, 'the body is missing or cannot be written as JSON'],
  ['a promise', Promise.resolve(orderBody), 'the body is a promise; await it'],
])('%s is no body, and the message names the call', async (_name, body, message) => {
  expect(await refused(({ orders }) => orders.create(body))).toContain(`orders.create: ${message}`);
  expect(await refused(({ orders }) => orders.replace(7, body))).toContain(`orders.replace: ${message}`);
  expect(await refused(({ orders }) => orders.update(7, body))).toContain(`orders.update: ${message}`);
});

class Money {
  readonly amount = 5;
  readonly [Symbol.toStringTag] = 'Money';
}

class Decimal {
  readonly [Symbol.toStringTag] = 'Decimal';
  toJSON(): string {
    return '1.50';
  }
}

test.each<[string, object, string]>([
  ['an object of a named class', { a: new Money() }, '{"a":{"amount":5}}'],
  ['an object that writes itself', { a: new Decimal() }, '{"a":"1.50"}'],
  ['a function, which JSON leaves out', { a: 1, save: async () => undefined }, '{"a":1}'],
])('%s may be part of a body', async (_name, body, json) => {
  const bodies: unknown[] = [];
  const fetch = async (_url: string, init?: RequestInit) => {
    bodies.push(init?.body);
    return new Response(null, { status: 204 });
  };
  const { client } = connect('https://api.test', { fetch });
  await client.request({ method: 'POST', path: 'v1/orders', body });
  expect(bodies).toEqual([json]);
});

test.each([[undefined], [null], [3], ['3'], ['Acme'], [[3]]])(
  'path parameters that are %j are refused, and the message names them',
  async (parameters) => {
    expect(await refused(({ companyOrders }) => companyOrders(parameters).list())).toBe(
      '"companyOrders": companyId must be a string or an integer, not undefined',
    );
  },
);

test.each([
  [undefined, 'undefined'],
  [Number.NaN, 'NaN'],
  [1.5, '1.5'],
  [{ id: 7 }, 'a value of type object'],
])('the id %o is refused, and the message says what it is', async (id, what) => {
  const problem = `must be a string or an integer, not ${what}`;
  expect(await refused(({ orders }) => orders.get(id))).toBe(`"orders": id ${problem}`);
  expect(await refused(({ companyOrders }) => companyOrders({ companyId: id }).list())).toBe(
    `"companyOrders": companyId ${problem}`,
  );
});

test.each(['', '..', '\ud800'])('%j cannot be an id, or a parameter of a path', async (id) => {
  const problem = `must not be ${JSON.stringify(id)}: it would change the path`;
  for (const call of [
    ({ orders }: LooseApi) => orders.get(id),
    ({ orders }: LooseApi) => orders.update(id, {}),
    ({ orders }: LooseApi) => orders.delete(id),
  ])
    expect(await refused(call)).toBe(`"orders": id ${problem}`);
  expect(await refused(({ companyOrders }) => companyOrders({ companyId: id }).list())).toBe(
    `"companyOrders": companyId ${problem}`,
  );
});

test.each([undefined, 7, { outcome: 'done' }, '', { id: 7, self: '' }])(
  '%o in place of a link is refused',
  async (link) => {
    const expected = 'client.follow takes a URL, or a resource that has `self` (§2.1)';
    expect(await refused(({ follow }) => follow(Order, link))).toBe(expected);
  },
);

test('nothing in place of the declaration is refused', () => {
  const { client } = connect('https://api.test');
  const api = client.api as unknown as (declaration: unknown) => unknown;
  expect(() => api(undefined)).toThrow(InvalidRequestError);
});

test.each([
  [{ sinse: '2026-01-01' }, '"feed": `params` has no "sinse"; the collection() declares since, limit'],
  [new URLSearchParams('limit=5'), '"feed": `params` must be a plain object'],
  [null, '"feed": `params` must be a plain object'],
  [{ limit: 'five' }, 'limit'],
])('the params %o are refused: the list would be longer than asked for', async (params, message) => {
  expect(await refused(({ feed }) => feed.list({ params }))).toContain(message);
});

test.each([
  [{ timeoutMs: 0 }, 'timeoutMs must be a number above 0'],
  [{ timeoutMs: '5' }, 'timeoutMs must be a number above 0'],
  [{ deadlineMs: Number.NaN }, 'deadlineMs must be a number above 0'],
  [{ retry: { attempts: 1.5 } }, 'retry.attempts must be an integer from 1'],
  [{ retry: { baseDelayMs: -1 } }, 'retry.baseDelayMs must be a number from 0'],
  [{ retry: true }, 'retry takes its options as an object'],
  [{ modifiedSince: new Date(Number.NaN) }, 'modifiedSince must be a valid Date'],
  [{ modifiedSince: '2026-01-01' }, 'modifiedSince must be a valid Date'],
  [{ ifNoneMatch: '"a"\r\nx: y' }, 'ifNoneMatch must be a string of visible ASCII characters'],
])(
  'the options %o of a call are refused, and the message says what they must be',
  async (options, problem) => {
    expect(await refused(({ orders }) => orders.get(7, options))).toContain(`orders.get: ${problem}`);
  },
);

test.each([{ sort: ['status'] }, { nope: 1 }])('a call has no option %o', async (options) => {
  const [name] = Object.keys(options);
  expect(await refused(({ orders }) => orders.get(7, options))).toContain(
    `orders.get has no option "${name}"; its options are signal, timeoutMs`,
  );
});

test.each([{ 'x-key': 's3cret\r\nx: y' }, { Authorization: 's3cret' }])(
  'the header fields %o are refused, and the message does not hold the value',
  async (headers) => {
    expect(await refused(({ orders }) => orders.get(7, { headers }))).not.toContain('s3cret');
    expect(await refused(({ orders }) => orders.create(orderBody, { headers }))).not.toContain('s3cret');
    expect(await refused(({ orders }) => orders.list({ headers }))).not.toContain('s3cret');
  },
);

test.each<[object, string]>([
  [{ sort: 'status' }, 'sort'],
  [{ sort: [null] }, 'sort'],
  [{ fields: null }, 'fields'],
  [{ expand: 'company' }, 'expand'],
  [{ perPage: '10' }, 'perPage'],
  [{ page: Number.NaN }, 'page'],
  [{ limit: -1 }, 'limit'],
  [{ maxPages: -1 }, 'maxPages'],
  [{ perpage: 5 }, '"perpage"; its options are'],
  [{ region: 'x' }, 'belong in params'],
  [{ sort: ['-stauts'] }, 'the unknown field "-stauts"; did you mean "-status"?'],
])('§4.4 the query %o of a list is refused', async (query, named) => {
  expect(await refused(({ orders }) => orders.list(query))).toContain(named);
});

/** A method of a list that reads; the others of a promise follow from `then`. */
type WayToRead = Exclude<keyof ItemList<unknown>, 'catch' | 'finally' | typeof Symbol.toStringTag>;

// A new method does not compile until it is here.
const waysToRead: Readonly<Record<WayToRead, (list: ItemList<unknown>) => PromiseLike<unknown>>> = {
  // biome-ignore lint/suspicious/noThenProperty: it is the name of that way
  then: (list) => list,
  pages: (list) => list.pages().next(),
  toArray: (list) => list.toArray(),
  first: (list) => list.first(),
  withResponse: (list) => list.withResponse(),
  [Symbol.asyncIterator]: (list) => list[Symbol.asyncIterator]().next(),
};

test.each(Reflect.ownKeys(waysToRead).map((name) => [String(name), waysToRead[name as WayToRead]] as const))(
  'every way to read a list says so: %s',
  async (_way, read) => {
    expect(await refused(({ orders }) => read(orders.list({ perPage: 0 }) as ItemList<unknown>))).toContain(
      'perPage',
    );
  },
);
