import type { TokenEvent } from '../auth/authorize.ts';
import type { Method } from '../conventions.ts';
import type { Issue } from '../errors/response-error.ts';
import { RequestError, RestkinError } from '../errors/restkin-error.ts';
import { type Deprecation, parseDeprecation } from '../headers/dates.ts';
import type { RequestEvent, RequestObservers, ResponseEvent, RetryEvent } from '../http/events.ts';
import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { notify } from '../http/trace.ts';
import { checkFunction, checkPart, createReader, type OptionChecks } from '../options.ts';
import type { Drift } from '../paging/load-pages.ts';

/**
 * The events of a client, each by the name of its observer; see {@link Observers}. Types write them
 * `Events['retry']`.
 */
export interface Events {
  /** An attempt begins. It may wait for a token or a limit before it is sent. */
  readonly request: RequestEvent;
  /** A response to an attempt arrived. */
  readonly response: ResponseEvent;
  /** An attempt failed, and another one follows. */
  readonly retry: RetryEvent;
  /** A call failed. Called once per call; each reading of a list is a call of its own. */
  readonly error: {
    /** Identifies the call; its other events have the same id. */
    readonly callId: string;
    /**
     * The error of the call: an error of restkin, the reason of its signal, or the error of a function in the
     * options. Only an error of restkin certainly holds no secret.
     */
    readonly error: unknown;
    /** True for a call whose `signal` aborted. */
    readonly aborted?: boolean | undefined;
  };
  /** A token was renewed, or why it was not. */
  readonly token: TokenEvent;
  /** An API announced the end of its version, or a newer one (§9.4); once per API. */
  readonly deprecation: Deprecation & {
    /** Identifies the call whose response says so. */
    readonly callId: string;
    /** Name of the API. */
    readonly api: string;
    /** Its major version. */
    readonly version: number;
  };
  /** A response does not match its declaration, and `validation` is `warn`. */
  readonly validation: {
    /** Identifies the call. */
    readonly callId: string;
    /** Method of the request. */
    readonly method: Method;
    /** Values of parameters other than those of §4.4 are masked. */
    readonly url: string;
    /** Where it does not match; the first twenty. */
    readonly issues: readonly Issue[];
  };
  /**
   * The total of a list fell while it was read, once per reading: records were deleted, and others may have
   * moved to pages that were read already.
   */
  readonly drift: Drift & {
    /** Identifies the call. A reading of a list with all its pages is one call. */
    readonly callId: string;
  };
}

/** Functions that are called for the {@link Events} of a client. */
export type Observers = { readonly [K in keyof Events]?: ((event: Events[K]) => void) | undefined };

/** The observers of a client, and of two events that only its log gets: a pause after a 429, and a page. */
export type AllObservers = Observers &
  RequestObservers & {
    readonly page?: (event: { readonly callId: string; readonly records: number }) => void;
  };

const checks: OptionChecks<Observers> = {
  request: checkFunction,
  response: checkFunction,
  retry: checkFunction,
  error: checkFunction,
  token: checkFunction,
  deprecation: checkFunction,
  validation: checkFunction,
  drift: checkFunction,
};
export const checkObservers = checkPart(createReader(checks));

type Observe = (event: never) => unknown;
type Log = (name: string, event: never) => unknown;

/** The observers of a client, with its log. */
export const withLog = (given: Observers | undefined, log: Log | undefined): AllObservers => {
  // The methods of a class are not its own properties.
  const own = (given ?? {}) as { readonly [name: string]: Observe | undefined };
  const observers: Record<string, Observe> = {};
  for (const name of [...Object.keys(checks), 'pause', 'page']) {
    if (!(own[name] ?? log)) continue;
    observers[name] = (event) => {
      notify(() => own[name]?.(event));
      notify(() => log?.(name, event));
    };
  }
  return observers;
};

/** Watches the responses of one API until one announces the end of its version, or a newer one. */
export const createDeprecationNotice = (
  api: { readonly name: string; readonly version: number },
  observe: ((event: Events['deprecation']) => void) | undefined,
): ((request: ApiRequest, response: ApiResponse) => void) | undefined => {
  if (observe === undefined) return undefined;
  let told = false;
  return ({ callId, mask }, { headers }) => {
    const deprecation = told ? undefined : parseDeprecation(headers);
    if (deprecation === undefined) return;
    told = true;
    const successor = deprecation.successor && mask(deprecation.successor);
    observe({ callId, api: api.name, version: api.version, ...deprecation, successor });
  };
};

/** True for an id that the application may give a call: it stands in a header, in logs and in errors. */
export const isCallId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);

/** What the begin of a call reads of its options; what is invalid is refused when they are read. */
export interface CallStart {
  readonly callId?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/** Begins a call of the application. */
export type BeginCall = (options?: CallStart) => {
  readonly id: string;
  /** Reports the error that the caller gets to `on.error`, and returns it. */
  readonly fail: (error: unknown) => unknown;
};

/** V8's function that gives an error the stack of the place where it is called. */
const { captureStackTrace } = Error as { readonly captureStackTrace?: (error: object) => void };

/** Gives the calls of one client their ids, and reports those that fail. */
export const createCalls = (onError: ((event: Events['error']) => void) | undefined): BeginCall => {
  const client = Math.random().toString(36).slice(2, 10);
  let calls = 0;
  return (options) => {
    const given = options?.callId;
    const id = isCallId(given) ? given : `${client}-${++calls}`;
    const fail = (error: unknown): unknown => {
      // Here the asynchronous stack leads to the caller. The reason of an abort may be the error of another
      // call.
      const isOwn = !(error instanceof RequestError) || error.callId === id;
      if (isOwn && error instanceof RestkinError) captureStackTrace?.(error);
      onError?.({ callId: id, error, aborted: options?.signal?.aborted });
      return error;
    };
    return { id, fail };
  };
};
