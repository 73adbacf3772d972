/** Somebody outside ended the command: a signal, or the reader of its output. It is the reason of aborted requests. */
export class Stopped extends Error {
  /** 128 and the number of the signal, as a shell reports it. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`Stopped with ${exitCode}`);
    this.exitCode = exitCode;
  }
  override get name(): string {
    return 'Stopped';
  }
}

const signalNumbers = { SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 } as const;

/** The end by a signal. Node ignores SIGPIPE; a closed pipe ends the command as the signal would have. */
export const stoppedBy = (signal: keyof typeof signalNumbers): Stopped =>
  new Stopped(128 + signalNumbers[signal]);
