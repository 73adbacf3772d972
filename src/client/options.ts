import type { AuthScheme } from '../auth/authorize.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import type { Fetch } from '../http/fetch.ts';
import { checkHeaderFields, type HeaderFields } from '../http/fields.ts';
import type { RetryPolicy, WholeRetryPolicy } from '../http/message.ts';
import { defaultRetryPolicy, noRetry } from '../http/retry.ts';
import type { Trace } from '../http/trace.ts';
import {
  checkBoolean,
  checkCount,
  checkCountOrNone,
  checkFieldValue,
  checkFromZero,
  checkFunction,
  checkOf,
  checkPart,
  checkPositive,
  checkSignal,
  createReader,
  isObject,
  type OptionChecks,
} from '../options.ts';
import { createLog, type Logger, logLevels } from './log.ts';
import { type AllObservers, checkObservers, isCallId, type Observers, withLog } from './observers.ts';
import { checkValidation, type Validation } from './validation.ts';

/**
 * Schemes by the names that the `auth` of an API refers to:
 * `{ token: tokenAuth({ ... }), key: customAuth(...) }`.
 */
export type AuthSchemes = Readonly<Record<string, AuthScheme>>;

/** The names of a client's schemes; a single scheme is named by its kind. */
export type SchemeName<A extends AuthScheme | AuthSchemes> = A extends AuthScheme
  ? A['kind']
  : string extends keyof A
    ? // biome-ignore lint/suspicious/noExplicitAny: known only at run time, like those of a plain `Client`
      any
    : keyof A & string;

/** Options of {@link createClient}. Times are milliseconds. */
export interface ClientOptions<A extends AuthScheme | AuthSchemes = AuthScheme | AuthSchemes> {
  /** Where the APIs live, `{base_url}` of the conventions. Requests go only to this origin. */
  readonly baseUrl: string;
  /** One scheme, or several by name; an API's declaration names the one it takes (§5). */
  readonly auth: A;
  /**
   * Sends every request, including retries and those for tokens, in place of the built-in `fetch`. It is
   * given a URL.
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Time limit for each attempt, up to the last byte of the response; 30,000 by default. Node's own `fetch`
   * ends a request after 300 s without a byte, whatever this is: `undiciFetch` of `restkin/undici` takes a
   * `dispatcher` with longer limits.
   */
  readonly timeoutMs?: number | undefined;
  /** Time limit for all attempts and waits of a call, in a list for each page; 120,000 by default. */
  readonly deadlineMs?: number | undefined;
  /** `false` for a single attempt, or the options that differ from the default policy of four attempts. */
  readonly retry?: false | RetryPolicy | undefined;
  /** Most requests in flight at the same time; no limit by default. */
  readonly concurrency?: number | undefined;
  /** Largest decoded body, in bytes; 32 MiB by default. */
  readonly maxResponseBytes?: number | undefined;
  /** Allows plain `http:` to hosts other than loopback; false by default. */
  readonly allowInsecure?: boolean | undefined;
  /** What happens to a response that does not match its declaration; `throw` by default. */
  readonly validation?: Validation | undefined;
  /**
   * Whether the issues of a response that does not match its declaration show what was received, cut and with
   * secrets masked; false by default, because it may be private. For the development of a declaration.
   */
  readonly showValues?: boolean | undefined;
  /** Header fields of every request. */
  readonly headers?: HeaderFields | undefined;
  /**
   * Header of requests for the `callId`, in lower case; `x-request-id` by default. `false`, the default of a
   * browser: none.
   */
  readonly requestIdHeader?: string | false | undefined;
  /**
   * Surrounds each call, each list and each renewal of a token, for example with a span; see `restkin/otel`.
   */
  readonly trace?: Trace | undefined;
  /**
   * Prints a line for each request, retry, renewal, pause and page, without secrets; the variable
   * `RESTKIN_DEBUG=1` does too.
   */
  readonly debug?: boolean | undefined;
  /** Gets the same lines with their fields, for example `console` or an instance of pino. */
  readonly logger?: Logger | undefined;
  /**
   * Observers. Their errors are ignored. No event holds a secret, except perhaps that of `on.error`: see
   * {@link Events.error}.
   */
  readonly on?: Observers | undefined;
}

