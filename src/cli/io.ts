import { readFile, writeFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { isObject } from '../options.ts';
import { stoppedBy, UsageError } from './errors.ts';

export interface Output {
  readonly isTerminal: boolean;
  /** Resolves when the reader has taken it. Rejects when the reader is gone, or the command is to end. */
  write(part: string | Uint8Array): Promise<void>;
  /** Writes without waiting. Nothing happens when the reader is gone. */
  say(part: string): void;
}

export interface Io {
  /** The data, and nothing else. */
  readonly out: Output;
  /** Errors and progress. */
  readonly err: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted with a {@link Stopped} when the command is to end. */
  readonly signal: AbortSignal;
}

/**
 * Writes to a stream at the pace of its reader.
 *
 * @param signal - once it is aborted, a reader that takes nothing is not waited for
 */
export const createOutput = (
  stream: Writable & { readonly isTTY?: boolean },
  signal: AbortSignal,
): Output => {
  // The callback of a write gets the error, too.
  stream.on('error', () => undefined);
  const write = (part: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      stream.write(part, (error: NodeJS.ErrnoException | null | undefined) => {
        signal.removeEventListener('abort', stop);
        if (error) reject(error.code === 'EPIPE' ? stoppedBy('SIGPIPE') : error);
        else resolve();
      });
      if (signal.aborted) stop();
    });
  return { isTerminal: stream.isTTY === true, write, say: (part) => void stream.write(part) };
};

/** The error for a file that cannot be read. */
export const cannotRead = (file: string, error: unknown): UsageError =>
  new UsageError(`${file} cannot be read: ${(error as Error).message}`);

/** The object of a JSON file. @throws {@link UsageError} for a file that cannot be read, or has no object */
export const readJson = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  const content = await readFile(file, 'utf8').catch((error) => {
    throw cannotRead(file, error);
  });
  let value: unknown;
  try {
    value = JSON.parse(content.trim());
  } catch (error) {
    // The engine quotes the content behind a comma, and the file may hold a secret.
    const [reason] = (error as Error).message.split(/, (?:\.\.\.)?"/);
    throw new UsageError(`${file} is not JSON: ${reason}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${file} must hold a JSON object`);
};

/**
 * Writes the result of a command: to the file of `--out`, or to stdout.
 *
 * @param isForced - whether a file that exists is replaced; someone may have edited it
 * @throws {@link UsageError} for a file that exists, and one that cannot be written
 */
export const writeResult = async (
  content: string,
  file: string | undefined,
  isForced: boolean,
  { out }: Io,
): Promise<void> => {
  if (file === undefined) return out.write(content);
  await writeFile(file, content, { flag: isForced ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new UsageError(`${file} exists; write to another file, or replace it with --force`);
    throw new UsageError(`${file} cannot be written: ${error.message}`);
  });
};

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const toUnicodeEscapes = (char: string): string =>
  char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

// Controls, line separators and invisible characters, such as those that change the direction of writing. The
// joiners (U+200C, U+200D) stay: many scripts and emoji need them.
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A string of a server, made safe for a terminal: characters that a terminal obeys or hides become escapes,
 * as in JSON.
 */
export const printable = (value: string): string =>
  value.replace(unprintable, (char) => escapes[char] ?? toUnicodeEscapes(char));

/** {@link printable} for each line of a text. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
