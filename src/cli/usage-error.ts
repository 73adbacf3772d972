/** The command cannot be done as it was written; its message says what to write instead. Ends with exit code 2. */
export class UsageError extends Error {
  override get name(): string {
    return 'UsageError';
  }
}