/** Options of one call, such as `orders.get(7, { timeoutMs: 5_000, retry: { attempts: 5 } })`. */
export interface CallOptions {
  /** Ends the call, and any wait in it, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit for each attempt, in milliseconds; the client's by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Time limit for all attempts and waits, in milliseconds, in a list for each page; the client's by default.
   */
  readonly deadlineMs?: number | undefined;
  /** `false` for a single attempt, or the options that differ from the client's policy. */
  readonly retry?: false | RetryPolicy | undefined;
  /** Additional header fields. With an `Idempotency-Key`, a write is retried as a GET is. */
  readonly headers?: HeaderFields | undefined;
  /**
   * The id of the call in events, logs, errors and the `x-request-id` header, for example that of the request
   * that the application responds to: 1 to 200 visible ASCII characters. By default the client makes one.
   */
  readonly callId?: string | undefined;
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
  idempotentWrites: checkBoolean,
  writesAfterUnavailable: checkBoolean,
});

const checkRetry = (name: string, value: unknown): unknown =>
  value === false || checkPart(readRetryPolicy)(name, value);

const checkHeaders = (name: string, value: unknown): unknown =>
  value === undefined ? value : checkHeaderFields(name, value as HeaderFields);

/** What the options of a call must be. */
export const callChecks: OptionChecks<CallOptions> = {
  signal: checkSignal,
  timeoutMs: checkPositive,
  deadlineMs: checkPositive,
  retry: checkRetry,
  headers: checkHeaders,
  callId: checkOf(isCallId, '1 to 200 visible ASCII characters'),
};

/** What the options of a call that may be conditional must be. */
export const conditionalChecks: OptionChecks<ConditionalOptions> = {
  ...callChecks,
  ifNoneMatch: checkFieldValue,
  modifiedSince: checkOf((value) => value instanceof Date && !Number.isNaN(value.getTime()), 'a valid Date'),
};

export const readCallOptions = createReader(callChecks);

const isIdHeader = (name: unknown): boolean =>
  name === false || (typeof name === 'string' && /^[a-z\d-]+$/.test(name));
const checkIdHeader = checkOf(isIdHeader, 'the name of a header in lower case, or false');

const isLogger = (logger: unknown): boolean =>
  isObject(logger) && logLevels.every((level) => typeof logger[level] === 'function');
const checkLogger = checkOf(
  isLogger,
  'a logger with the functions debug, info, warn and error, such as console',
);

const readOptions = createReader<ClientOptions>(
  {
    baseUrl: undefined,
    auth: undefined,
    fetch: checkFunction,
    timeoutMs: checkPositive,
    deadlineMs: checkPositive,
    retry: checkRetry,
    concurrency: checkCountOrNone,
    maxResponseBytes: checkCountOrNone,
    allowInsecure: checkBoolean,
    validation: checkValidation,
    showValues: checkBoolean,
    headers: checkHeaders,
    requestIdHeader: checkIdHeader,
    trace: checkFunction,
    debug: checkBoolean,
    logger: checkLogger,
    on: checkObservers,
  },
  { hint: '; a declaration belongs in createClient({ ... }).api(declaration)' },
);

/**
 * Reads the options of a client, and checks those that no other part checks.
 *
 * @throws {@link InvalidRequestError}
 */
export const readClientOptions = (given: ClientOptions): ClientOptions & { readonly on: AllObservers } => {
  const options = readOptions(given, 'createClient');
  const log = createLog(options.logger, options.debug);
  return { ...options, on: withLog(options.on, log) };
};

const isScheme = (auth: unknown): auth is AuthScheme =>
  typeof (auth as Partial<AuthScheme> | null | undefined)?.authorizer === 'function';

/** The schemes of a client by name; a single scheme is named by its kind. */
export const toSchemes = (auth: ClientOptions['auth']): AuthSchemes => {
  const schemes = isScheme(auth) ? { [auth.kind]: auth } : auth;
  const all = isObject(schemes) ? Object.values(schemes) : [];
  if (all.length > 0 && all.every(isScheme)) return schemes;
  throw new InvalidRequestError(
    'createClient: auth must be tokenAuth, basicAuth or customAuth, or several by name',
  );
};

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
