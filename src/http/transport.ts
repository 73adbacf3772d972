import { TimeoutError } from '../errors/connection-error.ts';
import { ResponseTooLargeError } from '../errors/response-error.ts';
import { isRestkinError } from '../errors/restkin-error.ts';
import { isBrowser } from '../runtime.ts';
import { isStream, readBody, sourceOf, tooLarge } from './body.ts';
import { isProgramError, toFetchError } from './failure.ts';
import type { Fetch, FetchInit, FetchResponse } from './fetch.ts';
import {
  type ApiRequest,
  type ApiResponse,
  contextOf,
  isSuccess,
  processedNote,
  type Send,
} from './message.ts';
import { createLimit, toDeadlineError, tooLate, waitUpTo } from './timing.ts';
import { toWebResponse } from './web-response.ts';

// A browser may respond from its cache without asking the server (RFC 9111 §4.2.2), even if another user has
// logged in since. Other runtimes have no cache; there the option would add headers, or be refused.
const uncached: Pick<FetchInit, 'cache'> = isBrowser() ? { cache: 'no-store' } : {};

/**
 * Node's `fetch` keeps a copy of a streamed body, to resend it after a redirect, unless redirects are errors.
 */
const copiesStreams = 'undici' in (globalThis.process?.versions ?? {});

/** Written by the build. */
declare const RESTKIN_VERSION: string;

// A browser sends either only with the consent of the server, which it asks for with a preflight.
const version = typeof RESTKIN_VERSION === 'undefined' ? 'source' : RESTKIN_VERSION;
const agent = isBrowser() ? {} : { 'user-agent': `restkin/${version}` };
const ownIdHeader: string | false = isBrowser() ? false : 'x-request-id';

/** A stream that fails with its attempt: Node's `fetch` reads the body of an aborted request to its end. */
const endingWith = (body: ReadableStream, { signal }: AbortController): ReadableStream => {
  // As `fetch` does, the constructor refuses a stream that was read.
  const reader = (new Response(body).body ?? body).getReader();
  const start = (controller: ReadableStreamDefaultController): void =>
    signal.addEventListener('abort', () => {
      // Before the reader ends, so that what was sent is not taken for the whole body.
      controller.error(signal.reason);
      void reader.cancel(signal.reason).catch(() => undefined);
    });
  return new ReadableStream({ ...sourceOf(reader), start }, { highWaterMark: 0 });
};

const toInit = (
  request: ApiRequest,
  idHeader: string | false,
  signal: AbortSignal,
  attempt: AbortController,
): FetchInit => {
  const { method, body, callId } = request;
  const headers = { ...agent, ...(idHeader && { [idHeader]: callId }), ...request.headers };
  const init = { method, headers, body: body ?? null, signal, redirect: 'manual', ...uncached } as const;
  if (!isStream(body)) return init;
  if (!copiesStreams) return { ...init, duplex: 'half' };
  return { ...init, body: endingWith(body, attempt), duplex: 'half', redirect: 'error' };
};

/**
 * One attempt on the wire: no retry, no redirect, no credentials of its own. The time limit covers the
 * response up to its last byte, or up to its headers if the caller reads the body.
 *
 * @param given - the runtime's own `fetch` by default, as it is at the time of each request
 * @throws {@link ConnectionError}, {@link TimeoutError}, {@link ResponseTooLargeError}; the signal's reason
 * when aborted; an error of the program that `fetch` throws
 */
export const createTransport =
  (given: Fetch | undefined, maxBytes: number, idHeader = ownIdHeader): Send =>
  async (request) => {
    const { url, signal, readAs } = request;
    signal?.throwIfAborted();
    const timeoutMs = Math.min(request.timeoutMs, request.deadline - performance.now());
    if (timeoutMs <= 0) throw toDeadlineError(request);
    const attempt = new AbortController();
    // Only the signal of the call outlives the headers of a response whose body the caller reads.
    const isLeft = readAs === 'response' || readAs === 'fetch';
    const ends = signal && isLeft ? AbortSignal.any([signal, attempt.signal]) : attempt.signal;
    const { ended, clear } = createLimit(timeoutMs, signal);
    const read = async (response: FetchResponse | undefined): Promise<ApiResponse> => {
      // In JavaScript, and in a wrapper that logs bodies.
      if (response?.headers === undefined || response.bodyUsed)
        throw new TypeError(
          'the request was sent, and `fetch` returned no Response, or one whose body it has read: read response.clone() there',
        );
      const { status, statusText, headers, type } = response;
      const head = { status, statusText, headers, filtered: type === 'cors' };
      if (isSuccess(status) && isLeft) return { ...head, body: '', unread: toWebResponse(response, url) };
      const as = readAs === 'fetch' || (readAs === 'bytes' && isSuccess(status)) ? 'bytes' : 'text';
      const body = await readBody(response, as, maxBytes).catch((error: unknown) => {
        // A 201 says that the resource exists, a 202 that it was accepted, and an error that it failed, also
        // without the rest.
        if (isSuccess(status) && status !== 201 && status !== 202) throw toFetchError(request, error);
        return undefined;
      });
      if (body !== tooLarge) return { ...head, body: body ?? '', isCut: body === undefined };
      throw new ResponseTooLargeError({
        ...contextOf(request, head),
        message: `the body is larger than \`maxResponseBytes\` (${maxBytes})${processedNote(request, status)}`,
        status,
      });
    };
    // Asynchronous, so that what a `fetch` throws at once is a rejection too, and leaves none behind.
    const fetchAndRead = async (): Promise<ApiResponse> =>
      read(await (given ?? globalThis.fetch)(url, toInit(request, idHeader, ends, attempt)));
    try {
      const reading = fetchAndRead();
      let result = await Promise.race([reading, ended]);
      // The timers of a process that was stopped fire before it reads what arrived meanwhile: one more turn
      // of its event loop reads that.
      if (result === tooLate) result = await waitUpTo(reading, 0);
      if (result !== tooLate) return result;
      const limit = timeoutMs < request.timeoutMs ? ', the rest of `deadlineMs`' : '';
      const message = `no complete response within ${Math.round(timeoutMs)} ms${limit}`;
      throw new TimeoutError({ ...contextOf(request), message, sent: true });
    } catch (error) {
      attempt.abort();
      signal?.throwIfAborted();
      const isFinal = isRestkinError(error) || isProgramError(error, given !== undefined);
      throw isFinal ? error : toFetchError(request, error);
    } finally {
      clear();
    }
  };
