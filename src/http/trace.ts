import type { Method } from '../conventions.ts';

/**
 * An operation of a client, as {@link Trace} gets it. It holds no secret, and no value of a path or a query.
 */
export interface TracedOperation {
  /** A call, a list with all its pages, or the renewal of a token, which the calls of a login share. */
  readonly kind: 'call' | 'list' | 'renewal';
  /** Identifies the call, as in events and errors; of a renewal, one of the calls that wait for it. */
  readonly callId: string;
  /** Name of the API; undefined for a link, an own endpoint without `api`, and a renewal. */
  readonly api?: string | undefined;
  /** Name of the collection; undefined where there is none. */
  readonly collection?: string | undefined;
  /** Method of its requests. */
  readonly method: Method;
  /** Path template below `baseUrl`, such as `/v1/orders/{id}`; undefined for a link and an own endpoint. */
  readonly template: string | undefined;
  /** The `baseUrl` of the client, or the `authUrl`. */
  readonly baseUrl: string;
  /**
   * Status of the latest attempt; undefined without a response. This and what follows are final once `run`
   * has ended.
   */
  readonly status?: number | undefined;
  /** How many attempts its latest request made; 0 for a renewal. */
  readonly attempts: number;
  /** How long requests waited because of a 429, in milliseconds. */
  readonly throttledMs: number;
  /** How many pages of a list were read. */
  readonly pages: number;
}

/** A {@link TracedOperation} while it runs: its attempts and pages are counted in it. */
export type RunningOperation = { -readonly [K in keyof TracedOperation]: TracedOperation[K] };

/** The counts of a {@link RunningOperation} at its start. */
export const nothingDone = { attempts: 0, throttledMs: 0, pages: 0 };

/**
 * Surrounds each operation of a client: `(operation, run) => run()`. It calls `run` before it returns;
 * otherwise the operation runs without it. What it throws is ignored.
 *
 * @param run - runs the operation, once; it rejects with the error that the caller gets
 */
export type Trace = (operation: TracedOperation, run: () => Promise<unknown>) => unknown;

const ignore = (): void => undefined;

/** Calls a function of the application. What it throws, and what it rejects with, is ignored. */
export const notify = (observe: () => unknown): void => {
  new Promise((resolve) => resolve(observe())).catch(ignore);
};

/** Runs an operation inside `trace`. */
export const traced = <T>(trace: Trace, operation: TracedOperation, run: () => Promise<T>): Promise<T> => {
  let running: Promise<T> | undefined;
  const start = (): Promise<T> => {
    running ??= run();
    return running;
  };
  notify(() => trace(operation, start));
  // `trace` reacts to the same promise before the caller does: its span has ended when the caller continues.
  return start();
};

/** An operation of several parts inside `trace`. */
export interface Span {
  /** Runs a part in the context that `trace` gives to `run`. */
  readonly run: <T>(part: () => Promise<T>) => Promise<T>;
  /**
   * Ends the operation, with the error that the caller gets or without one, and waits for what `trace` makes
   * of it.
   */
  readonly end: (failure: { readonly error: unknown } | undefined) => Promise<unknown>;
}

/** A part that is to run, and the promise of the one after it; it is undefined at the end. */
interface Turn {
  readonly start: () => void;
  readonly next: Promise<Turn | undefined>;
}

/** Begins an operation whose parts run one after another or at the same time, until it ends. */
export const openSpan = (trace: Trace, operation: TracedOperation): Span => {
  let last = Promise.withResolvers<Turn | undefined>();
  // Moves on with the parts: from the first turn, the results of all later ones could be reached.
  let next = last.promise;
  // An asynchronous function keeps the context in which it was called, whoever settles what it waits for.
  const startParts = async (): Promise<void> => {
    for (let turn = await next; turn !== undefined; turn = await next) {
      next = turn.next;
      turn.start();
    }
  };
  const ended = traced(trace, operation, startParts).catch(ignore);
  return {
    run: (part) =>
      new Promise((resolve) => {
        const { resolve: take } = last;
        last = Promise.withResolvers();
        take({ start: () => resolve(part()), next: last.promise });
      }),
    end: (failure) => {
      if (failure === undefined) last.resolve(undefined);
      else last.reject(failure.error);
      return ended;
    },
  };
};
