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

/** Which requests meet a fault of {@link MockFaults}, and when. */
export interface FaultTiming<A extends Apis = Apis> extends FaultScope<A> {
  /** How many requests meet it; 1 by default, and no limit for {@link MockFaults.random}. */
  readonly times?: number | undefined;
  /** Real milliseconds before the response; `Infinity` for a request that waits until it is aborted. */
  readonly delayMs?: number | undefined;
}

/** A fault of {@link MockFaults} that sends another response, or changes the usual one. */
export interface ResponseFault<A extends Apis = Apis> extends FaultTiming<A> {
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
  /** The connection ends in the middle of the body: `fetch` rejects with a `TypeError`, a server destroys the socket. */
  readonly cut?: 'body' | undefined;
}

type Unset<T> = { readonly [Name in keyof T]?: undefined };

/** A fault of {@link MockFaults} that ends the connection without a response, so the options of a response do not apply. */
export interface ConnectionFault<A extends Apis = Apis>
  extends FaultTiming<A>,
    Unset<Omit<ResponseFault, keyof FaultTiming | 'cut'>> {
  /**
   * `request`: before the mock does anything; `response`: after it has done the work. `fetch` rejects with a `TypeError`,
   * a server destroys the socket.
   */
  readonly cut: 'request' | 'response';
}

/** A fault of {@link MockFaults.next}: another response, a change of the usual one, or a cut connection. */
export type Fault<A extends Apis = Apis> = ResponseFault<A> | ConnectionFault<A>;

/** How often a fault of {@link MockFaults.random} is met. */
export interface FaultChance {
  /** The share of the matching requests that meets it, from 0 to 1. */
  readonly rate: number;
  /** The same seed picks the same requests; 1 by default. */
  readonly seed?: number | undefined;
}

interface RandomResponseFault<A extends Apis> extends ResponseFault<A>, FaultChance {}
interface RandomConnectionFault<A extends Apis> extends ConnectionFault<A>, FaultChance {}

/** A fault that {@link MockFaults.random} spreads over requests by chance. */
export type RandomFault<A extends Apis = Apis> = RandomResponseFault<A> | RandomConnectionFault<A>;

/** A time in which the service is unavailable (§7.1), by the clock of the mock; see {@link MockFaults.outage}. */
export interface Outage<A extends Apis = Apis> extends FaultScope<A> {
  /** Its length in milliseconds, unless `until` is given. */
  readonly forMs?: number | undefined;
  /** Its end, later than the mock's clock, unless `forMs` is given. */
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
    // The fields of a Headers or a Map are not its properties.
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

/** The options that change what a client sees of a response; `contentType` without a body changes nothing. */
const responseEffects = [
  'status',
  'headers',
  'retryAfterS',
  'body',
  'badJson',
  'wrongShape',
  'without',
] as const satisfies readonly (keyof ResponseFault)[];

const effects = [...responseEffects, 'delayMs', 'cut'] as const;

const oneScope = z.refine<FaultScope>(({ token, collection }) => token !== true || collection === undefined, {
  path: ['token'],
  error: 'must not be combined with `collection`: no request goes to both',
});

const isSet = (fault: Fault, name: keyof Fault): boolean =>
  fault[name] !== undefined && fault[name] !== false;

const hasEffect = (fault: Fault): boolean => effects.some((name) => isSet(fault, name));

const effectMessage = `must change the response: set one of ${effects.join(', ')}`;

/** A connection that is cut before the response leaves nothing for these options to change. */
const oneEnd = z.refine<Fault>(
  (fault) =>
    fault.cut === undefined || fault.cut === 'body' || !responseEffects.some((name) => isSet(fault, name)),
  {
    path: ['cut'],
    error: `must be "body" when combined with one of ${responseEffects.join(', ')}: any other cut sends no response`,
  },
);

const rateMessage = 'a number from 0 to 1';

const hasEnd = ({ forMs, until }: Outage): boolean => (forMs === undefined) !== (until === undefined);

/** The schemas of faults. They refuse a fault that no request can meet, or that changes nothing. */
export const createFaultChecks = (keys: ReadonlySet<string>) => ({
  next: optional<Fault>(faultShape(keys)).check(
    oneScope,
    oneEnd,
    // A fault with `times` alone lets requests pass before the next fault.
    z.refine<Fault>((fault) => fault.times !== undefined || hasEffect(fault), { error: effectMessage }),
  ),
  random: optional<RandomFault>({
    ...faultShape(keys),
    seed: value.number,
    rate: value.other('range', rateMessage, (rate) => inRange(rate, 0, 1)),
  }).check(
    oneScope,
    oneEnd,
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
      error: 'must be combined with an outage that ends',
    }),
  ),
});
