import type { LoadPage, Page, Pages } from './page.ts';
import { type PrefetchOptions, prefetch } from './prefetch.ts';

/**
 * How far a list has been read, for `onPage` of {@link ListOptions}. Totals are undefined when the endpoint cannot
 * supply them.
 */
export interface PagingProgress {
  /** Pages read so far. A list with the option `from` counts those before it too, where the server numbers its pages. */
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
  /** Number of pages after which the list ends. */
  readonly maxPages: number;
  /** Number of records after which the list ends. */
  readonly limit: number;
  readonly onPage: ((progress: PagingProgress) => unknown) | undefined;
}

/** Identifies a record; undefined when it has no `id`. */
const idOf = (record: unknown): unknown => (record as { readonly id?: unknown } | null)?.id;

/**
 * Drops records that one of the latest pages had: they have moved to a later page since, because others were inserted.
 *
 * @param remembered - number of pages whose records may repeat
 */
export async function* unique<T>(
  pages: Pages<T>,
  remembered: number,
): AsyncGenerator<Page<T>, void, undefined> {
  const latest: Set<unknown>[] = [];
  const isRepeated = (record: T): boolean => {
    const id = idOf(record);
    return id !== undefined && latest.some((ids) => ids.has(id));
  };
  for await (const { page } of pages) {
    const items = page.items.filter((record) => !isRepeated(record));
    latest.push(new Set(page.items.map(idOf)));
    if (latest.length > remembered) latest.shift();
    yield { ...page, items };
  }
}

export interface ListReading<T> extends PrefetchOptions, Bounds {
  readonly load: LoadPage<T>;
  readonly signal: AbortSignal | undefined;
  /** True when an earlier list read the pages before the first one of this list. */
  readonly isResumed: boolean;
  /** Makes the error that the reader gets. */
  readonly fail: (error: unknown) => unknown;
}

/**
 * The pages of a list in their order, each record once (§4.5), up to its bounds. An empty page does not end the list; a missing
 * next link does. Requests in flight are cancelled when the list ends or its reader stops.
 *
 * @throws {@link PagingError} when the list loops, or cannot be continued
 */
export async function* readPages<T>(reading: ListReading<T>): AsyncGenerator<Page<T>, void, undefined> {
  const { load, signal, fail, concurrency, maxPages, limit, onPage, isResumed } = reading;
  let left = Math.ceil(limit);
  if (left === 0 || maxPages === 0) return;
  let count = 0;
  let [pagesBefore, records] = [0, 0];
  const requests = new AbortController();
  const onAbort = (): void => requests.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    signal?.throwIfAborted();
    const pages = prefetch(load, requests.signal, reading);
    // A record may repeat on any page that was requested before an earlier one arrived.
    for await (const page of unique(pages, concurrency + 1)) {
      const { items, number = 1, size = 0, totalPages, totalCount } = page;
      if (count === 0 && isResumed) [pagesBefore, records] = [number - 1, (number - 1) * size];
      count++;
      records += items.length;
      await onPage?.({ pages: pagesBefore + count, records, totalPages, totalCount });
      yield { ...page, items: items.slice(0, left) };
      // The next page may be there already.
      signal?.throwIfAborted();
      left -= items.length;
      if (left <= 0 || count >= maxPages) return;
    }
  } catch (error) {
    throw fail(error);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    requests.abort('The list is not read any further');
  }
}

/** The records of pages, in order. */
export async function* items<T>(
  pages: AsyncIterable<Page<T>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) {
    for (const item of page.items) {
      // The next page fails with the reason.
      if (signal?.aborted) break;
      yield item;
    }
  }
}
