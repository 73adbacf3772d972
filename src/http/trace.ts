import type { Method } from '../conventions.ts';
import type { Attempt } from '../errors/restkin-error.ts';

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
}

/** What came of an operation that succeeded; an error has its own `status` and `attempts`. */
export interface TracedOutcome {
  /** Status of the response, in a list of the latest page; undefined for a renewal. */
  readonly status: number | undefined;
  /** How many times a request was retried, in a list of all pages. */
  readonly resends: number;
  /** How long its requests waited for pauses after a 429, in milliseconds. */
  readonly throttledMs: number;
  /** How many pages a list gave; undefined for other operations. */
  readonly pages: number | undefined;
}

/**
 * Surrounds each operation of a client: `(operation, run) => run()`. It calls `run` before it returns; otherwise the operation
 * runs without it. What it throws is ignored.
 *
 * @param run - runs the operation, once; it rejects with the error that the caller gets
 */
export type Trace = (operation: TracedOperation, run: () => Promise<TracedOutcome>) => unknown;

/** The outcome of an operation without a request of its own. */
export const noOutcome: TracedOutcome = { status: undefined, resends: 0, throttledMs: 0, pages: undefined };

/** What a response says about its request. */
export const toOutcome = ({
  status,
  attempts,
}: {
  readonly status: number;
  readonly attempts: readonly Attempt[];
}): TracedOutcome => ({
  status,
  resends: attempts.length - 1,
  throttledMs: attempts.reduce(
    (sum, { status: answer, waitedMs, throttledMs = 0 }) =>
      sum + throttledMs + (answer === 429 ? waitedMs : 0),
    0,
  ),
  pages: undefined,
});

const ignore = (): void => undefined;

/** Runs an operation inside `trace`. */
export const traced = async <T>(
  trace: Trace | undefined,
  operation: TracedOperation,
  run: () => Promise<T>,
  outcomeOf: (result: T) => TracedOutcome,
): Promise<T> => {
  if (trace === undefined) return run();
  let running: Promise<T> | undefined;
  let outcome: Promise<TracedOutcome> | undefined;
  const start = (): Promise<TracedOutcome> => {
    running ??= run();
    outcome ??= running.then(outcomeOf);
    return outcome;
  };
  // Ignores what `trace` throws, and what it rejects with.
  new Promise((resolve) => resolve(trace(operation, start))).catch(ignore);
  // The reactions of `trace` come first: its span has ended when the caller continues.
  await start().catch(ignore);
  return running as Promise<T>;
};

/**
 * Runs a generator inside `trace`, in its asynchronous context: the reader pulls each step from a context of its own.
 *
 * @param outcomeOf - is given the number of steps that the reader got
 */
export async function* tracedSteps<T>(
  trace: Trace,
  operation: TracedOperation,
  steps: AsyncGenerator<T, void, undefined>,
  outcomeOf: (count: number) => TracedOutcome,
): AsyncGenerator<T, void, undefined> {
  type Reader = (step: Promise<IteratorResult<T, void>>) => void;
  let ask: (reader: Reader | undefined) => void = ignore;
  const nextReader = () =>
    new Promise<Reader | undefined>((resolve) => {
      ask = resolve;
    });
  let asked = nextReader();
  let count = 0;
  const run = async (): Promise<void> => {
    for (let reader = await asked; reader !== undefined; reader = await asked) {
      asked = nextReader();
      const step = steps.next();
      reader(step);
      if ((await step).done) return;
    }
    await steps.return();
  };
  const ended = traced(trace, operation, run, () => outcomeOf(count)).catch(ignore);
  try {
    for (;;) {
      const { done, value } = await new Promise<IteratorResult<T, void>>((resolve) => ask(resolve));
      if (done) return;
      count++;
      yield value;
    }
  } finally {
    ask(undefined);
    await ended;
  }
}
