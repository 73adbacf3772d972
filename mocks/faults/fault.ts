import * as z from 'zod/mini';
import { util } from 'zod/v4/core';
import { optional, type ShapeOf, value } from '../check.ts';
import type { Route } from '../resources/routes.ts';
import type { HeaderFields } from '../responses/message.ts';
import type { Apis, CollectionKey, RequestMethod } from '../row.ts';

/**
 * Which requests meet a fault of {@link MockFaults}. By default every request meets it, except those to the token
 * endpoint.
 */
export interface FaultScope<A extends Apis = Apis> {
  /** The key of the only collection that meets it. */
  readonly collection?: CollectionKey<A> | undefined;
  /** The only method that meets it. */
  readonly method?: RequestMethod | undefined;
  /** `true`: only the token endpoint meets it. */
  readonly token?: boolean | undefined;
}

/** What {@link MockFaults.next} makes matching requests meet: another response, or the usual one changed. */
export interface Fault<A extends Apis = Apis> extends FaultScope<A> {
  /** The status of the response. Without one (and without `body`) the usual response is sent. */
  readonly status?: number | undefined;
  /** How many requests meet it; 1 by default. */
  readonly times?: number | undefined;
  /** Headers of the response, or added to the usual one. */
  readonly headers?: HeaderFields | undefined;
  /** Adds `Retry-After` in whole seconds. */
  readonly retryAfterS?: number | undefined;
  /** The body; by default an error body (§2.3) for a status from 400, and none below. */
  readonly body?: string | undefined;
  /** Of the body; `application/json` by default. */
  readonly contentType?: string | undefined;
  /** Real milliseconds before the response; `Infinity` for a request that waits until it is aborted. */
  readonly delayMs?: number | undefined;
  /**
   * The connection ends: `request` before anything is done, `response` when the work is done and nothing of the response
   * was sent, `body` in the middle of it. `fetch` rejects with a `TypeError`, a server destroys the socket.
   */
  readonly cut?: 'request' | 'response' | 'body' | undefined;
  /** Ends the body too early, so that it is invalid JSON; the connection stays intact. */
  readonly badJson?: boolean | undefined;
  /** Sends JSON of another shape: an object instead of a list and the reverse, or what a function makes of it. */
  readonly wrongShape?: boolean | ((body: unknown) => unknown) | undefined;
  /** Headers that the response lacks, for example `link`. */
  readonly without?: readonly string[] | undefined;
}

/** A fault that {@link MockFaults.random} spreads over requests by chance. */
export interface RandomFault<A extends Apis = Apis> extends Fault<A> {
  /** From 0 to 1: the part of the matching requests that meets it. */
  readonly rate: number;
  /** The same seed picks the same requests; 1 by default. */
  readonly seed?: number | undefined;
  /** How many requests meet it; no limit by default. */
  readonly times?: number | undefined;
}

/** A time in which the service is unavailable (§7.1), by the clock of the mock; see {@link MockFaults.outage}. */
export interface Outage<A extends Apis = Apis> extends FaultScope<A> {
  /** Its length in milliseconds; instead of `until`. */
  readonly forMs?: number | undefined;
  /** Its end, after the time of the mock's clock. */
  readonly until?: Date | undefined;
  /** Whether the responses have `Retry-After` with the seconds until its end. `false` by default. */
  readonly retryAfter?: boolean | undefined;
}

/** Whether a request meets a fault. */
export const isMet = (scope: FaultScope, route: Route, requestMethod: string): boolean => {
  const { token = false, collection, method } = scope;
  if (method !== undefined && method.toUpperCase() !== requestMethod) return false;
  if (token || route.kind === 'token') return token && route.kind === 'token';
  return collection === undefined || ('endpoint' in route && route.endpoint.key === collection);
};

const isHeaders = (headers: unknown): boolean => {
  try {
    new Headers(headers as Record<string, string>);
    // A Headers or a Map has its fields elsewhere than in its properties.
    return util.isPlainObject(headers);
  } catch {
    return false;
  }
};

const isStatus = (status: unknown): boolean => Number.isInteger(status) && inRange(status, 200, 599);

const inRange = (number: unknown, from: number, to: number): boolean =>
  typeof number === 'number' && number >= from && number <= to;

const scopeShape = (keys: ReadonlySet<string>): ShapeOf<FaultScope> => ({
  collection: value.collection(keys),
  method: value.method,
  token: value.boolean,
});

const faultShape = (keys: ReadonlySet<string>): ShapeOf<Fault> => ({
  ...scopeShape(keys),
  status: value.other('range', 'an integer from 200 to 599', isStatus),
  times: value.count(1),
  headers: value.other('type', 'an object of valid header fields', isHeaders),
  // RFC 9110 §10.2.3: an integer, which the header field can hold.
  retryAfterS: value.integer(0, ' of seconds'),
  body: value.string,
  contentType: value.string,
  delayMs: value.atLeast(0),
  cut: value.oneOf('request', 'response', 'body'),
  badJson: value.boolean,
  wrongShape: z.union([value.boolean, value.function], { error: 'must be true, false or a function' }),
  without: z.array(value.string, { error: 'must be an array of header names' }),
});

/** What a client can notice; `contentType` without a body changes nothing. */
const effects: readonly (keyof Fault)[] = [
  'status',
  'headers',
  'retryAfterS',
  'body',
  'delayMs',
  'cut',
  'badJson',
  'wrongShape',
  'without',
];

const oneScope = z.refine<FaultScope>(({ token, collection }) => token !== true || collection === undefined, {
  path: ['token'],
  error: 'must not be combined with `collection`: no request goes to both',
});

const hasEffect = (fault: Fault): boolean =>
  effects.some((name) => fault[name] !== undefined && fault[name] !== false);

const effectMessage = `must change the response: set one of ${effects.join(', ')}`;

const rateMessage = 'a number from 0 to 1';

const hasEnd = ({ forMs, until }: Outage): boolean => (forMs === undefined) !== (until === undefined);

/** The schemas of faults in a mock with these collections: a fault that no request can meet, or that changes nothing, fits none. */
export const createFaultChecks = (keys: ReadonlySet<string>) => ({
  next: optional<Fault>(faultShape(keys)).check(
    oneScope,
    // With `times` alone it lets requests pass before the next fault.
    z.refine<Fault>((fault) => fault.times !== undefined || hasEffect(fault), { error: effectMessage }),
  ),
  random: optional<RandomFault>({
    ...faultShape(keys),
    seed: value.number,
    rate: value.other('range', rateMessage, (rate) => inRange(rate, 0, 1)),
  }).check(
    oneScope,
    z.refine<RandomFault>(({ rate }) => rate !== undefined, {
      path: ['rate'],
      error: `must be ${rateMessage}`,
    }),
    z.refine<RandomFault>(hasEffect, { error: effectMessage }),
  ),
  outage: optional<Outage>({
    ...scopeShape(keys),
    forMs: value.positive,
    until: value.date,
    retryAfter: value.boolean,
  }).check(
    oneScope,
    z.refine<Outage>(hasEnd, { error: 'must have an end: either `forMs` or `until`' }),
    z.refine<Outage>(({ forMs, retryAfter }) => retryAfter !== true || forMs !== Number.POSITIVE_INFINITY, {
      path: ['retryAfter'],
      error: 'needs an outage that ends',
    }),
  ),
});
