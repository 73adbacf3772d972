import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What is safely on the disk of an export. */
export interface ExportState {
  /**
   * The link to the first page that is not in the file; absent before the first page, and after the last one.
   */
  readonly next?: string;
  readonly records: number;
  /** Length of the file up to that page; what lies behind it was not confirmed. */
  readonly bytes: number;
  readonly complete: boolean;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The state of an export; that of a new one when there is no such file. */
export const readState = async (path: string): Promise<ExportState> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return { records: 0, bytes: 0, complete: false };
    throw error;
  }
};

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** Replaces the state in one step: whoever reads it after a crash finds the old one or the new one, whole. */
export const writeState = async (path: string, state: ExportState): Promise<void> => {
  const next = `${path}.next`;
  await writeFile(next, JSON.stringify(state), { flush: true });
  await rename(next, path);
  // The new name is an entry of the folder, which has to reach the disk as well.
  await syncFolder(dirname(path));
};
