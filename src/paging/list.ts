import type { Page, Pages } from './page.ts';
import { unique } from './unique.ts';
import { type WalkOptions, walk } from './walk.ts';

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

/** How a reading of a list has ended; undefined where it ended well. */
export type Failure = { readonly error: unknown } | undefined;

export interface ListReading<T> extends WalkOptions<T>, Bounds {
  readonly signal: AbortSignal | undefined;
  /** Ends the requests of the reading. */
  readonly requests: AbortController;
  /** True when an earlier list read the pages before the first one of this list. */
  readonly isResumed: boolean;
  /** Makes the error that the reader gets. */
  readonly fail: (error: unknown) => unknown;
  /** Called at the end, and awaited. */
  readonly onEnd: (failure: Failure) => unknown;
}

/** Why requests end that nobody waits for any more. */
const left = new DOMException('The list is not read any further', 'AbortError');

/** Ends the requests of a reading whose reader wants no more of it. */
export const leave = (requests: AbortController): void => requests.abort(left);

/** Ends the pages of a list at its bounds, and reports each of them. */
async function* bounded<T>(
  pages: Pages<T>,
  { limit, maxPages, isResumed, onPage, signal }: ListReading<T>,
): Pages<T> {
  let left = Math.ceil(limit);
  let pagesBefore = 0;
  let records = 0;
  let count = 0;
  for await (const page of pages) {
    const { items, number = 1, size = 0, totalPages, totalCount } = page;
    if (count === 0 && isResumed) {
      pagesBefore = number - 1;
      records = pagesBefore * size;
    }
    count++;
    records += items.length;
    await onPage?.({ pages: pagesBefore + count, records, totalPages, totalCount });
    yield { ...page, items: items.slice(0, left) };
    // The next page may be there already.
    signal?.throwIfAborted();
    left -= items.length;
    if (left <= 0 || count >= maxPages) return;
  }
}

/**
 * The pages of a list in their order, each record once (§4.5), up to its bounds. An empty page does not end the list; a
 * missing next page does. Requests in flight are cancelled when the list ends or its reader stops.
 *
 * @throws {@link PagingError} when the list loops, or cannot be continued
 */
export async function* readPages<T>(reading: ListReading<T>): Pages<T> {
  const { signal, requests, concurrency, limit, maxPages, fail, onEnd } = reading;
  let failure: Failure;
  const onAbort = (): void => requests.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    if (limit === 0 || maxPages === 0) return;
    signal?.throwIfAborted();
    // A record may repeat on any page that was requested before an earlier one arrived.
    yield* bounded(unique(walk(reading, requests.signal), concurrency + 1), reading);
  } catch (error) {
    if (requests.signal.reason === left) return;
    failure = { error: fail(error) };
    throw failure.error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    leave(requests);
    await onEnd(failure);
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
