// The faults that a test asks for, and the requests that meet them.
import { operationMethods, operations } from '../../src/conventions.ts';
import {
  checkBoolean,
  checkCountOrNone,
  checkFromZero,
  checkOf,
  createReader,
  isObject,
  isPlain,
  toInvalidOption,
} from '../../src/options.ts';
import { below } from '../../src/schema/codec.ts';
import { checkMethod } from '../checks.ts';
import type { Route } from '../collections/routes.ts';
import type { FaultEndpoint } from '../handlers.ts';
import type { HeaderFields } from '../message.ts';
import type { Apis, CollectionKey, RequestMethod } from '../row.ts';
import { toJson } from '../rows/json.ts';

/**
 * A fault of {@link MockFaults.next}: another response, a change of the usual one, or a cut connection. By
 * default, it applies to any request except those to the token endpoint.
 */
export interface Fault<A extends Apis = Apis> {
  /** The key of the only collection that it applies to. */
  readonly collection?: CollectionKey<A> | undefined;
  /**
   * The name of the only declared endpoint that it applies to, of an action, such as `orders.cancel`, or of an
   * operation of a collection, such as `orders.get`.
   */
  readonly endpoint?: FaultEndpoint<A> | undefined;
  /** The only method that it applies to. */
  readonly method?: RequestMethod | undefined;
  /** `true`: it applies to the token endpoint only. */
  readonly token?: boolean | undefined;
  /**
   * How many requests it applies to; 1 by default. `Infinity`: all until {@link MockFaults.clear}, and no
   * later fault applies.
   */
  readonly times?: number | undefined;
  /** Real milliseconds before the response; `Infinity` for a request that waits until it is aborted. */
  readonly delayMs?: number | undefined;
  /** The status of the response. Without one (and without `body`) the usual response is sent. */
  readonly status?: number | undefined;
  /** Headers of the response, or added to the usual one. */
  readonly headers?: HeaderFields | undefined;
  /**
   * The body: an object or an array, which is sent as JSON, or a string, which is sent unchanged, with the
   * content type of JSON unless `headers` has another one. By default an error body (§2.3) for a status from
   * 400, and none below.
   */
  readonly body?: string | object | undefined;
  /** Headers that are removed from the response, for example `link`. */
  readonly without?: readonly string[] | undefined;
  /**
   * Where the connection ends: before the mock does anything, after it has done the work, or in the middle of
   * the body. `fetch` rejects with a `TypeError`, a server destroys the socket. Without a response, the
   * options of one do not apply.
   */
  readonly cut?: 'request' | 'response' | 'body' | undefined;
}

/** Makes requests fail. */
export interface MockFaults<A extends Apis = Apis> {
  /**
   * Applies a fault to the next matching requests. Faults apply in the order of the calls, to requests in
   * order of arrival.
   *
   * @throws `InvalidRequestError` for an invalid fault, for an unknown collection, endpoint or method, and for a
   * body with a value that JSON does not have
   * @example
   * ```ts
   * mock.faults.next({ status: 503, times: 2, headers: { 'retry-after': '1' } });
   * mock.faults.next({ collection: 'orders', method: 'POST', cut: 'response' });
   * ```
   */
  next(fault: Fault<A>): void;
  /** Removes every fault. */
  clear(): void;
  /** The faults that still apply to a request, each with the `times` that are left. */
  readonly waiting: readonly Fault[];
}

const isStatus = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;

const canMakeHeaders = (fields: Readonly<Record<string, unknown>>): boolean => {
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(fields)) headers.set(name, String(value));
    return true;
  } catch {
    return false;
  }
};

const isHeaderFields = (given: unknown): boolean => isPlain(given) && canMakeHeaders(given);

const isHeaderNames = (given: unknown): boolean =>
  Array.isArray(given) && given.every((name) => canMakeHeaders({ [String(name)]: '' }));

/** Statuses whose responses have no body (Fetch, "null body status"). */
const bodiless: readonly number[] = [204, 205, 304];

