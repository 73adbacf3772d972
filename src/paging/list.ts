import { type ListBounds, type LoadPagesOptions, loadPages } from './load-pages.ts';
import type { Page, PageGenerator } from './page.ts';

/**
 * How far a list has been read, for `onPage` of {@link ListOptions}. Totals are undefined when the endpoint
 * cannot supply them.
 */
export interface PagingProgress {
  /**
   * Pages read so far. A list with the option `from` counts those before it too, where the server numbers its
   * pages.
   */
  readonly pages: number;
  /** Records on those pages. */
  readonly records: number;
  /** Pages of the whole list, as the latest page says. */
  readonly totalPages: number | undefined;
  /** Records of the whole list, as the latest page says. */
  readonly totalCount: number | undefined;
}

/** How a list is read: how far, and what its reader gets. */
export interface ReadingOptions extends ListBounds {
  /** Called for each page, before its records are given. */
  readonly onPage: ((progress: PagingProgress) => unknown) | undefined;
  /** True when the reader gets pages, and may continue from the `next` of the last one. */
  readonly givesPages?: boolean;
}

/** Why a reading of a list has ended; undefined where it ended well. */
export type ReadingFailure = { readonly error: unknown } | undefined;

/** One reading of a list. Each `for await` is another one. */
export interface ListReading<T> extends LoadPagesOptions<T>, ReadingOptions {
  readonly signal: AbortSignal | undefined;
  /** Ends the requests of the reading. */
  readonly requests: AbortController;
  /** True when an earlier list read the pages before the first one of this list. */
  readonly isResumed: boolean;
  /** Makes the error that the reader gets. */
  readonly fail: (error: unknown) => unknown;
  /** Called at the end, and awaited. */
  readonly onEnd: (failure: ReadingFailure) => unknown;
}

/** The reason with which the requests of unread pages end. */
const notRead = new DOMException('The list is read no further', 'AbortError');

/** Ends the requests of a reading whose reader wants no more of it. */
export const stopReading = (requests: AbortController): void => requests.abort(notRead);

/**
 * Makes a function that counts the pages of a list as they are read. A list that is resumed begins with those
 * before it.
 */
const createProgress = (isResumed: boolean): ((page: Page<unknown>) => PagingProgress) => {
  let pages = 0;
  let records = 0;
  return ({ items, number = 1, size = 0, totalPages, totalCount }) => {
    if (pages === 0 && isResumed) {
      pages = number - 1;
      // Some servers give the number of records as the size of the last page.
      const isAtEnd = totalCount !== undefined && number >= (totalPages ?? Infinity);
      records = isAtEnd ? totalCount - items.length : pages * size;
    }
    pages++;
    records += items.length;
    return { pages, records, totalPages, totalCount };
  };
};

/**
 * The pages of a list in their order, each record once (§4.5), up to its bounds. An empty page does not end
 * the list; a missing next page does. Requests in flight are cancelled when the list ends or its reader
 * stops.
 *
 * @throws {@link PagingError} when the list loops, or cannot be continued
 */
export async function* readPages<T>(reading: ListReading<T>): PageGenerator<T> {
  const { signal, requests, limit, maxPages, isResumed, onPage, givesPages, fail, onEnd } = reading;
  const progressAt = createProgress(isResumed);
  let recordsLeft = Math.ceil(limit);
  let pagesLeft = maxPages;
  let failure: ReadingFailure;
  const onAbort = (): void => requests.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    if (recordsLeft === 0 || pagesLeft === 0) return;
    signal?.throwIfAborted();
    for await (const page of loadPages(reading, requests.signal)) {
      await onPage?.(progressAt(page));
      yield { ...page, items: page.items.slice(0, recordsLeft) };
      // The next page may be there already.
      signal?.throwIfAborted();
      recordsLeft -= page.items.length;
      pagesLeft--;
      const isEnough = recordsLeft <= 0 || pagesLeft <= 0;
      // Without a next page, the list ends here, or fails: whoever continues from `next` must learn that.
      const mayStillThrow = givesPages && page.next === undefined;
      if (isEnough && !mayStillThrow) return;
    }
  } catch (error) {
    if (requests.signal.reason === notRead) return;
    failure = { error: fail(error) };
    throw failure.error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    stopReading(requests);
    await onEnd(failure);
  }
}

/** The records of pages, in order. */
export async function* recordsIn<T>(
  pages: AsyncIterable<Page<T>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) {
    for (const item of page.items) {
      // The next request for a page throws the reason of the signal.
      if (signal?.aborted) break;
      yield item;
    }
  }
}
