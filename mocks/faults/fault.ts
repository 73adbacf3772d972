import {
  checkCountOrNone,
  checkFromZero,
  checkOf,
  checkPositive,
  createReader,
  type OptionChecks,
} from '../../src/options.ts';
import { checkInteger, checkMethod } from '../checks.ts';
import type { Route } from '../collections/routes.ts';
import type { HeaderFields } from '../message.ts';
import type { Apis, CollectionKey, RequestMethod } from '../row.ts';

/** Which requests meet a fault of {@link MockFaults}: by default all of them, except those to the token endpoint. */
export interface FaultScope<A extends Apis = Apis> {
  /** The key of the only collection that meets it. */
  readonly collection?: CollectionKey<A> | undefined;
  /** The only method that meets it. */
  readonly method?: RequestMethod | undefined;
  /** `true`: only the token endpoint meets it. */
  readonly token?: boolean | undefined;
}

/** A fault of {@link MockFaults.next}: another response, a change of the usual one, or a cut connection. */
export interface Fault<A extends Apis = Apis> extends FaultScope<A> {
  /** How many requests meet it; 1 by default, and no limit for {@link MockFaults.random}. */
  readonly times?: number | undefined;
  /** Real milliseconds before the response; `Infinity` for a request that waits until it is aborted. */
  readonly delayMs?: number | undefined;
  /** The status of the response. Without one (and without `body`) the usual response is sent. */
  readonly status?: number | undefined;
  /** Headers of the response, or added to the usual one. */
  readonly headers?: HeaderFields | undefined;
  /** Adds `Retry-After` in whole seconds. */
  readonly retryAfterS?: number | undefined;
  /** The body; by default an error body (§2.3) for a status from 400, and none below. */
  readonly body?: string | undefined;
  /** The content type of the body; `application/json` by default. */
  readonly contentType?: string | undefined;
  /** Ends the body too early, so that it is invalid JSON; the connection stays intact. */
  readonly badJson?: boolean | undefined;
  /** Sends JSON of another shape: an object instead of a list, a list instead of an object, or the result of a function. */
  readonly wrongShape?: boolean | ((body: unknown) => unknown) | undefined;
  /** Headers that are removed from the response, for example `link`. */
  readonly without?: readonly string[] | undefined;
  /**
   * Where the connection ends: before the mock does anything, after it has done the work, or in the middle of the body.
   * `fetch` rejects with a `TypeError`, a server destroys the socket. Without a response, the options of one do not apply.
   */
  readonly cut?: 'request' | 'response' | 'body' | undefined;
}

/** A fault that {@link MockFaults.random} spreads over requests by chance. */
export interface RandomFault<A extends Apis = Apis> extends Fault<A> {
  /** The share of the matching requests that meets it, from 0 to 1. */
  readonly rate: number;
  /** The same seed picks the same requests, whatever other faults there are; 1 by default. */
  readonly seed?: number | undefined;
}

/** A time in which the service is unavailable (§7.1), by the clock of the mock; see {@link MockFaults.outage}. */
export interface Outage<A extends Apis = Apis> extends FaultScope<A> {
  /** Its length in milliseconds. */
  readonly forMs: number;
  /** Whether the responses have `Retry-After` with the seconds until its end. `false` by default. */
  readonly retryAfter?: boolean | undefined;
}

/** Whether a fault is for a request. */
export const matches = (scope: FaultScope, route: Route, requestMethod: string): boolean => {
  const { token = false, collection, method } = scope;
  if (method !== undefined && method.toUpperCase() !== requestMethod) return false;
  if (token || route.kind === 'token') return token && route.kind === 'token';
  return collection === undefined || ('endpoint' in route && route.endpoint.key === collection);
};

const isStatus = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;

/** Readers of faults, for the collections of a mock. They refuse a fault that no request could meet. */
export const createFaultReaders = (keys: ReadonlySet<string>) => {
  const scope: OptionChecks<FaultScope> = {
    collection: checkOf((key) => keys.has(String(key)), `one of the collections ${[...keys].join(', ')}`),
    method: checkMethod,
    token: undefined,
  };
  const checks: OptionChecks<Fault> = {
    ...scope,
    status: checkOf(isStatus, 'an integer from 200 to 599'),
    times: checkCountOrNone,
    headers: undefined,
    retryAfterS: checkInteger,
    body: undefined,
    contentType: undefined,
    delayMs: checkFromZero,
    cut: checkOf((cut) => /^(request|response|body)$/.test(String(cut)), 'request, response or body'),
    badJson: undefined,
    wrongShape: undefined,
    without: undefined,
  };
  const isRate = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;
  const rate = checkOf(isRate, 'a number from 0 to 1');
  return {
    next: createReader<Fault>(checks),
    random: createReader<RandomFault>({ ...checks, rate, seed: undefined }),
    outage: createReader<Outage>({ ...scope, forMs: checkPositive, retryAfter: undefined }),
  };
};
