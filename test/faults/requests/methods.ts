import {
  type CallOptions,
  type ClientOptions,
  createClient,
  type Method,
  type RetryPolicy,
  tokenAuth,
} from 'restkin';
import { login, order, orderBody } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { json, type Reply } from '../../support/recording-server.ts';

/** A client with a token, and its orders. */
export const ordersOf = (baseUrl: string, authUrl: string, options: Partial<ClientOptions> = {}) => {
  const auth = tokenAuth({ authUrl, ...login });
  return createClient({ baseUrl, auth, ...options }).api(ordering).orders;
};

type Orders = ReturnType<typeof ordersOf>;

/** The one call of each method. */
export const callOf: Readonly<
  Record<Method, (orders: Orders, options?: CallOptions) => PromiseLike<unknown>>
> = {
  GET: (orders, options = {}) => orders.get(7, options),
  OPTIONS: (orders, options) => orders.allowedMethods(undefined, options),
  PUT: (orders, options) => orders.replace(7, orderBody, options),
  DELETE: (orders, options) => orders.delete(7, options),
  POST: (orders, options) => orders.create(orderBody, options),
  PATCH: (orders, options) => orders.update(7, { status: 'open' }, options),
};

/** What each method gets when all is well (§4.2). */
export const fine: Readonly<Record<Method, Reply>> = {
  GET: json(order(7)),
  OPTIONS: { status: 200, headers: { accept: 'GET, POST, OPTIONS' } },
  PUT: { status: 204 },
  DELETE: { status: 204 },
  POST: json(order(7), 201, { location: '/v1/orders/7' }),
  PATCH: { status: 204 },
};

/** Answers that the declaration or §4.2 does not allow. */
export const mismatch: Readonly<Record<Method, Reply>> = {
  GET: json({ id: 'seven' }),
  OPTIONS: { status: 200 },
  PUT: { status: 201 },
  DELETE: { status: 201 },
  POST: json({ id: 'seven' }, 201),
  PATCH: { status: 201 },
};

export const methods = ['GET', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH'] as const satisfies Method[];

/** The columns of DESIGN §4. */
export const columnOf = (method: Method): 0 | 1 | 2 =>
  method === 'GET' || method === 'OPTIONS' ? 0 : method === 'PUT' || method === 'DELETE' ? 1 : 2;

/** Policies that do not wait. */
export const policies = {
  default: { baseDelayMs: 1 },
  idempotentWrites: { baseDelayMs: 1, idempotentWrites: true },
  writesAfterUnavailable: { baseDelayMs: 1, writesAfterUnavailable: true },
  none: false,
} as const satisfies Record<string, false | RetryPolicy>;

export type PolicyName = keyof typeof policies;
