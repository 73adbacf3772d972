import type { Method } from '../conventions.ts';
import type { BaseUrl } from './url.ts';

/**
 * An operation of a client, as {@link Trace} gets it. It holds no secret, and no value of a path or a query. What its requests
 * did is complete when `run` has ended.
 */
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
  /** Status of the latest attempt; undefined without a response, and for a renewal. */
  readonly status?: number | undefined;
  /** How many attempts its requests made; 0 for a renewal. */
  readonly attempts: number;
  /** How long requests waited because of a 429, in milliseconds. */
  readonly throttledMs: number;
  /** How many pages of a list were read. */
  readonly pages: number;
}

/** An operation whose requests write down what they do. */
export type RunningOperation = { -readonly [K in keyof TracedOperation]: TracedOperation[K] };

/** An operation before its first request. Its template begins with the origin. */
export const createOperation = (
  kind: TracedOperation['kind'],
  callId: string,
  method: Method,
  { href, origin }: BaseUrl,
  template?: string,
  api?: string,
  collection?: string,
): RunningOperation => {
  const path = template?.slice(origin.length);
  const about = { kind, callId, api, collection, method, template: path, baseUrl: href };
  return { ...about, attempts: 0, throttledMs: 0, pages: 0 };
};

/**
 * Surrounds each operation of a client: `(operation, run) => run()`. It calls `run` before it returns; otherwise the operation
 * runs without it. What it throws is ignored.
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

/** Runs a generator inside `trace`. The reader pulls each step from an asynchronous context of its own. */
export async function* tracedSteps<T>(
  trace: Trace,
  operation: RunningOperation,
  steps: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  let pull = (): Promise<IteratorResult<T, void>> => steps.next();
  let end: (latest?: Promise<unknown>) => void = ignore;
  // A reaction runs in the context in which it was added: each step adds the next one.
  const prepare = (): void => {
    let open = ignore;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const step = opened.then(() => {
      prepare();
      return steps.next();
    });
    pull = () => {
      open();
      return step;
    };
  };
  const run = (): Promise<unknown> => {
    prepare();
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  const ended = traced(trace, operation, run).catch(ignore);
  let latest: Promise<unknown> | undefined;
  try {
    for (;;) {
      const step = pull();
      latest = step;
      const { done, value } = await step;
      if (done) return;
      operation.pages++;
      yield value;
    }
  } finally {
    await steps.return();
    end(latest);
    await ended;
  }
}
