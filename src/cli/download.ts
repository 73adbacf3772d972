import { basename } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { saveFile } from '../adapters/files.ts';
import type { ApiDeclaration, BodyProgress, Client } from '../index.ts';
import { UsageError } from './errors.ts';
import { cannotWrite, createOutput, type Io, type Output, printable } from './io.ts';
import { createStatusLine } from './progress.ts';

const units = ['B', 'kB', 'MB', 'GB'] as const;

export const formatBytes = (bytes: number): string => {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
};

const barWidth = 24;

/** The progress of a download, with a bar if its length is known. */
export const formatProgress = ({ bytes, total }: Pick<BodyProgress, 'bytes' | 'total'>): string => {
  if (total === undefined) return formatBytes(bytes);
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const done = Math.round(share * barWidth);
  const bar = '#'.repeat(done).padEnd(barWidth, '-');
  return `[${bar}] ${Math.floor(share * 100)}% of ${formatBytes(total)}`;
};

/** What is saved, and where. */
interface Download {
  readonly api: ApiDeclaration;
  /** Below `/v<major>/`. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly file: string;
  readonly isVerbose: boolean;
}

/** Saves a stream. @throws {@link UsageError} for a failure of the file system; it names the file that the user gave */
const saveAs = async (stream: ReadableStream<Uint8Array>, file: string): Promise<number> => {
  try {
    return await saveFile(stream, file);
  } catch (error) {
    // Only errors of the operating system have a `syscall`.
    throw error instanceof Error && 'syscall' in error ? cannotWrite(file, error) : error;
  }
};

/** Saves the response of an own endpoint as it comes. */
export const download = async (client: Client, wanted: Download, io: Io): Promise<void> => {
  const { api, path, query, file, isVerbose } = wanted;
  const { err } = io;
  const bar = createStatusLine(err, err.isTerminal && !isVerbose);
  let line = '';
  try {
    const stream = await client.request({
      method: 'GET',
      path: `v${api.version}/${path.replace(/^\/+/, '')}`,
      api,
      query,
      as: 'stream',
      signal: io.signal,
      onProgress: (progress) => bar.show(formatProgress(progress)),
    });
    line = `${printable(basename(file))}: ${formatBytes(await saveAs(stream, file))}\n`;
  } finally {
    await bar.clear();
    if (err.isTerminal) await err.write(line);
  }
};

const extensions = /\.(json|ndjson|csv)$/i;

/** The format of records in a file, by its name. @throws {@link UsageError} for another name */
export const formatOfFile = (file: string): string => {
  const [, extension] = extensions.exec(file) ?? [];
  if (extension !== undefined) return extension.toLowerCase();
  throw new UsageError('--output for records must name a file that ends in .json, .ndjson or .csv');
};

/** Saves what a command writes, completely or not at all. */
export const writeTo = async (
  file: string,
  write: (out: Output) => Promise<void>,
  { signal }: Io,
): Promise<void> => {
  const through = new PassThrough();
  const out = createOutput(through, (reason) => through.destroy(reason), signal);
  // The types of Node's streams and of the DOM's differ, the streams do not.
  const stream = Readable.toWeb(through) as unknown as ReadableStream<Uint8Array>;
  const work = async (): Promise<void> => {
    try {
      await write(out);
      await out.flush();
      through.end();
    } catch (error) {
      through.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };
  const [written, saved] = await Promise.allSettled([work(), saveAs(stream, file)]);
  // If the file fails, the write fails as a consequence. If the write fails, the file fails with the same reason.
  if (saved.status === 'rejected') throw saved.reason;
  if (written.status === 'rejected') throw written.reason;
};
