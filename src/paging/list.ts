import { deduplicate } from './deduplicate.ts';
import { unread } from './items.ts';
import type { LoadPage, Pages } from './page.ts';
import { type PrefetchOptions, prefetch } from './prefetch.ts';
import { reconcile } from './reconcile.ts';

/**
 * How far a list has been read, for `onPage` of {@link ListOptions}. Totals are undefined when the endpoint cannot
 * supply them.
 */
export interface PagingProgress {
  /** Pages that were read so far. */
  readonly pages: number;
  /** Records on those pages. */
  readonly records: number;
  /** Pages of the whole list, as the latest page says. */
  readonly totalPages: number | undefined;
  /** Records of the whole list, as the latest page says. */
  readonly totalCount: number | undefined;
}

/** The limits of a list, and the callback for each page. */
export interface Bounds {
  /** Pages. */
  readonly maxPages: number;
  /** Records. */
  readonly limit: number;
  readonly onPage: ((progress: PagingProgress) => unknown) | undefined;
}

/** Ends a list after a number of pages or records, and reports its progress. */
export async function* bound<T>(pages: Pages<T>, { maxPages, limit, onPage }: Bounds): Pages<T> {
  let left = Math.ceil(limit);
  if (left === 0 || maxPages === 0) return;
  let count = 0;
  let records = 0;
  for await (const loaded of pages) {
    const { items, page } = loaded;
    count++;
    records += items.length;
    await onPage?.({ pages: count, records, totalPages: page.totalPages, totalCount: page.totalCount });
    yield items.length <= left ? loaded : { ...loaded, items: items.slice(0, left) };
    left -= items.length;
    if (left <= 0 || count >= maxPages) return;
  }
}

/** How a list is read. */
export interface ListReading<T> extends PrefetchOptions, Bounds {
  /** Makes the function that loads a page; its requests end when the signal aborts. */
  readonly createLoad: (signal: AbortSignal) => LoadPage<T>;
  /** The signal of the call. */
  readonly signal: AbortSignal | undefined;
  /** Makes the error that the reader gets. */
  readonly fail?: ((error: unknown) => unknown) | undefined;
}

/**
 * The pages of a list in their order, each record once (§4.5). An empty page does not end the list, a missing next does.
 * Each way to read a list reads these.
 *
 * @throws {@link PagingError} when the list loops, or cannot be continued
 */
export async function* readPages<T>(options: ListReading<T>): Pages<T> {
  const { signal, requests, onDrift } = options;
  const onAbort = (): void => requests.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const load = options.createLoad(requests.signal);
  try {
    const pages = bound(deduplicate(reconcile(prefetch(load, options), load, onDrift), onDrift), options);
    for await (const page of pages) {
      // It may have been loaded before the list was aborted.
      requests.signal.throwIfAborted();
      yield page;
    }
  } catch (error) {
    // The reader left the list, which aborted its requests: that is no failure.
    if (requests.signal.reason === unread) return;
    throw options.fail === undefined ? error : options.fail(error);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
