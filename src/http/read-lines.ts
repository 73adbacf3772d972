// Loaded with the first call of `client.lines`, so it imports no code.

/** How the lines of a response are requested and parsed. */
export interface LinesInit<T> {
  /**
   * Sends the request; called once.
   *
   * @param requests - aborted when the reader leaves before the response arrives
   */
  readonly open: (requests: AbortController) => Promise<ReadableStream<Uint8Array>>;
  /** Longest line without its end, in UTF-16 code units. */
  readonly maxLength: number;
  /** The value of a line that is not blank; a promise only where the check is asynchronous. */
  readonly toValue: (line: string, number: number) => T | Promise<T>;
  readonly toTooLong: (number: number) => Error;
  /** Called with a failure other than that of the stream; returns the error that the reader gets. */
  readonly onFailure: (error: unknown) => unknown;
}

const done = { done: true, value: undefined } as const;

const isBlank = (line: string): boolean => line === '' || (line.charCodeAt(0) <= 0x20 && line.trim() === '');

/**
 * The values of newline-delimited JSON, one by one. A line is parsed when the reader requests it, without a promise of its
 * own, because a file may have a million lines.
 */
export const readLines = <T>(init: LinesInit<T>): AsyncIterableIterator<T, undefined> => {
  const decoder = new TextDecoder();
  const requests = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let busy: Promise<unknown> | undefined;
  let isOver = false;
  let isLeft = false;
  /** The string that was read last, and where its next line begins. */
  let read = '';
  let at = 0;
  /** The beginning of a line whose end is not read yet. */
  let rest = '';
  let number = 0;

  const cancel = async (): Promise<void> => {
    isOver = true;
    // The connection is closed even if this fails.
    await reader?.cancel().catch(() => undefined);
  };

  const checkLength = (length: number, line: number): void => {
    if (length > init.maxLength) throw init.toTooLong(line);
  };

  /** The next complete line that is not blank; undefined when there is none. */
  const takeLine = (): string | undefined => {
    for (;;) {
      const end = read.indexOf('\n', at);
      if (end < 0) return undefined;
      const line = rest + read.slice(at, end);
      rest = '';
      at = end + 1;
      number++;
      checkLength(line.endsWith('\r') ? line.length - 1 : line.length, number);
      if (!isBlank(line)) return line;
    }
  };

  /** Reads the next piece. @returns false at the end */
  const readPiece = async (from: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> => {
    const { done, value } = await from.read().catch((error: unknown) => {
      isOver = true;
      throw error;
    });
    // The last line may have no line end.
    read = done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true });
    at = 0;
    return !done;
  };

  const fail = async (error: unknown): Promise<never> => {
    // The stream has reported its own failure, and is closed.
    if (isOver) throw error;
    await cancel();
    throw init.onFailure(error);
  };

  const readOn = async (): Promise<IteratorResult<T, undefined>> => {
    try {
      reader ??= (await init.open(requests)).getReader();
      while (!isOver) {
        rest += read.slice(at);
        // The last character may be the `\r` of the line end.
        checkLength(rest.length - 1, number + 1);
        const isMore = await readPiece(reader);
        // After leaving, the rest may be part of a line, so it is not parsed.
        if (isLeft) break;
        const line = takeLine();
        if (!isMore) isOver = line === undefined;
        if (line !== undefined) return { done: false, value: await init.toValue(line, number) };
      }
      await cancel();
      return done;
    } catch (error) {
      return isLeft ? done : fail(error);
    }
  };

  const wait = (result: Promise<IteratorResult<T, undefined>>): Promise<IteratorResult<T, undefined>> => {
    const settled = (): void => {
      busy = undefined;
    };
    busy = result.then(settled, settled);
    return result;
  };

  const after = async (earlier: Promise<unknown>): Promise<IteratorResult<T, undefined>> => {
    await earlier;
    return next();
  };

  const next = (): Promise<IteratorResult<T, undefined>> => {
    // Concurrent calls resolve in their order.
    if (busy !== undefined) return after(busy);
    if (isOver) return Promise.resolve(done);
    try {
      const line = takeLine();
      if (line === undefined) return wait(readOn());
      const value = init.toValue(line, number);
      return value instanceof Promise
        ? wait(value.then((checked) => ({ done: false as const, value: checked }), fail))
        : Promise.resolve({ done: false, value });
    } catch (error) {
      return fail(error);
    }
  };

  return {
    next,
    return: async () => {
      isLeft = true;
      requests.abort();
      await cancel();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
