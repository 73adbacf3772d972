// Loaded with the first body of this kind, so it imports no code.

import type { BodyProgress, OneShotBody } from './message.ts';

/** Pieces of a body, from a stream or from an iterable such as a stream of Node. */
export type Pieces = ReadableStream<unknown> | AsyncIterable<unknown>;

/** Reads the pieces of either kind one by one, and ends them early. */
interface Source {
  next(): Promise<{ readonly done?: boolean; readonly value?: unknown }>;
  end(reason: unknown): Promise<unknown> | undefined;
}

const toSource = (pieces: Pieces): Source => {
  if ('getReader' in pieces) {
    const reader = pieces.getReader();
    return { next: () => reader.read(), end: (reason) => reader.cancel(reason) };
  }
  const iterator = pieces[Symbol.asyncIterator]();
  return { next: () => iterator.next(), end: () => iterator.return?.() };
};

type Piece = Uint8Array<ArrayBuffer>;

const ignore = (): void => undefined;

/**
 * A body that is read while it is sent. The application's stream is given to no `fetch`: that would end it with the first
 * attempt, also with one that made no connection.
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
  /** Kept until the second piece is taken. */
  let first: Promise<Piece | undefined> | undefined;
  let latest: ReadableStream | undefined;

  const takePiece = async (): Promise<Piece | undefined> => {
    try {
      const { done, value } = await source.next();
      if (done) {
        isEnded = true;
        return undefined;
      }
      if (value instanceof Uint8Array) return value as Piece;
      throw toWrongPiece();
    } catch (error) {
      failure = { error };
      throw error;
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
      // An iterator may fail to end, and is not awaited.
      void Promise.resolve(source.end(reason)).catch(ignore);
    },
    open: (onPiece) => {
      const stream = new ReadableStream<Piece>(
        {
          pull: async (controller) => {
            // An attempt that was given up must not take a piece from the next one.
            if (stream !== latest) throw new TypeError('The body belongs to another attempt');
            const piece = await nextPiece();
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
      );
      latest = stream;
      return stream;
    },
  };
};
