/**
 * The command line cannot be run as it was written. The message says what to write instead. Ends with exit
 * code 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Ends the command without a message: after a signal, when the reader of its output is gone, or when its
 * output has told the result. Requests are aborted with it as the reason.
 */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** For a signal 128 plus its number, as a shell reports it. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`Stopped with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 } as const;

/** The end by a signal. Node ignores SIGPIPE; a closed pipe ends the command as that signal would. */
export const stoppedBy = (signal: keyof typeof signalNumbers): Stopped =>
  new Stopped(128 + signalNumbers[signal]);
