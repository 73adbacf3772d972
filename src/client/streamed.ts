import { header } from '../conventions.ts';
import { TimeoutError } from '../errors/connection-error.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import type { BodyStreamInit } from '../http/body-stream.ts';
import { toConnectionError } from '../http/connection-failure.ts';
import { type ApiResponse, type BodyProgress, contextOf, type OpenBody } from '../http/message.ts';
import { hasStream, honestLength } from '../http/read-body.ts';
import { longestTimerMs } from '../http/timing.ts';
import { createReader } from '../options.ts';
import { type ResponseInfo, toResponseInfo } from './call.ts';
import { unexpected } from './outcome.ts';
import type { CallContext, Exchange } from './pipeline.ts';

/** Where a cut download continues; see {@link StreamOptions}. */
export interface ResumePoint {
  /** Bytes that were received before, from 0. */
  readonly bytes: number;
  /**
   * The entity tag of the response that they came from; a weak one cannot be used (RFC 9110 §13.1.5). Without it, the caller
   * must be sure that the content has not changed.
   */
  readonly etag?: string | undefined;
}

/**
 * Options of a body that is read as a stream.
 *
 * @example
 * ```ts
 * const request = { method: 'GET', path: 'v1/recordings/3', as: 'stream' } as const;
 * const first = await client.request(request);
 * await first.cancel(); // the connection was lost after 400 bytes
 * const rest = await client.request({ ...request, resumeFrom: { bytes: 400, etag: first.etag } });
 * console.log(rest.status, rest.offset); // 206 400
 * ```
 */
export interface StreamOptions {
  /** Longest wait for the next piece, in milliseconds; `timeoutMs` by default. The time between two reads does not count. */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Requests the rest of a download that was cut (`Range` and `If-Range`). A server that ignores it, or whose content has
   * changed, sends everything: then `offset` of the stream is 0.
   */
  readonly resumeFrom?: ResumePoint | undefined;
  /** Called for each piece of the body of the response, and of a request whose body is a stream. Its errors are ignored. */
  readonly onProgress?: ((progress: BodyProgress) => void) | undefined;
}

/**
 * The body of a response, read piece by piece, with the head of the response. Cancelling it closes the connection.
 *
 * Its reader gets a `ConnectionError` for a body that is cut and a `TimeoutError` for one that stalls, both with
 * `receivedBytes`. When the call is aborted, it gets the signal's reason.
 *
 * @example
 * ```ts
 * const recording = await client.request({ method: 'GET', path: 'v1/recordings/3', as: 'stream' });
 * for await (const piece of recording) console.log(piece.length);
 * ```
 */
export interface BodyStream extends ReadableStream<Uint8Array<ArrayBuffer>>, ResponseInfo {
  /** Bytes of the content before the body: 0, unless the server honours `resumeFrom`. */
  readonly offset: number;
  /** Bytes of the whole content; undefined when the server does not say, or the body is encoded. */
  readonly total: number | undefined;
}

const readResumePoint = createReader<ResumePoint>({ bytes: undefined, etag: undefined });

/** The headers of a request that continues a download. @throws {@link InvalidRequestError} */
export const rangeFields = (from: ResumePoint | undefined): Readonly<Record<string, string>> => {
  if (from === undefined) return {};
  const { bytes, etag } = readResumePoint(from, 'resumeFrom');
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new InvalidRequestError('resumeFrom.bytes must be an integer from 0');
  if (etag !== undefined && !/^"[!#-~\x80-\xff]*"$/.test(etag)) {
    throw new InvalidRequestError(
      'resumeFrom.etag must be a strong entity tag such as "abc"; with a weak one the download starts from 0',
    );
  }
  if (bytes === 0) return {};
  return { [header.range]: `bytes=${bytes}-`, ...(etag && { [header.ifRange]: etag }) };
};

const isSame = (a: ApiResponse, b: ApiResponse): boolean =>
  a.status === b.status &&
  [header.etag, header.contentLength, header.contentRange].every(
    (name) => a.headers.get(name) === b.headers.get(name),
  );

const close = ({ response, attempt }: OpenBody): void => {
  void response.body?.cancel().catch(() => undefined);
  attempt.abort();
};

/** The errors of an exchange's stream, and the function that resends its request. */
const partsOf = (
  { deliver, call }: CallContext,
  { request, response, policy }: Exchange,
  idleTimeoutMs: number,
): Pick<BodyStreamInit, 'toError' | 'reopen' | 'onFailure' | 'onEnd'> => {
  let { attempts } = response;
  return {
    toError: (reason, receivedBytes) => {
      if (reason.kind === 'lost') {
        return Object.assign(toConnectionError(request, reason.error, receivedBytes), { attempts });
      }
      const limit =
        reason.limit === 'idleTimeoutMs'
          ? `no data for ${idleTimeoutMs} ms (\`idleTimeoutMs\`)`
          : '`deadlineMs` passed';
      const message = `the body is incomplete: ${limit}, after ${receivedBytes} bytes of it`;
      return new TimeoutError({
        ...contextOf(request, response),
        message,
        sent: true,
        receivedBytes,
        attempts,
      });
    },
    reopen: async (error) => {
      const failed = attempts.map((attempt, index) =>
        index === attempts.length - 1 ? { ...attempt, error: error.code } : attempt,
      );
      const again = await deliver(request, policy, { error, attempts: failed });
      attempts = again.attempts;
      // The caller already has the head of the first response, so the new one must be the same.
      if (again.open !== undefined && isSame(again, response)) return again.open;
      if (again.open !== undefined) close(again.open);
      throw error;
    },
    onFailure: call.fail,
    // The server does not need the rest of a request body that it has not read by now.
    onEnd: (reason) => request.oneShot?.cancel(reason),
  };
};

export const toBodyStream = async (
  api: CallContext,
  exchange: Exchange,
  options: StreamOptions & { readonly deadlineMs?: number | undefined },
  checkHead: () => void,
): Promise<BodyStream> => {
  const { request, response } = exchange;
  // A request for a stream gets an open body with each success.
  const open = response.open as OpenBody;
  try {
    checkHead();
    const idleTimeoutMs = options.idleTimeoutMs ?? request.timeoutMs;
    if (open.response.body !== null && !hasStream(open.response)) {
      throw new InvalidRequestError(
        "fetch must give web streams for as: 'stream'; check the one in createClient({ fetch })",
      );
    }
    const { createBodyStream, partOf } = await import('../http/body-stream.ts');
    const part = partOf(response, honestLength(open.response), options.resumeFrom);
    if (part === undefined) {
      throw unexpected(
        exchange,
        'the server sent a part that does not match `resumeFrom` (Content-Range, ETag); download the whole content',
      );
    }
    const stream = createBodyStream({
      ...partsOf(api, exchange, idleTimeoutMs),
      ...part,
      open,
      signal: request.signal,
      idleTimeoutMs: Math.min(idleTimeoutMs, longestTimerMs),
      leftMs:
        options.deadlineMs === undefined
          ? undefined
          : Math.min(Math.max(0, request.deadline - performance.now()), longestTimerMs),
      onProgress: request.onProgress,
    });
    const { offset, total } = part;
    return Object.assign(stream, toResponseInfo(response), { offset, total });
  } catch (error) {
    close(open);
    request.oneShot?.cancel(error);
    throw error;
  }
};
