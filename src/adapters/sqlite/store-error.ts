/** The file of a token store cannot be used. What is at the path is left as it was. */
export class SqliteStoreError extends Error {
  /** `SqliteStoreError`. */
  override get name(): string {
    return 'SqliteStoreError';
  }

  /** The path of the store, absolute. */
  readonly path: string;

  constructor(path: string, message: string, cause?: unknown) {
    super(`The token store ${path} ${message}`, { cause });
    this.path = path;
  }
}

/** A file that restkin did not make, refused before anything is done to it. */
export const refusal = (path: string, what: string): SqliteStoreError =>
  new SqliteStoreError(
    path,
    `was refused: it is ${what}, not a store that restkin made. Nothing was changed; choose another path`,
  );

/** Names the store in a failure of the file system or of SQLite, whose own messages may name no path or another one. */
export const nameStore = (path: string, error: unknown): SqliteStoreError => {
  if (error instanceof SqliteStoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const advice = 'Check its permissions and the space on the disk, or choose another path';
  return new SqliteStoreError(path, `cannot be used: ${reason}. ${advice}`, error);
};
