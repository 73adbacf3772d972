import { InvalidRequestError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, countingFetch, failureOf, orderBody } from '../../support/basic-ordering.ts';

// What a JavaScript user, or a value read from somewhere, can do against the types.
type Anything = (...given: unknown[]) => PromiseLike<unknown>;
type Name = 'list' | 'get' | 'create' | 'replace' | 'update' | 'delete' | 'allowedMethods';
type Loose = Readonly<Record<Name, Anything>>;
interface LooseApi {
  readonly orders: Loose;
  readonly companies: Loose;
  readonly feed: Loose;
  readonly companyOrders: (parameters?: unknown) => Loose;
}

const open = () => {
  const { fetch, urls } = countingFetch();
  const { client, ...api } = connect('https://api.test', { fetch });
  return { api: api as unknown as LooseApi, client, urls };
};

/** The call is refused, with a message, and nothing is sent. */
const refused = async (call: (api: LooseApi) => PromiseLike<unknown>): Promise<string> => {
  const { api, urls } = open();
  const error = await failureOf((async () => call(api))(), InvalidRequestError);
  expect(urls).toEqual([]);
  expect(error.message).not.toBe('');
  return error.message;
};

describe('the body', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const hostile = {
    toJSON: () => {
      throw new TypeError('no');
    },
  };
  test.each([
    ['a cycle', cycle],
    ['a bigint', { a: 1n }],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a toJSON that throws', hostile],
  ])(
    // prettier-ignore
    '%s is not JSON',
    async (_name, body) => {
      expect(await refused(({ orders }) => orders.create(body))).not.toBe('');
      expect(await refused(({ orders }) => orders.replace(7, body))).not.toBe('');
      expect(await refused(({ orders }) => orders.update(7, body))).not.toBe('');
    },
  );
});

describe('an argument of another kind', () => {
  test('a declaration that is undefined, as where modules import each other, is named', () => {
    const { client } = open();
    const api = client.api as unknown as (declaration: unknown) => unknown;
    expect(() => api(undefined)).toThrow(
      new InvalidRequestError('client.api needs the declaration that defineApi returned'),
    );
  });

  test('a link in the place of the resource is refused, and nothing is sent', async () => {
    const { client, urls } = open();
    const follow = client.follow as unknown as Anything;
    const call = async () => follow('https://api.test/v1/orders/7');
    const { message } = await failureOf(call(), InvalidRequestError);
    expect(message).toBe('client.follow takes the resource() first, and the link second');
    expect(urls).toEqual([]);
  });

  test.each([0, 3, true, null, 'no'])('%j as the retry policy is refused', async (retry) => {
    const message = await refused(({ orders }) => orders.get(7, { retry }));
    expect(message).toBe('retry must be false or an object such as { attempts: 2 }');
  });
});

describe('options of a call', () => {
  test.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: -1 },
    { timeoutMs: '5' },
    { deadlineMs: 0 },
    { deadlineMs: Number.NaN },
    { retry: { attempts: 0 } },
    { retry: { attempts: 1.5 } },
    { retry: { baseDelayMs: -1 } },
    { retry: { maxRetryAfterMs: Number.NaN } },
    { modifiedSince: new Date(Number.NaN) },
    { modifiedSince: '2026-01-01' },
    { ifNoneMatch: '"a"\r\nx: y' },
    { ifNoneMatch: '"é"' },
  ])('%o', async (options) => {
    expect(await refused(({ orders }) => orders.get(7, options))).not.toBe('');
  });

  test.each([
    { 'x-key': 's3cret\r\nx: y' },
    { 'x-key': 's3cret-é' },
    { 'x-key': 's3cret\0' },
    { 'x key': 's3cret' },
    { authorization: 'Bearer s3cret' },
    { Authorization: 's3cret' },
  ])('header fields %o; the message does not hold the value', async (headers) => {
    for (const call of [
      ({ orders }: LooseApi) => orders.get(7, { headers }),
      ({ orders }: LooseApi) => orders.create(orderBody, { headers }),
      ({ orders }: LooseApi) => orders.list({ headers }),
    ]) {
      expect(await refused(call)).not.toContain('s3cret');
    }
  });
});
