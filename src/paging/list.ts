import { deduplicate } from './deduplicate.ts';
import type { ListPage, LoadPage, Pages } from './page.ts';
import { type PrefetchOptions, prefetch } from './prefetch.ts';
import { reconcile } from './reconcile.ts';
import { positionOf } from './resume.ts';

/**
 * How far a list has been read, for `onPage` of {@link ListOptions}. Totals are undefined when the endpoint cannot
 * supply them.
 */
export interface PagingProgress {
  /** Pages read so far. */
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
    yield { ...loaded, items: items.slice(0, left) };
    left -= items.length;
    if (left <= 0 || count >= maxPages) return;
  }
}

/** The abort reason of requests when the reader leaves the iteration. */
export const unread = /* @__PURE__ */ new Error('The list is not read any further');

export interface ListReading<T> extends PrefetchOptions, Bounds {
  /** Makes the function that loads a page; its requests end when the signal aborts. */
  readonly createLoad: (signal: AbortSignal) => LoadPage<T>;
  readonly signal: AbortSignal | undefined;
  /** Makes the error that the reader gets. */
  readonly fail?: ((error: unknown) => unknown) | undefined;
}

/**
 * Aborts requests with the signal of their call. It listens only while a request is in flight, so that a long-lived signal
 * does not keep lists in memory that are not read to their end.
 */
export const endWith = <Given, Result>(
  signal: AbortSignal | undefined,
  requests: AbortController,
  send: (given: Given) => Promise<Result>,
): ((given: Given) => Promise<Result>) => {
  if (signal === undefined) return send;
  let sent = 0;
  const onAbort = (): void => requests.abort(signal.reason);
  return async (given) => {
    signal.throwIfAborted();
    if (sent++ === 0) signal.addEventListener('abort', onAbort);
    try {
      return await send(given);
    } finally {
      if (--sent === 0) signal.removeEventListener('abort', onAbort);
    }
  };
};

/**
 * The pages of a list in their order, each record once (§4.5). An empty page does not end the list; a missing next
 * link does. Every way to read a list goes through here.
 *
 * @throws {@link PagingError} when the list loops, or cannot be continued
 */
export async function* readPages<T>(options: ListReading<T>): Pages<T> {
  const { signal, requests, onDrift } = options;
  const load = endWith(signal, requests, options.createLoad(requests.signal));
  try {
    const pages = bound(deduplicate(reconcile(prefetch(load, options), load, onDrift), onDrift), options);
    for await (const page of pages) {
      // The page may have been loaded before the list was aborted.
      signal?.throwIfAborted();
      requests.signal.throwIfAborted();
      yield page;
      signal?.throwIfAborted();
    }
  } catch (error) {
    // The reader left the list, which aborted its requests. This is not a failure.
    if (requests.signal.reason === unread) return;
    throw options.fail === undefined ? error : options.fail(error);
  }
}

/** An iteration over the records of a list, with its position. */
export interface ItemIteration<T> extends AsyncIterableIterator<T, void, undefined> {
  /** The position after the last delivered record; undefined before the first page. */
  readonly position: string | undefined;
}

/** The records of pages, in order. Within a page, a record costs no request, no timer and no generator step. */
export const items = <T>(
  pages: Pages<T>,
  requests: AbortController,
  signal: AbortSignal | undefined,
): ItemIteration<T> => {
  let page: ListPage<T> | undefined;
  let records: readonly T[] = [];
  let index = 0;

  const end = async (): Promise<IteratorResult<T, void>> => {
    records = [];
    await pages.return();
    return { done: true, value: undefined };
  };
  const take = (): IteratorResult<T, void> => ({ done: false, value: records[index++] as T });

  const step = async (): Promise<IteratorResult<T, void>> => {
    // An aborted list fails at once, even if records of a loaded page are left.
    if (signal?.aborted) records = [];
    while (index >= records.length) {
      const next = await pages.next();
      if (next.done) return end();
      page = next.value;
      records = page.items;
      index = 0;
    }
    return take();
  };

  // Concurrent calls of `next` resolve in order. The queue uses `await` alone, so that the stack of a failure shows the
  // reader of the list.
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const queue = async (run: () => Promise<IteratorResult<T, void>>): Promise<IteratorResult<T, void>> => {
    const before = last;
    let release = (): void => undefined;
    last = new Promise((resolve) => {
      release = resolve;
    });
    waiting++;
    try {
      await before;
      return await run();
    } finally {
      waiting--;
      release();
    }
  };

  return {
    next: () =>
      waiting === 0 && index < records.length && !signal?.aborted ? Promise.resolve(take()) : queue(step),
    return: () => {
      requests.abort(unread);
      return queue(end);
    },
    get position() {
      return page && positionOf(page, index);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
