/**
 * Saves streams as files. For Node, Bun and Deno.
 *
 * @module restkin/files
 */

import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** A stream that may know which part of the content it has. */
type Download = ReadableStream<Uint8Array> & { readonly offset?: number };

const writeAll = async (file: FileHandle, piece: Uint8Array, path: string): Promise<void> => {
  // `write` takes other arguments with a string, and would write each piece over the one before.
  if (!(piece instanceof Uint8Array)) throw new TypeError('saveFile needs a stream of bytes, not of strings');
  try {
    // One call may write less than it is given.
    for (let at = 0; at < piece.length; ) {
      const { bytesWritten } = await file.write(piece, at, piece.length - at);
      at += bytesWritten;
    }
  } catch (error) {
    // The system's own message does not name the path of a write.
    if (error instanceof Error) error.message += ` '${path}'`;
    throw error;
  }
};

/**
 * The file that a path names, and its permissions if it exists.
 *
 * @throws Error for anything but a file: a device or a folder must not be replaced by one
 */
const findTarget = async (path: string): Promise<{ readonly path: string; readonly mode?: number }> => {
  try {
    // A link stays, and what it leads to is replaced.
    const target = await realpath(path);
    const found = await stat(target);
    if (found.isFile()) return { path: target, mode: found.mode };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const next = await readlink(path).catch(() => undefined);
    if (next === undefined) return { path: resolve(path) };
    // The link leads to a file that does not exist yet.
    return findTarget(resolve(await realpath(dirname(path)), next));
  }
  throw new Error(`${path} is not a file; choose another path`);
};

/**
 * Saves a stream as a file, completely or not at all. It is written beside the file, flushed to the disk and renamed. If the
 * stream or the disk fails, what was written is removed, the connection is closed, and a file that was there before stays.
 *
 * @param path - its folder must exist; a file that is there is replaced, and a link to a file stays a link
 * @returns the bytes of the file
 * @throws what the stream fails with; an Error of the file system with its `code`; an Error for a stream that has only the
 * end of the content; a TypeError for anything but a stream of bytes
 * @example
 * ```ts
 * import { saveFile } from 'restkin/files';
 *
 * const recording = await client.request({ method: 'GET', path: 'v1/recordings/3', as: 'stream' });
 * await saveFile(recording, 'recording.wav');
 * ```
 */
export const saveFile = async (stream: ReadableStream<Uint8Array>, path: string): Promise<number> => {
  if (typeof stream?.getReader !== 'function') {
    throw new TypeError('saveFile needs a ReadableStream, such as the `body` of a Response');
  }
  let part: string | undefined;
  try {
    const { offset = 0 } = stream as Download;
    if (offset > 0) throw new Error(`The stream begins at byte ${offset}; request it without \`resumeFrom\``);
    const target = await findTarget(path);
    // A long name leaves no room for the suffix.
    const name = basename(target.path).slice(0, 40);
    part = join(dirname(target.path), `${name}.${randomUUID()}.part`);
    const file = await open(part, 'wx', target.mode);
    let bytes = 0;
    try {
      // The umask of the process limits the permissions of a new file.
      if (target.mode !== undefined) await file.chmod(target.mode);
      for await (const piece of stream) {
        await writeAll(file, piece, target.path);
        bytes += piece.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, target.path);
    return bytes;
  } catch (error) {
    // A stream that has failed, or that has another reader, rejects this.
    await stream.cancel(error).catch(() => undefined);
    if (part !== undefined) await rm(part, { force: true });
    throw error;
  }
};
