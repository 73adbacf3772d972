// Loaded with the first body of this kind, so it imports no code.

import type { BodyProgress, OneShotBody } from './message.ts';

/** Pieces of a body, from a stream or from an iterable such as a stream of Node. */
export type Pieces = ReadableStream<unknown> | AsyncIterable<unknown>;

/** Reads the pieces of either kind one by one, and ends them early. */
interface Source {
  next(): Promise<{ readonly done?: boolean; readonly value?: unknown }>;
  end(reason: unknown): Promise<unknown>;
}

const toSource = (pieces: Pieces): Source => {
  if ('getReader' in pieces) {
    const reader = pieces.getReader();
    return { next: () => reader.read(), end: async (reason) => reader.cancel(reason) };
  }
  const iterator = pieces[Symbol.asyncIterator]();
  return { next: () => iterator.next(), end: async () => iterator.return?.() };
};

type Piece = Uint8Array<ArrayBuffer>;

/**
 * A body that is read while it is sent. The application's stream is not passed to `fetch`, which would end it with the first
 * attempt, even with one that made no connection.
 *
 * @param toWrongPiece - makes the error for a piece that is not bytes
 */
export const createOneShotBody = (
  pieces: Pieces,
  onProgress: ((progress: BodyProgress) => void) | undefined,
  toWrongPiece: () => Error,
): OneShotBody => {
  const source = toSource(pieces);
  let taken = 0;
  let isEnded = false;
  let bytes = 0;
  let failure: OneShotBody['failure'];
  /** The first piece, kept until the second one is taken. */
  let first: Promise<Piece | undefined> | undefined;
  /** Receives the pieces of the latest attempt. */
  let sink: ReadableStreamDefaultController<Piece> | undefined;

  /** Ends the body of an attempt with an error: a body that only stopped would look complete to the server. */
  const cut = (): void => sink?.error(new TypeError('The rest of the body is not sent'));

  const takePiece = async (): Promise<Piece | undefined> => {
    try {
      const { done, value } = await source.next();
      if (done) {
        isEnded = true;
        return undefined;
      }
      // By its tag: in jsdom and under Jest, bytes of the runtime are not instances of the `Uint8Array` of this code.
      if (Object.prototype.toString.call(value) === '[object Uint8Array]') return value as Piece;
      throw toWrongPiece();
    } catch (error) {
      failure = { error };
      // Not the application's error, which may be undefined: some runtimes would then wait forever.
      throw new TypeError('The body failed');
    }
  };

  const nextPiece = (): Promise<Piece | undefined> => {
    taken++;
    if (taken > 1) {
      first = undefined;
      return takePiece();
    }
    first ??= takePiece();
    return first;
  };

  return {
    get isTaken() {
      return taken > 0;
    },
    get failure() {
      return failure;
    },
    rewind: () => {
      if (taken > 1) return false;
      taken = 0;
      bytes = 0;
      return true;
    },
    cancel: (reason) => {
      if (isEnded) return;
      isEnded = true;
      cut();
      // An iterator may never end, so it is not awaited.
      void source.end(reason).catch(() => undefined);
    },
    open: (onPiece, onFailure) =>
      new ReadableStream<Piece>(
        {
          start: (controller) => {
            // An attempt that was given up must not take a piece from this one.
            cut();
            sink = controller;
          },
          pull: async (controller) => {
            const piece = await nextPiece().catch(async (error: unknown) => {
              // Deferred, because workerd crashes when a request is aborted while it asks for a piece.
              await new Promise((resolve) => setTimeout(resolve));
              onFailure();
              throw error;
            });
            onPiece();
            if (piece === undefined) {
              controller.close();
              return;
            }
            bytes += piece.length;
            controller.enqueue(piece);
            onProgress?.({ direction: 'upload', bytes, total: undefined });
          },
        },
        // Nothing is taken before the runtime asks for it.
        { highWaterMark: 0 },
      ),
  };
};
