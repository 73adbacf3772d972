import type { Method } from '../conventions.ts';

/** What the requests of an operation did; complete when `run` of {@link Trace} has ended, with a result or an error. */
export interface TracedOutcome {
  /** Status of the latest response; undefined without one, and for a renewal. */
  readonly status: number | undefined;
  /** How many requests were sent, resent ones included; 0 for a renewal. */
  readonly sent: number;
  /** How long requests waited because of a 429, in milliseconds. */
  readonly throttledMs: number;
  /** How many pages of a list arrived. */
  readonly pages: number;
}

/** The outcome of an operation that runs. */
export type Progress = { -readonly [K in keyof TracedOutcome]: TracedOutcome[K] };

export const createProgress = (): Progress => ({ status: undefined, sent: 0, throttledMs: 0, pages: 0 });

/** An operation of a client, as {@link Trace} gets it. It holds no secret, and no value of a path or a query. */
export interface TracedOperation {
  /** A call, a list with all its pages, or the renewal of a token, which the calls of a login share. */
  readonly kind: 'call' | 'list' | 'renewal';
  /** Identifies the call, as in events and errors; of a renewal, one of the calls that wait for it. */
  readonly callId: string;
  /** Name of the API; undefined for a link, an own endpoint without `api`, and a renewal. */
  readonly api?: string | undefined;
  /** Name of the collection in its declaration; undefined where there is none. */
  readonly collection?: string | undefined;
  /** Method of its requests. */
  readonly method: Method;
  /** Path template such as `/v1/orders/{id}`; undefined for a link and an own endpoint. */
  readonly template?: string | undefined;
  /** Where its requests go: the `baseUrl` of the client, or the `authUrl`. */
  readonly baseUrl: string;
  readonly outcome: TracedOutcome;
}

/**
 * Surrounds each operation of a client: `(operation, run) => run()`. It calls `run` before it returns; otherwise the operation
 * runs without it. What it throws is ignored.
 *
 * @param run - runs the operation, once; it rejects with the error that the caller gets
 */
export type Trace = (operation: TracedOperation, run: () => Promise<unknown>) => unknown;

const ignore = (): void => undefined;

/** Runs an operation inside `trace`. */
export const traced = async <T>(
  trace: Trace,
  operation: TracedOperation,
  run: () => Promise<T>,
): Promise<T> => {
  let running: Promise<T> | undefined;
  const start = (): Promise<T> => {
    running ??= run();
    return running;
  };
  // Ignores what `trace` throws, and what it rejects with.
  new Promise((resolve) => resolve(trace(operation, start))).catch(ignore);
  // The reactions of `trace` to the same promise come first: its span has ended when the caller continues.
  return await start();
};

/** Runs a generator inside `trace`, in its asynchronous context: the reader pulls each step from a context of its own. */
export async function* tracedSteps<T>(
  trace: Trace,
  operation: TracedOperation,
  steps: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  type Reader = (step: Promise<IteratorResult<T, void>>) => void;
  let ask: (reader: Reader | undefined) => void = ignore;
  const nextReader = () =>
    new Promise<Reader | undefined>((resolve) => {
      ask = resolve;
    });
  let asked = nextReader();
  const run = async (): Promise<void> => {
    for (let reader = await asked; reader !== undefined; reader = await asked) {
      asked = nextReader();
      const step = steps.next();
      reader(step);
      if ((await step).done) return;
    }
    await steps.return();
  };
  const ended = traced(trace, operation, run).catch(ignore);
  try {
    for (;;) {
      const { done, value } = await new Promise<IteratorResult<T, void>>((resolve) => ask(resolve));
      if (done) return;
      yield value;
    }
  } finally {
    ask(undefined);
    await ended;
  }
}
