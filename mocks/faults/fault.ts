import {
  checkCountOrNone,
  checkFromZero,
  checkOf,
  checkPositive,
  createReader,
  isObject,
  type OptionChecks,
} from '../../src/options.ts';
import {
  checkBoolean,
  checkDate,
  checkInteger,
  checkKey,
  checkMethod,
  checkString,
  refuse,
} from '../checks.ts';
import type { Route } from '../collections/routes.ts';
import type { HeaderFields } from '../message.ts';
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

const cuts = ['request', 'response', 'body'] as const;
type FaultCut = (typeof cuts)[number] | undefined;

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
  /** The same seed picks the same requests, whatever other faults there are; 1 by default. */
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

/** Whether a fault is for a request. */
export const matches = (scope: FaultScope, route: Route, requestMethod: string): boolean => {
  const { token = false, collection, method } = scope;
  if (method !== undefined && method.toUpperCase() !== requestMethod) return false;
  if (token || route.kind === 'token') return token && route.kind === 'token';
  return collection === undefined || ('endpoint' in route && route.endpoint.key === collection);
};

const isHeaders = (value: unknown): boolean => {
  try {
    // The fields of a Headers or a Map are not its properties.
    return isObject(value) && [...new Headers(value as HeaderFields)].length === Object.keys(value).length;
  } catch {
    return false;
  }
};

const isStatus = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;

const isRate = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

const isFlagOrFunction = (value: unknown): boolean =>
  typeof value === 'boolean' || typeof value === 'function';

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** Every option of a fault. */
export type AnyFault = Omit<ResponseFault, 'cut'> & Partial<FaultChance> & { readonly cut?: FaultCut };

const scopeChecks = (keys: ReadonlySet<string>): OptionChecks<FaultScope> => ({
  collection: checkKey(keys),
  method: checkMethod,
  token: checkBoolean,
});

const faultChecks = (keys: ReadonlySet<string>): OptionChecks<Omit<AnyFault, keyof FaultChance>> => ({
  ...scopeChecks(keys),
  status: checkOf(isStatus, 'an integer from 200 to 599'),
  times: checkCountOrNone,
  headers: checkOf(isHeaders, 'an object of valid header fields'),
  // RFC 9110 §10.2.3: an integer, which the header field can hold.
  retryAfterS: checkInteger,
  body: checkString,
  contentType: checkString,
  delayMs: checkFromZero,
  cut: checkOf((value) => cuts.some((cut) => cut === value), `one of ${cuts.join(', ')}`),
  badJson: checkBoolean,
  wrongShape: checkOf(isFlagOrFunction, 'true, false or a function'),
  without: checkOf(isNames, 'an array of header names'),
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
] as const satisfies readonly (keyof AnyFault)[];

const effects = [...responseEffects, 'delayMs', 'cut'] as const;

const hasOne = (fault: AnyFault, names: readonly (keyof AnyFault)[]): boolean =>
  names.some((name) => fault[name] !== undefined && fault[name] !== false);

/** Refuses a fault that no request could meet, and one that changes nothing. */
const checkFault = (fault: AnyFault, mayPass: boolean): void => {
  const { token, collection, cut } = fault;
  if (token === true && collection !== undefined) refuse('token', 'given without `collection`');
  if (!mayPass && !hasOne(fault, effects)) refuse('A fault', `given one of ${effects.join(', ')}`);
  if (cut !== undefined && cut !== 'body' && hasOne(fault, responseEffects))
    refuse('cut', `"body" with one of ${responseEffects.join(', ')}: any other cut sends no response`);
};

/** Readers of faults, for the collections of a mock. */
export const createFaultReaders = (keys: ReadonlySet<string>) => {
  const readNext = createReader<Omit<AnyFault, keyof FaultChance>>(faultChecks(keys));
  const readRandom = createReader<AnyFault>({
    ...faultChecks(keys),
    seed: checkOf((value) => typeof value === 'number', 'a number'),
    rate: checkOf(isRate, 'a number from 0 to 1'),
  });
  const readOutage = createReader<Outage>({
    ...scopeChecks(keys),
    forMs: checkPositive,
    until: checkDate,
    retryAfter: checkBoolean,
  });
  return {
    next: (given: AnyFault): AnyFault => {
      const fault = readNext(given, 'mock.faults.next');
      // A fault with `times` alone lets requests pass before the next fault.
      checkFault(fault, fault.times !== undefined);
      return fault;
    },
    random: (given: AnyFault): AnyFault & FaultChance => {
      const fault = readRandom(given, 'mock.faults.random');
      checkFault(fault, false);
      const { rate } = fault;
      if (rate === undefined) refuse('rate', 'a number from 0 to 1');
      return { ...fault, rate: rate ?? 0 };
    },
    outage: (given: Outage): Outage => {
      const outage = readOutage(given, 'mock.faults.outage');
      const { forMs, until, retryAfter } = outage;
      if ((forMs === undefined) === (until === undefined))
        refuse('An outage', 'given either `forMs` or `until`');
      if (retryAfter === true && forMs === Number.POSITIVE_INFINITY)
        refuse('retryAfter', 'combined with an outage that ends');
      return outage;
    },
  };
};
