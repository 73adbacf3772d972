import { header } from '../conventions.ts';
import { TimeoutError } from '../errors/connection-error.ts';
import { ResponseTooLargeError } from '../errors/response-error.ts';
import { InvalidRequestError, isRestkinError } from '../errors/restkin-error.ts';
import { isBrowser, isProgramError, toConnectionError } from './connection-failure.ts';
import {
  type ApiRequest,
  type ApiResponse,
  contextOf,
  type HeaderFields,
  isSuccess,
  type Send,
} from './message.ts';
import { readBody, tooLarge } from './read-body.ts';
import { longestTimerMs, toDeadlineError } from './timing.ts';

/**
 * The part of `fetch` that a client uses.
 *
 * @example
 * ```ts
 * const traced: Fetch = (input, init) => fetch(input, { ...init, cache: 'no-store' });
 * const client = createClient({ baseUrl, auth, fetch: traced });
 * ```
 */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A browser may respond from its cache without asking the server, by a heuristic (RFC 9111 §4.2.2) and even if another user
 * has logged in since. Other runtimes have no cache; there the option would add headers, or be refused.
 */
const uncached: RequestInit = isBrowser() ? { cache: 'no-store' } : {};

/**
 * Node's `fetch` keeps a copy of each piece of a request body, to resend it after a redirect. Only with `redirect: 'error'`
 * does it keep none.
 */
const keepsPieces =
  (globalThis as { readonly process?: { readonly versions?: Readonly<Record<string, string>> } }).process
    ?.versions?.undici !== undefined;

/** Compares the message and not the class: under Jest the runtime's TypeError is not that of this code. */
const isRedirect = (error: unknown): boolean => {
  const { cause } = (error ?? {}) as { readonly cause?: Partial<Error> | null };
  return cause?.message === 'unexpected redirect';
};

/** @throws {@link InvalidRequestError} in a runtime without `fetch` */
const builtInFetch = (): Fetch => {
  if (typeof globalThis.fetch === 'function') return globalThis.fetch;
  throw new InvalidRequestError('This runtime has no fetch; pass one in createClient({ fetch })');
};

/** A file or a form as `fetch` can send it. */
const toPlainBody = async (
  headers: HeaderFields,
  given: Blob | FormData,
  isGiven: boolean,
): Promise<Pick<ApiRequest, 'headers' | 'body'>> => {
  const { toSendable } = await import('./multipart.ts');
  const { body, type } = await toSendable(given, isGiven);
  return { headers: type === undefined ? headers : { ...headers, [header.contentType]: type }, body };
};

/** @throws {@link InvalidRequestError} when a given `fetch` resolves to something other than a response */
const checkResponse = (value: unknown): void => {
  const { status, headers } = (value ?? {}) as Partial<Response>;
  if (typeof status === 'number' && typeof headers?.get === 'function') return;
  throw new InvalidRequestError('fetch must resolve to a Response; check the one in createClient({ fetch })');
};

// A stream needs this option, which says that it is sent before the response is read. The types of the DOM lack it.
const oneShotInit: RequestInit & { readonly duplex: 'half' } = { duplex: 'half' };

// A timer this late means that the process was stopped: its machine slept, or a debugger held it. The response may have
// arrived meanwhile, and gets as long to be read.
const stoppedMs = 100;

/**
 * One attempt on the wire: no retry, no redirect, no credentials of its own. The time limit covers the response up to
 * its last byte, or up to its head if the body is read as a stream. It restarts with each piece of a request body that is
 * sent as a stream.
 *
 * @param given - the runtime's own `fetch` by default, as it is at the time of each request
 * @param maxResponseBytes - size of the largest decoded body
 * @throws {@link ConnectionError}, {@link TimeoutError}, {@link ResponseTooLargeError}; the signal's reason when aborted;
 * an error of the program that `fetch` throws
 */
