import { header, jsonType } from '../conventions.ts';
import { checkHeaderFields, type HeaderFields, secretsIn } from '../http/fields.ts';
import type { ApiRequest } from '../http/message.ts';
import { defaultRetryPolicy, noRetry, type RetryPolicy, type WholeRetryPolicy } from '../http/retry.ts';
import type { Secrets } from '../http/secrets.ts';
import {
  checkCount,
  checkFromZero,
  checkOf,
  checkPart,
  checkPositive,
  checkSignal,
  createReader,
  type OptionChecks,
} from '../options.ts';

/** Options of one call, such as `orders.get(7, { timeoutMs: 5_000, retry: { attempts: 5 } })`. */
export interface CallOptions {
  /** Ends the call, and any wait in it, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit for each attempt, in milliseconds; the client's by default. */
  readonly timeoutMs?: number | undefined;
  /** Time limit for all attempts and waits, in milliseconds, in a list for each page; the client's by default. */
  readonly deadlineMs?: number | undefined;
  /** `false` for a single attempt, or the options that differ from the client's policy. */
  readonly retry?: false | RetryPolicy | undefined;
  /** Additional header fields. */
  readonly headers?: HeaderFields | undefined;
}

/** Options of a call that may be conditional (§7.1, 304); see {@link isNotModified}. */
export interface ConditionalOptions extends CallOptions {
  /** The entity tag of the known representation. */
  readonly ifNoneMatch?: string | undefined;
  /** When the known representation was read. */
  readonly modifiedSince?: Date | undefined;
}

const readRetryPolicy = createReader<RetryPolicy>({
  attempts: checkCount,
  baseDelayMs: checkFromZero,
  maxDelayMs: checkFromZero,
  maxRetryAfterMs: checkFromZero,
  idempotentWrites: undefined,
  writesAfterUnavailable: undefined,
});

export const checkRetry = (name: string, value: unknown): unknown =>
  value === false || checkPart(readRetryPolicy)(name, value);

export const callChecks: OptionChecks<CallOptions> = {
  signal: checkSignal,
  timeoutMs: checkPositive,
  deadlineMs: checkPositive,
  retry: checkRetry,
  headers: undefined,
};

export const conditionalChecks: OptionChecks<ConditionalOptions> = {
  ...callChecks,
  ifNoneMatch: undefined,
  modifiedSince: checkOf((value) => value instanceof Date && !Number.isNaN(value.getTime()), 'a valid Date'),
};

export const readCallOptions = createReader(callChecks);

/** What a client fixes for its calls. */
export interface CallDefaults {
  /** Header fields of every request. */
  readonly headers: HeaderFields;
  readonly secrets: Secrets;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly retry: WholeRetryPolicy;
}

/** The base policy with the changes of a given one. */
export const toRetryPolicy = (
  policy: false | RetryPolicy | undefined,
  base: WholeRetryPolicy = defaultRetryPolicy,
): WholeRetryPolicy => {
  if (policy === undefined) return base;
  if (policy === false) return noRetry;
  const given = Object.entries(policy).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(given) };
};

/** The conditions of a call as header fields (§7.1); undefined when it has none. */
const conditionsOf = (options: ConditionalOptions): HeaderFields | undefined => {
  const { ifNoneMatch, modifiedSince } = options;
  if (ifNoneMatch === undefined && modifiedSince === undefined) return undefined;
  const date = modifiedSince?.toUTCString();
  return checkHeaderFields('ifNoneMatch', {
    ...(ifNoneMatch !== undefined && { [header.ifNoneMatch]: ifNoneMatch }),
    ...(date !== undefined && { [header.modifiedSince]: date, [header.ifModifiedSince]: date }),
  });
};

/** The parts of a request that do not depend on the options of its call. Its headers are checked already. */
export type RequestParts = Pick<
  ApiRequest,
  'method' | 'url' | 'body' | 'readAs' | 'mayBeMissing' | 'operation'
> & { readonly headers?: HeaderFields };

/** Makes the request of a call. Its conditions override its own headers. */
export const toApiRequest = (
  parts: RequestParts,
  options: ConditionalOptions,
  defaults: CallDefaults,
  callId: string,
): ApiRequest => {
  const own = options.headers && checkHeaderFields('headers', options.headers);
  const carried = own === undefined ? [] : secretsIn(own);
  const type = typeof parts.body === 'string' ? { [header.contentType]: jsonType } : undefined;
  return {
    ...parts,
    headers: { ...defaults.headers, ...type, ...parts.headers, ...own, ...conditionsOf(options) },
    mask: defaults.secrets.maskWith(carried),
    carried,
    attempts: [],
    callId,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    deadline: performance.now() + (options.deadlineMs ?? defaults.deadlineMs),
  };
};
