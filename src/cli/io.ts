import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { stoppedBy, UsageError } from './errors.ts';

export interface Output {
  readonly isTerminal: boolean;
  /** Width of the terminal in columns; undefined when there is no terminal, or its size is unknown. */
  readonly columns: number | undefined;
  /** Writes a long string immediately, and a short one soon. Rejects when the reader is gone. */
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
  /** Errors and, on a terminal, progress and questions. */
  readonly err: Output;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted with a {@link Stopped} when the command is to end. */
  readonly signal: AbortSignal;
}

/** A stream of the process, or one in its place. */
type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

// Shorter strings are gathered until the next turn of the event loop: otherwise each record would be a system call.
const mostWaiting = 65_536;

/**
 * Writes to a stream with backpressure.
 *
 * @param onFailure - called when the stream failed, with the reason to end the command
 * @param signal - once it is aborted, a reader that takes nothing is not waited for
 */
export const createOutput = (
  stream: OutputStream,
  onFailure: (reason: Error) => void,
  signal?: AbortSignal,
): Output => {
  let waiting = '';
  let written = Promise.resolve();
  let timer: NodeJS.Immediate | undefined;
  let failure: Error | undefined;
  let isDetached = false;
  const fail = (error: NodeJS.ErrnoException): void => {
    failure ??= error.code === 'EPIPE' ? stoppedBy('SIGPIPE') : error;
    if (!isDetached) onFailure(failure);
  };
  stream.on('error', fail);

  const pass = (part: string): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        signal?.removeEventListener('abort', end);
        resolve();
      };
      signal?.addEventListener('abort', end, { once: true });
      stream.write(part, (error) => {
        if (error) fail(error);
        end();
      });
      if (signal?.aborted === true && stream.writableNeedDrain) end();
    });

  const flush = async (): Promise<void> => {
    clearImmediate(timer);
    timer = undefined;
    const part = waiting;
    waiting = '';
    // The stream calls back in the order of its writes, so the last callback covers all of them.
    if (failure === undefined && part !== '') written = pass(part);
    await written;
    if (failure !== undefined && !isDetached) throw failure;
  };

  const write = async (part: string): Promise<void> => {
    if (failure !== undefined) return flush();
    waiting += part;
    if (waiting.length >= mostWaiting) return flush();
    // A failure is thrown by the next write.
    timer ??= setImmediate(() => void flush().catch(() => undefined));
  };

  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      // A terminal of unknown size reports 0.
      return stream.isTTY === true ? stream.columns || undefined : undefined;
    },
    write,
    say: (part) => void write(part).catch(() => undefined),
    flush,
    detach: () => {
      isDetached = true;
    },
  };
};

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  ENOSPC: 'the disk is full',
};

/** The error for a file that cannot be read. */
export const cannotRead = (file: string, error: unknown): UsageError => {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UsageError(`${file} does not exist`);
  return new UsageError(`${file} cannot be read: ${reasons[code] ?? code}`);
};

/**
 * The value of a JSON file.
 *
 * @throws {@link UsageError} for a file that cannot be read, or is not JSON
 */
export const readJson = async (file: string): Promise<unknown> => {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (error) {
    throw cannotRead(file, error);
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    // The engine quotes the content behind a comma, and the file may hold a secret.
    const [reason] = (error as Error).message.split(/, (?:\.\.\.)?"/);
    throw new UsageError(`${file} is not JSON: ${reason}`);
  }
};

/** The error for a file that cannot be written. */
export const cannotWrite = (file: string, error: unknown): UsageError => {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' ? 'its folder does not exist' : (reasons[code] ?? code);
  return new UsageError(`${file} cannot be written: ${reason}`);
};

/**
 * Writes a file completely or not at all. A device such as /dev/stdout is written to directly.
 *
 * @throws {@link UsageError} for a file that cannot be written
 */
export const writeContent = async (file: string, content: string): Promise<void> => {
  try {
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() === false) return await writeFile(file, content);
    const { saveFile } = await import('../adapters/files.ts');
    await saveFile(new Blob([content]).stream(), file);
  } catch (error) {
    throw cannotWrite(file, error);
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
