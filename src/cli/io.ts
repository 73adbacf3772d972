import { readFile, writeFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { stoppedBy, UsageError } from './errors.ts';

export interface Output {
  readonly isTerminal: boolean;
  /** Resolves when the reader has taken it. Rejects when the reader is gone. */
  write(part: string): Promise<void>;
  /** Writes without waiting. Nothing happens when the reader is gone. */
  say(part: string): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
  /** From now on, a reader that is gone no longer ends the command, and output for it is dropped. */
  detach(): void;
}

export interface Io {
  /** The data, and nothing else. */
  readonly out: Output;
  /** Errors and, on a terminal, progress. */
  readonly err: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted with a {@link Stopped} when the command is to end. */
  readonly signal: AbortSignal;
}

/**
 * Writes to a stream with backpressure.
 *
 * @param onFailure - called when the stream failed, with the reason to end the command
 * @param signal - once it is aborted, a reader that takes nothing is not waited for
 */
export const createOutput = (
  stream: Writable & { readonly isTTY?: boolean },
  onFailure: (reason: Error) => void,
  signal?: AbortSignal,
): Output => {
  let failure: Error | undefined;
  let isDetached = false;
  let written = Promise.resolve();
  const fail = (error: NodeJS.ErrnoException): void => {
    failure ??= error.code === 'EPIPE' ? stoppedBy('SIGPIPE') : error;
    if (!isDetached) onFailure(failure);
  };
  stream.on('error', fail);
  const stopped = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  const pass = (part: string): Promise<void> =>
    new Promise((resolve) => {
      stream.write(part, (error) => {
        if (error) fail(error);
        resolve();
      });
    });
  const flush = async (): Promise<void> => {
    await (stream.writableNeedDrain ? Promise.race([written, stopped]) : written);
    if (failure !== undefined && !isDetached) throw failure;
  };
  const write = (part: string): Promise<void> => {
    // The stream calls back in the order of its writes, so the last callback covers all of them.
    if (failure === undefined) written = pass(part);
    return flush();
  };
  return {
    isTerminal: stream.isTTY === true,
    write,
    say: (part) => void write(part).catch(() => undefined),
    flush,
    detach: () => {
      isDetached = true;
    },
  };
};

/** The error for a file that cannot be read. */
export const cannotRead = (file: string, error: unknown): UsageError =>
  new UsageError(`${file} cannot be read: ${(error as Error).message}`);

/**
 * The value of a JSON file.
 *
 * @throws {@link UsageError} for a file that cannot be read, or is not JSON
 */
export const readJson = async (file: string): Promise<unknown> => {
  const content = await readFile(file, 'utf8').catch((error) => {
    throw cannotRead(file, error);
  });
  try {
    return JSON.parse(content);
  } catch (error) {
    // The engine quotes the content behind a comma, and the file may hold a secret.
    const [reason] = (error as Error).message.split(/, (?:\.\.\.)?"/);
    throw new UsageError(`${file} is not JSON: ${reason}`);
  }
};

/** Writes a file. @throws {@link UsageError} for a file that cannot be written */
export const writeContent = async (file: string, content: string): Promise<void> => {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
};

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The escapes of a character, one for each of its UTF-16 units. */
export const toUnicodeEscapes = (char: string): string =>
  char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

// Controls, line separators and invisible characters, such as those that change the direction of writing. The joiners
// (U+200C, U+200D) stay: many scripts and emoji need them.
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A string of a server, made safe for a terminal: characters that a terminal obeys or hides become escapes. */
export const printable = (value: string): string =>
  value.replace(unprintable, (char) => escapes[char] ?? toUnicodeEscapes(char));
