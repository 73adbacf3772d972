import { basicAuth, type ClientOptions, createClient, defineApi, type Fetch, isRestkinError } from 'restkin';
import { expect } from 'vitest';
import { ordering } from './ordering.ts';

/** The API of most tests, with Basic: one request on the wire per call. */
export const basicOrdering = defineApi({ ...ordering, auth: 'basic' });

export const login = { username: 'ada', password: 'p4ssw0rd-of-ada' } as const;

/** A client for `basicOrdering` that makes one attempt. */
export const connect = (baseUrl: string, options: Partial<ClientOptions> = {}) => {
  const client = createClient({ baseUrl, auth: basicAuth(login), retry: false, ...options });
  return { client, ...client.api(basicOrdering) };
};

/** A `fetch` that counts its calls and responds to each with an empty list. */
export const countingFetch = () => {
  const urls: string[] = [];
  const fetch: Fetch = async (input) => {
    urls.push(input);
    return Response.json([]);
  };
  return { fetch, urls };
};

type Constructor<E> = abstract new (...args: never[]) => E;

/** What a call failed with: it must be of this class, and an error of restkin. */
export const failureOf = async <E extends Error>(
  call: PromiseLike<unknown>,
  type: Constructor<E>,
): Promise<E> => {
  const error: unknown = await call.then(
    () => expect.fail('the call succeeded'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(type);
  expect(isRestkinError(error)).toBe(true);
  return error as E;
};

export const company = (id: number, origin = 'http://api.test') => ({
  id,
  self: `${origin}/v1/companies/${id}`,
  name: `Company ${id}`,
  city: 'Utrecht',
});

export const order = (id: number, origin = 'http://api.test') => ({
  id,
  self: `${origin}/v1/orders/${id}`,
  status: 'open',
  createdAt: '2026-01-02T03:04:05Z',
  device: { model: 'M1', serial: 'S-1' },
  lines: [{ id: 1, sku: 'SKU-1', quantity: 2 }],
  company: { id: 3, self: `${origin}/v1/companies/3` },
});

/** A body for POST and PUT. */
export const orderBody = {
  status: 'open',
  createdAt: '2026-01-02T03:04:05Z',
  device: { model: 'M1', serial: 'S-1' },
  lines: [{ sku: 'SKU-1', quantity: 2 }],
  company: { id: 3 },
} as const;