/** The operations that are called without an id in the path. */
const ofCollections: readonly string[] = ['list', 'create'];

/** Whether a request is one to the endpoint or the operation with this name. */
const isTo = (name: string, route: Route, sent: string): boolean => {
  // There may be other endpoints at its path.
  if (route.kind === 'endpoint')
    return route.endpoint.key === name && route.endpoint.declared.method === sent;
  if (route.kind !== 'collection') return false;
  const hasId = route.id !== undefined;
  const operation = operations.find(
    (each) => operationMethods[each] === sent && ofCollections.includes(each) !== hasId,
  );
  return name === `${route.collection.key}.${operation}`;
};

const matches = (fault: Fault, route: Route, sent: string): boolean => {
  const { token = false, collection, endpoint, method } = fault;
  if (method !== undefined && method !== sent) return false;
  if (token || route.kind === 'token') return token && route.kind === 'token';
  if (endpoint !== undefined && !isTo(endpoint, route, sent)) return false;
  return collection === undefined || ('collection' in route && route.collection?.key === collection);
};

/** The body as it is sent. */
const writeBody = (body: string | object): string =>
  typeof body === 'string'
    ? body
    : JSON.stringify(
        toJson(body, (path, problem) => {
          throw toInvalidOption(`mock.faults.next: ${below('body', path)}: ${problem}`);
        }),
      );

/** A fault with the body as it is sent. */
export type WrittenFault = Omit<Fault, 'body'> & { readonly body?: string | undefined };

/** The faults that a test has asked for and no request has met. */
export interface WaitingFaults extends MockFaults {
  /** Removes and returns the fault that applies to a request; undefined for none. */
  take(route: Route, method: string): WrittenFault | undefined;
}

/**
 * @param keys - the collections of the mock
 * @param endpoints - the names of its declared endpoints, and of the operations of its collections
 */
export const createFaults = (keys: ReadonlySet<string>, endpoints: ReadonlySet<string>): WaitingFaults => {
  const oneOfEndpoints =
    endpoints.size === 0
      ? 'left out, because none is declared'
      : `one of the endpoints ${[...endpoints].join(', ')}`;
  const read = createReader<Fault>({
    collection: checkOf((key) => keys.has(String(key)), `one of the collections ${[...keys].join(', ')}`),
    endpoint: checkOf((name) => endpoints.has(String(name)), oneOfEndpoints),
    method: checkMethod,
    token: checkBoolean,
    times: checkCountOrNone,
    delayMs: checkFromZero,
    status: checkOf(isStatus, 'an integer from 200 to 599'),
    headers: checkOf(isHeaderFields, 'an object of header fields, with valid names and values'),
    body: checkOf(
      (body) => typeof body === 'string' || isObject(body) || Array.isArray(body),
      'a string, an object or an array',
    ),
    without: checkOf(isHeaderNames, 'an array of header names'),
    cut: checkOf((cut) => /^(request|response|body)$/.test(String(cut)), 'request, response or body'),
  });
  let waiting: readonly WrittenFault[] = [];
  return {
    next: (given) => {
      const fault = read(given, 'mock.faults.next');
      const isBodiless = bodiless.includes(fault.status ?? 200);
      const checkNone = checkOf(() => !isBodiless, `left out, because a ${fault.status} has none`);
      checkNone('mock.faults.next: body', fault.body);
      const body = fault.body === undefined ? undefined : writeBody(fault.body);
      waiting = [...waiting, { ...fault, body, times: fault.times ?? 1 }];
    },
    clear: () => {
      waiting = [];
    },
    get waiting() {
      return waiting;
    },
    take: (route, method) => {
      const first = waiting.find((fault) => matches(fault, route, method));
      const { times = 1 } = first ?? {};
      const left = times > 1 ? [{ ...first, times: times - 1 }] : [];
      waiting = waiting.flatMap((fault) => (fault === first ? left : [fault]));
      return first;
    },
  };
};
