import type { HeaderFields } from './error-answer.ts';
import type { Apis, CollectionKey } from './options.ts';
import type { Route } from './routes.ts';

/** Which requests meet a fault. By default every one but those to the token endpoint. */
export interface FaultScope<A extends Apis = Apis> {
  /** The key of the only collection that meets it. */
  readonly collection?: CollectionKey<A> | undefined;
  /** The only method that meets it. */
  readonly method?: string | undefined;
  /** `true`: only the token endpoint meets it. */
  readonly token?: boolean | undefined;
}

/** What matching requests meet: another answer, or the usual one made worse. */
export interface Fault<A extends Apis = Apis> extends FaultScope<A> {
  /** The status of the answer. Without one (and without `body`) the request is answered as usual. */
  readonly status?: number | undefined;
  /** How many requests meet it; 1 by default. */
  readonly times?: number | undefined;
  /** Header fields of the answer, or added to the usual one. */
  readonly headers?: HeaderFields | undefined;
  /** Adds `Retry-After` in whole seconds. */
  readonly retryAfterS?: number | undefined;
  /** The body as it is; by default an error body (§2.3) for a status from 400 and none below. */
  readonly body?: string | undefined;
  /** Of the body; `application/json` by default. */
  readonly contentType?: string | undefined;
  /** Real milliseconds before the answer; `Infinity` for a request that waits until it is aborted. */
  readonly delayMs?: number | undefined;
  /**
   * The connection ends: `request` before anything is done, `answer` when the work is done and nothing of the answer
   * was sent, `body` in the middle of it. `fetch` rejects with a `TypeError`, a server destroys the socket.
   */
  readonly cut?: 'request' | 'answer' | 'body' | undefined;
  /** Ends the text of the body too early, so that it is no JSON; the connection does not notice. */
  readonly badJson?: boolean | undefined;
  /** Answers JSON of another shape: an object instead of a list and the reverse, or what a function makes of it. */
  readonly wrongShape?: boolean | ((body: unknown) => unknown) | undefined;
  /** Header fields that the answer lacks, for example `link`. */
  readonly without?: readonly string[] | undefined;
}

/** A fault that chance decides on. */
export interface RandomFault<A extends Apis = Apis> extends Fault<A> {
  /** From 0 to 1: the part of the matching requests that meets it. */
  readonly rate: number;
  /** The same seed picks the same requests; 1 by default. */
  readonly seed?: number | undefined;
  /** How many requests meet it; no limit by default. */
  readonly times?: number | undefined;
}

/** A time in which the service is not there (§7.1), by the clock of the mock. */
export interface Outage<A extends Apis = Apis> extends FaultScope<A> {
  /** Its length in milliseconds; instead of `until`. */
  readonly forMs?: number | undefined;
  /** Its end, after the time of the mock's clock. */
  readonly until?: Date | undefined;
  /** Whether the answers have `Retry-After` with the whole seconds until its end. `false` by default. */
  readonly retryAfter?: boolean | undefined;
}

/** Whether a request meets a fault. */
export const isMet = (scope: FaultScope, route: Route, requestMethod: string): boolean => {
  const { token = false, collection, method } = scope;
  if (method !== undefined && method.toUpperCase() !== requestMethod) return false;
  if (token || route.kind === 'token') return token && route.kind === 'token';
  return collection === undefined || (route.kind !== 'nothing' && route.endpoint.key === collection);
};
