import { ConnectionError, type FailureCause } from '../errors/connection-error.ts';
import { type ApiRequest, contextOf } from './message.ts';

/**
 * Codes that prove that no request left this machine. They include those of certificates, which are checked before anything
 * is sent. Any other failure may have happened after sending.
 */
const notSent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The properties that are read from a failure, whatever its class. */
interface Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly hostname?: unknown;
  readonly host?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

const mostCauses = 5;

/** A failure and what caused it; bounded, because causes may form a loop. */
const causesOf = (error: unknown): readonly Failure[] => {
  const causes: Failure[] = [];
  for (let at = error as Failure; typeof at === 'object' && at !== null && causes.length < mostCauses; ) {
    causes.push(at);
    // An AggregateError holds one failure for each address of a host.
    at = (at.cause ?? at.errors?.[0]) as Failure;
  }
  return causes;
};

/** Patterns of names, too narrow to match a secret. */
const patterns = {
  name: /^[A-Za-z]{3,40}$/,
  code: /^[A-Za-z][A-Za-z_]{2,40}$/,
  syscall: /^[a-z]{2,20}$/,
  hostname: /^[\w.:-]{1,253}$/,
} as const;

/** The first name of a kind among failures; undefined when none has one. */
const findName = (kind: keyof typeof patterns, failures: readonly Failure[]): string | undefined =>
  failures
    .flatMap((failure) => (kind === 'hostname' ? [failure.hostname, failure.host] : [failure[kind]]))
    .find((value): value is string => typeof value === 'string' && patterns[kind].test(value));

/**
 * Messages that are the only sign that nothing was sent: in Deno for a failed connection, in Node for failed TLS, a failed
 * tunnel or a port that `fetch` blocks. With any other message, the request counts as sent.
 */
const unconnected =
  /client error \(Connect\)|before secure TLS connection was established|when HTTP Tunneling|^bad port$|: Requests to port \d+ are blocked$/;

/** Reads a failure. A given `fetch` may throw an unreadable value; the cause is then undefined. */
export const readFailure = (
  error: unknown,
): { readonly cause: FailureCause | undefined; readonly sent: boolean } => {
  try {
    const causes = causesOf(error);
    const code = findName('code', causes);
    // The failure that has the code has the most specific name.
    const named = causes.filter((cause) => cause.code === code && code !== undefined);
    const name = findName('name', [...named, ...causes.toReversed()]);
    const syscall = findName('syscall', causes);
    const hostname = findName('hostname', causes);
    const sent = !notSent.has(code) && !causes.some(({ message }) => unconnected.test(String(message)));
    return { cause: name === undefined ? undefined : { name, code, syscall, hostname }, sent };
  } catch {
    return { cause: undefined, sent: true };
  }
};

/** Messages of runtimes for a failure of the network that has neither a code nor a cause. */
const networkMessage =
  /^(?:fetch failed|terminated|Failed to fetch(?: \(.*\))?|Load failed(?: \(.*\))?|network error|NetworkError when .*|Network request (?:failed|timed out)|Network connection lost\.?| ?A network error occurred\.|The Internet connection appears to be offline\.|error sending request .*)$/i;

const programErrors: ReadonlySet<unknown> = new Set([
  'AssertionError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'URIError',
]);

/** Codes of Node for a wrong argument. */
const wrongArgument = /^ERR_(?:INVALID|MISSING)_/;

/**
 * True for a programming error that `fetch` throws: no connection was lost, and another attempt would fail the same way.
 *
 * @param isGiven - whether `fetch` is the application's own. Only then does a TypeError without a known message or a cause
 * count, because the built-in `fetch` throws one for every network failure
 */
export const isProgramError = (error: unknown, isGiven: boolean): boolean => {
  try {
    const { name, code, cause, message } = error as Failure;
    if (programErrors.has(name)) return true;
    if (name !== 'TypeError') return false;
    if (code !== undefined) return wrongArgument.test(String(code));
    return isGiven && cause === undefined && !networkMessage.test(String(message));
  } catch {
    return false;
  }
};

/** True on a web page and in its workers. */
export const isBrowser = (): boolean => 'document' in globalThis || 'importScripts' in globalThis;

/** A browser reports a lost connection and a response blocked by CORS with the same error. */
const corsHintFor = (url: string): string => {
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  return isBrowser() && location?.origin !== new URL(url).origin
    ? '; in a browser this can also mean that the server does not allow this origin (CORS): check Access-Control-Allow-Origin'
    : '';
};

/** Turns a failure of `fetch` into a {@link ConnectionError}. */
export const toConnectionError = (request: ApiRequest, error: unknown): ConnectionError => {
  const { cause, sent } = readFailure(error);
  const what = sent
    ? 'the connection was lost before the response was complete'
    : 'no connection could be made, nothing was sent';
  const code = cause?.code === undefined ? '' : ` (${cause.code})`;
  const message = `${what}${code}${sent ? corsHintFor(request.url) : ''}`;
  return new ConnectionError({ ...contextOf(request), message, cause, sent });
};
