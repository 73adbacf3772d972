import { type ApiDeclaration, collection, defineApi, resource } from 'restkin';
import { createMock, type Mock, type MockOptions } from 'restkin/mocks';
import type { $ZodType } from 'zod/v4/core';
import { toAnswer } from '../support/conformance-send.ts';
import { Order, ordering } from '../support/ordering.ts';

const { orders: declared } = ordering.collections;

/** The ordering API, with orders that may be created later. */
const ordersLater = defineApi({
  ...ordering,
  collections: {
    ...ordering.collections,
    orders: collection('orders', Order, { ...declared.options, accepts: ['create'] }),
  },
});

/** An API with these collections, which needs no credentials. */
export const declare = <const C extends ApiDeclaration['collections']>(collections: C, version = 1) =>
  defineApi({ name: 'some', version, auth: 'open', collections });

/** The values of one field in the generated rows of a collection. */
export const generateField = (field: $ZodType, count = 40): readonly unknown[] => {
  const api = declare({ things: collection('things', resource({ field })) });
  const { state } = createMock(api, { generate: count });
  return state.rows('things').map((row) => row.field);
};

export const origin = 'https://api.example.com';

export const companies = [
  { name: 'Zeta', city: 'Oslo' },
  { name: 'Alfa', city: 'Bergen' },
  { name: 'Mira', city: 'Oslo' },
];

const statuses = ['open', 'shipped', 'cancelled'] as const;

/** The order at a place in a list; the first has the id 1. */
export const order = (index: number, changes: Readonly<Record<string, unknown>> = {}) => ({
  status: statuses[index % statuses.length],
  createdAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  device: { model: `M${index % 4}`, serial: `S${index}` },
  lines: [{ sku: `sku-${index}`, quantity: index + 1 }],
  company: { id: (index % companies.length) + 1 },
  ...changes,
});

/** A mock of the ordering API with 3 companies and as many orders as asked for. */
export const createOrdering = (
  options: Omit<MockOptions<typeof ordersLater>, 'data'> = {},
  orders = 7,
  feed: readonly Readonly<Record<string, unknown>>[] = companies,
): Mock =>
  createMock(ordersLater, {
    ...options,
    data: { companies, feed, orders: Array.from({ length: orders }, (_, index) => order(index)) },
  });

export interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; what a test expects of it is the test. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  readonly json: any;
}

export const requestTokens = async (
  mock: Mock,
  form: Readonly<Record<string, string>> = { grant_type: 'password', username: 'ann', password: 'secret' },
): Promise<Answer> =>
  toAnswer(
    await mock.respond(
      new Request(`${origin}/auth/token`, { method: 'POST', body: new URLSearchParams(form) }),
    ),
  );

/** Sends a request as it is. */
export const send = async (
  mock: Mock,
  path: string,
  { method = 'GET', body, headers }: CallOptions = {},
): Promise<Answer> =>
  toAnswer(
    await mock.respond(
      new Request(`${origin}${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    ),
  );

export type Send = (path: string, options?: CallOptions) => Promise<Answer>;

/** Sends requests as a user with a valid access token. */
export const signedIn = async (mock: Mock): Promise<Send> => {
  const { json } = await requestTokens(mock);
  return (path, options = {}) =>
    send(mock, path, {
      ...options,
      headers: { authorization: `Bearer ${json.access_token}`, ...options.headers },
    });
};
