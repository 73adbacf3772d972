import { header } from '../conventions/headers.ts';
import { ConnectionError, TimeoutError } from '../errors/connection-error.ts';
import { ResponseTooLargeError } from '../errors/response-error.ts';
import { toDeadlineError } from './before-deadline.ts';
import type { HeaderFields } from './header-fields.ts';
import type { ApiRequest, ApiResponse, Send } from './message.ts';
import { readBody, tooLarge } from './read-body.ts';
import { maskUrl } from './url.ts';
import { longestTimerMs } from './wait.ts';

/** The part of `fetch` that the transport uses. */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

export interface TransportOptions {
  /** The runtime's own by default, as it is at the time of each request. */
  readonly fetch: Fetch | undefined;
  /** Largest decoded body. */
  readonly maxResponseBytes: number;
}

/**
 * Names that prove that no request left this machine; whatever else happened may have happened after sending. A
 * certificate is looked at before anything is sent.
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

/** What is read of a failure, whatever it is an instance of. */
interface Cause {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** A failure and what caused it; bounded, because a chain of causes may be a circle. */
const causesOf = (error: unknown): readonly Cause[] => {
  const causes: Cause[] = [];
  for (
    let at = error as Cause;
    typeof at === 'object' && at !== null && causes.length < 5;
    at = at.cause as Cause
  ) {
    causes.push(at);
  }
  return causes;
};

/** The system's name of a failure: a name, never a text that could hold a secret. */
const isReason = (code: unknown): code is string =>
  typeof code === 'string' && /^[A-Za-z][A-Za-z_]{2,40}$/.test(code);

/**
 * Deno tells only in words that no connection was made, Node that TLS or a tunnel was not, or that `fetch` does not talk to
 * such a port. Other words count as sent.
 */
const unconnected =
  /client error \(Connect\)|before secure TLS connection was established|when HTTP Tunneling|^bad port$/;

/** What a failure tells. One that cannot be looked at, whatever a `fetch` that was given throws, tells nothing. */
const lookAt = (error: unknown): { readonly reason: string | undefined; readonly sent: boolean } => {
  try {
    const causes = causesOf(error);
    const reason = causes.map(({ code }) => code).find(isReason);
    const sent = !notSent.has(reason) && !causes.some(({ message }) => unconnected.test(String(message)));
    return { reason, sent };
  } catch {
    return { reason: undefined, sent: true };
  }
};

const toConnectionError = (request: ApiRequest, error: unknown): ConnectionError => {
  const { reason, sent } = lookAt(error);
  const url = maskUrl(request.url, request.mask);
  const what = sent
    ? 'The connection was lost before the answer was complete'
    : 'No connection could be made';
  const message = reason === undefined ? what : `${what} (${reason})`;
  return new ConnectionError({ message, reason, sent, method: request.method, url });
};

const toTimeoutError = ({ method, url, mask }: ApiRequest, timeoutMs: number): TimeoutError =>
  new TimeoutError({
    message: `No complete answer within ${Math.round(timeoutMs)} ms`,
    sent: true,
    method,
    url: maskUrl(url, mask),
  });

const toTooLargeError = (
  { method, url, mask }: ApiRequest,
  status: number,
  maxBytes: number,
): ResponseTooLargeError =>
  new ResponseTooLargeError({
    message: `The body of the ${status} answer is larger than ${maxBytes} bytes`,
    status,
    method,
    url: maskUrl(url, mask),
  });

/**
 * A browser answers from its cache unasked, by guess (RFC 9111, section 4.2.2) and whoever is logged in by then. Other
 * runtimes keep nothing; there the option would add header fields, or be refused.
 */
const uncached: RequestInit =
  'document' in globalThis || 'importScripts' in globalThis ? { cache: 'no-store' } : {};

/**
 * The `fetch` of another copy of undici knows the forms of that copy alone: of one of the runtime's it would send the text
 * `[object FormData]`.
 */
const toPlainForm = async (
  headers: HeaderFields,
  form: FormData,
): Promise<Pick<ApiRequest, 'headers' | 'body'>> => {
  const written = new Response(form);
  const type = { [header.contentType]: written.headers.get(header.contentType) ?? '' };
  return { headers: { ...headers, ...type }, body: await written.arrayBuffer() };
};

const isError = (status: number): boolean => status >= 400;

/**
 * One attempt on the wire: no retry, no redirect, no credentials of its own. The time limit covers the answer up to
 * its last byte.
 *
 * @throws {@link ConnectionError}, {@link TimeoutError}, {@link ResponseTooLargeError}; the signal's reason when aborted
 */
export const createTransport = ({ fetch: given, maxResponseBytes }: TransportOptions): Send => {
  const isGiven = given !== undefined;

  const exchange = async (request: ApiRequest, signal: AbortSignal): Promise<ApiResponse> => {
    const { url, method } = request;
    const { headers, body = null } =
      isGiven && request.body instanceof FormData
        ? await toPlainForm(request.headers, request.body)
        : request;
    const fetch = given ?? globalThis.fetch;
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual', ...uncached });
    const { status } = response;
    const readAs = isError(status) ? 'text' : (request.readAs ?? 'text');
    const read = await readBody(response, readAs, maxResponseBytes, isGiven);
    if (read === tooLarge) throw toTooLargeError(request, status, maxResponseBytes);
    return { status, headers: response.headers, body: read, filtered: response.type === 'cors' };
  };

  return async (request) => {
    const { signal } = request;
    signal?.throwIfAborted();
    const timeoutMs = Math.min(request.timeoutMs, request.deadline - performance.now());
    if (timeoutMs <= 0) throw toDeadlineError(request);
    const attempt = new AbortController();
    let giveUp: ((reason: unknown) => void) | undefined;
    const onAbort = (): void => {
      attempt.abort();
      giveUp?.(attempt.signal.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(onAbort, Math.min(timeoutMs, longestTimerMs));
    try {
      // A `fetch` that was given may not heed its signal, and must not keep the call longer than it may take.
      return await new Promise<ApiResponse>((resolve, reject) => {
        giveUp = reject;
        exchange(request, attempt.signal).then(resolve, reject);
      });
    } catch (error) {
      if (error instanceof ResponseTooLargeError) throw error;
      signal?.throwIfAborted();
      throw attempt.signal.aborted ? toTimeoutError(request, timeoutMs) : toConnectionError(request, error);
    } finally {
      // What keeps the timer or the signal a little longer is not to keep the answer.
      giveUp = undefined;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };
};
