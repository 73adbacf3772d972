import { type Bounds, bound } from './bound.ts';
import { deduplicate } from './deduplicate.ts';
import type { ListPage, Pages } from './page.ts';
import { type PrefetchOptions, prefetch } from './prefetch.ts';
import { reconcile } from './reconcile.ts';

/** How a list is read. */
export interface ListReading<T> extends PrefetchOptions, Bounds {
  readonly load: (url: string, signal: AbortSignal) => Promise<ListPage<T>>;
  readonly signal: AbortSignal | undefined;
  /** Ends the list at once, also while a page is loading. */
  readonly stop?: AbortSignal | undefined;
  /** Makes of a failure what the reader is told. */
  readonly fail?: ((error: unknown) => unknown) | undefined;
}

/** A signal that ends with the list, or before it with one of others. */
const createListSignal = (others: readonly (AbortSignal | undefined)[]) => {
  const list = new AbortController();
  const onAbort = (): void => list.abort(others.find((other) => other?.aborted)?.reason);
  if (others.some((other) => other?.aborted)) onAbort();
  for (const other of others) other?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: list.signal,
    end: (): void => {
      for (const other of others) other?.removeEventListener('abort', onAbort);
      list.abort();
    },
  };
};

/**
 * The pages of a list in their order, each record once (§4.5). An empty page does not end the list, a missing next does.
 * Each way to read a list reads these.
 *
 * @throws {@link PagingError} when the list loops, or cannot be continued
 */
export async function* readPages<T>(options: ListReading<T>): Pages<T> {
  const { onDrift } = options;
  const { signal, end } = createListSignal([options.signal, options.stop]);
  const load = async (url: string): Promise<ListPage<T>> => {
    signal.throwIfAborted();
    return options.load(url, signal);
  };
  try {
    const pages = bound(deduplicate(reconcile(prefetch(load, options), load, onDrift), onDrift), options);
    for await (const page of pages) {
      // It may have been loaded before the list was aborted.
      signal.throwIfAborted();
      yield page;
    }
  } catch (error) {
    // Whoever stops a list does not want to hear that it was stopped.
    throw options.stop?.aborted || options.fail === undefined ? error : options.fail(error);
  } finally {
    end();
  }
}
