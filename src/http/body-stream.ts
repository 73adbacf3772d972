// Loaded with the first stream, so it imports no code: the entry stays one file for applications without streams.

import type { ConnectionError } from '../errors/connection-error.ts';
import type { ApiResponse, BodyProgress, OpenBody } from './message.ts';

/** Why a stream ends before its body is complete. */
export type CutReason =
  | { readonly kind: 'late'; readonly limit: 'idleTimeoutMs' | 'deadlineMs' }
  | { readonly kind: 'lost'; readonly error: unknown };

/** The part of the content that a response has. */
interface ContentPart {
  /** Bytes of the body; undefined when the response does not say. A body that ends earlier was cut. */
  readonly length: number | undefined;
  /** Bytes of the content before the body, for a resumed download. */
  readonly offset: number;
  /** Bytes of the whole content; undefined when unknown. */
  readonly total: number | undefined;
}

/** Reads `Content-Range`; undefined for an invalid one (RFC 9110 §14.4). */
const parseRange = (value: string | null): ContentPart | undefined => {
  const [, from, to, of] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(value ?? '') ?? [];
  const [offset, last] = [Number(from), Number(to)];
  const total = of === '*' ? undefined : Number(of);
  const end = total ?? last + 1;
  return offset <= last && last < end ? { offset, total, length: end - offset } : undefined;
};

/**
 * The part of the content in a response. Undefined for a part other than the requested one, for one of other content, because a
 * server may honour `Range` and ignore `If-Range`, and for an encoded one, whose bytes are not those of the content.
 *
 * @param length - bytes of the body
 * @param from - the requested part
 */
export const partOf = (
  { status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
  length: number | undefined,
  from: { readonly bytes: number; readonly etag?: string | undefined } | undefined,
): ContentPart | undefined => {
  if (status !== 206) return { offset: 0, total: length, length };
  const part = parseRange(headers.get('content-range'));
  const { bytes = part?.offset, etag = null } = from ?? {};
  const isSameContent = etag === null || (headers.get('etag') ?? etag) === etag;
  return part?.offset === bytes && isSameContent && !headers.has('content-encoding') ? part : undefined;
};

/** The body of a stream, and its limits. */
export interface BodyStreamInit extends ContentPart {
  readonly open: OpenBody;
  readonly signal: AbortSignal | undefined;
  /** Longest wait for a piece that the reader requests, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Milliseconds left for the whole body; undefined for no limit. */
  readonly leftMs: number | undefined;
  readonly onProgress: ((progress: BodyProgress) => void) | undefined;
  readonly toError: (reason: CutReason, receivedBytes: number) => ConnectionError;
  /** Resends the request while nothing of the body was delivered. Rejects with the error of the stream. */
  readonly reopen: (error: ConnectionError) => Promise<OpenBody>;
  /** Called with the failure of the stream; returns the error that its reader gets. */
  readonly onFailure: (error: unknown) => unknown;
  /** Called once, when the stream has ended, failed or was cancelled. */
  readonly onEnd: (reason: unknown) => void;
}

type Piece = Uint8Array<ArrayBuffer>;

/**
 * The body of a response as a stream. It fails with a typed error when the body is cut, at the limits of its call, and when the
 * signal aborts. It takes a piece from the connection only when its reader requests one, so a slow reader slows the server.
 */
export const createBodyStream = (init: BodyStreamInit): ReadableStream<Piece> => {
  const { length, offset, total, signal, idleTimeoutMs, leftMs, onProgress, toError, onFailure, onEnd } =
    init;
  let { open } = init;
  // `body` is null for a response without one.
  let reader = open.response.body?.getReader();
  let received = 0;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const disconnect = (reason: unknown): void => {
    // Some runtimes close the connection for only one of the two.
    reader?.cancel(reason).catch(() => undefined);
    open.attempt.abort(reason);
  };

  const readPiece = (): Promise<Piece | undefined> =>
    new Promise((resolve, reject) => {
      const idle = setTimeout(
        () => reject(toError({ kind: 'late', limit: 'idleTimeoutMs' }, received)),
        idleTimeoutMs,
      );
      const read = reader?.read() ?? Promise.resolve({ value: undefined });
      read
        .finally(() => clearTimeout(idle))
        .then(
          ({ value }) => {
            const isCut = value === undefined && length !== undefined && received < length;
            if (isCut) reject(toError({ kind: 'lost', error: undefined }, received));
            else resolve(value);
          },
          (error: unknown) => reject(toError({ kind: 'lost', error }, received)),
        );
    });

  /** The next piece; undefined at the end. The request is retried when the body is lost before its first byte. */
  const nextPiece = async (): Promise<Piece | undefined> => {
    for (;;) {
      try {
        return await readPiece();
      } catch (error) {
        if (isOver || received > 0) throw error;
        disconnect(error);
        // `readPiece` rejects only with what `toError` made.
        open = await init.reopen(error as ConnectionError);
        reader = open.response.body?.getReader();
        if (isOver) disconnect(error);
      }
    }
  };

  const finish = (reason?: unknown): void => {
    isOver = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    onEnd(reason);
  };

  let controller: ReadableStreamDefaultController<Piece>;
  const fail = (error: unknown): void => {
    if (isOver) return;
    finish(error);
    disconnect(error);
    controller.error(onFailure(error));
  };
  const onAbort = (): void => fail(signal?.reason);

  return new ReadableStream<Piece>(
    {
      start: (own) => {
        controller = own;
        if (leftMs !== undefined)
          timer = setTimeout(() => fail(toError({ kind: 'late', limit: 'deadlineMs' }, received)), leftMs);
        if (signal?.aborted) onAbort();
        else signal?.addEventListener('abort', onAbort, { once: true });
      },
      pull: async () => {
        try {
          const piece = await nextPiece();
          if (isOver) return;
          if (piece === undefined) {
            finish();
            controller.close();
            return;
          }
          received += piece.length;
          controller.enqueue(piece);
          onProgress?.({ direction: 'download', bytes: offset + received, total });
        } catch (error) {
          fail(error);
        }
      },
      cancel: (reason) => {
        finish(reason);
        disconnect(reason);
      },
    },
    { highWaterMark: 0 },
  );
};