export const createTransport = (given: Fetch | undefined, maxResponseBytes: number): Send => {
  const isGiven = given !== undefined;

  const exchange = async (
    request: ApiRequest,
    attempt: AbortController,
    onPiece: () => void,
  ): Promise<ApiResponse> => {
    const { url, method, oneShot, body: whole = null } = request;
    const isFile = whole instanceof Blob || whole instanceof FormData;
    const isRedirectError = (oneShot !== undefined || isFile) && keepsPieces && !isGiven;
    let response: Response | undefined;
    try {
      const { headers, body = null } = isFile ? await toPlainBody(request.headers, whole, isGiven) : request;
      const fetch = given ?? builtInFetch();
      // `fetch` also reads options from the prototype, which another package may have polluted.
      const init = {
        __proto__: null,
        method,
        headers,
        // A failure of the stream closes the connection: workerd would end the body as if it were complete.
        body: oneShot?.open(onPiece, () => attempt.abort()) ?? body,
        signal: attempt.signal,
        redirect: isRedirectError ? 'error' : 'manual',
        ...uncached,
        ...(oneShot && oneShotInit),
      } as const;
      response = await fetch(url, init);
      checkResponse(response);
      // A given `fetch` may ignore its signal.
      if (oneShot?.failure !== undefined) throw oneShot.failure.error;
      const { status } = response;
      const succeeded = isSuccess(status);
      const head = {
        url,
        status,
        headers: response.headers,
        filtered: response.type === 'cors',
        attempts: [],
        // Own properties, so that those of a polluted prototype are not read.
        open: undefined,
      };
      if (request.readAs === 'stream' && succeeded) {
        return { ...head, body: '', open: { response, attempt } };
      }
      const readAs = request.readAs === 'bytes' && succeeded ? 'bytes' : 'text';
      const onProgress = succeeded ? request.onProgress : undefined;
      const read = await readBody(response, readAs, maxResponseBytes, onProgress);
      if (read === tooLarge) {
        const message = `the body is larger than \`maxResponseBytes\` (${maxResponseBytes})`;
        throw new ResponseTooLargeError({ ...contextOf(request, response), message, status });
      }
      return { ...head, body: read };
    } catch (error) {
      if (oneShot?.failure !== undefined) throw oneShot.failure.error;
      // Reported as in a browser, with status 0.
      if (isRedirectError && isRedirect(error))
        return { url, status: 0, headers: new Headers(), body: '', attempts: [] };
      const isProgram = response === undefined && isProgramError(error, isGiven);
      throw isProgram || isRestkinError(error) ? error : toConnectionError(request, error);
    }
  };

  return async (request) => {
    const { signal } = request;
    signal?.throwIfAborted();
    const leftMs = (): number => Math.min(request.timeoutMs, request.deadline - performance.now());
    const timeoutMs = leftMs();
    if (timeoutMs <= 0) throw toDeadlineError(request);
    const attempt = new AbortController();
    let giveUp: ((reason: unknown) => void) | undefined;
    const onAbort = (): void => {
      attempt.abort();
      giveUp?.(attempt.signal.reason);
    };
    signal?.addEventListener('abort', onAbort);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const startTimer = (ms: number): void => {
      const endsAt = performance.now() + ms;
      const onTime = (): void => (performance.now() > endsAt + stoppedMs ? startTimer(stoppedMs) : onAbort());
      timer = setTimeout(onTime, Math.min(ms, longestTimerMs));
    };
    startTimer(timeoutMs);
    const onPiece = (): void => {
      clearTimeout(timer);
      if (giveUp !== undefined) startTimer(leftMs());
    };
    try {
      // A given `fetch` may ignore its signal, and must not delay the call beyond its limits.
      return await new Promise<ApiResponse>((resolve, reject) => {
        giveUp = reject;
        exchange(request, attempt, onPiece).then(resolve, reject);
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (!attempt.signal.aborted || error === request.oneShot?.failure?.error) throw error;
      const message = `no complete response within ${Math.round(timeoutMs)} ms`;
      throw new TimeoutError({ ...contextOf(request), message, sent: true });
    } finally {
      // A timer or a signal that lives longer must not keep the response in memory.
      giveUp = undefined;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };
};
