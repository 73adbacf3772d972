import { PagingError } from '../errors/restkin-error.ts';
import {
  hidesPaging,
  isMissing,
  type ListPage,
  type LoadPage,
  leavesPath,
  loadLinked,
  mustExpose,
  type PagePattern,
  type Pages,
  pageNumberOf,
  pagePatternOf,
  perPageOf,
  toMissingPage,
  toPageUrl,
} from './page.ts';
import type { Drift } from './reconcile.ts';
import { findPlace, type Position } from './resume.ts';

export interface PrefetchOptions {
  /** Returns where to start; it throws for an invalid query. */
  readonly start: () => Position;
  /** Largest number of pages that load at the same time. */
  readonly concurrency: number;
  /** Bounds of the list: no page beyond them is loaded ahead. */
  readonly maxPages: number;
  readonly limit: number;
  /** True when the collection declares `paging`, so that its responses must have the paging fields. */
  readonly declared: boolean;
  readonly onDrift: (event: Drift) => void;
  /** Aborts the requests of the list. */
  readonly requests: AbortController;
}

interface Ahead<T> {
  readonly url: string;
  readonly page: Promise<ListPage<T>>;
  /** Number of pages that had been read when it was requested. */
  readonly read: number;
}

// One next link may differ from the pattern. After a second one, page numbers are taken not to lead to the next page.
const mostWrong = 2;

/** Refuses a page that was read before, a page other than the requested one, and a link out of the collection. */
const createGuard = () => {
  let lastNumber: number | undefined;
  let pattern: PagePattern | undefined;
  // The URLs of pages without a number. Numbers that rise prove that the list advances.
  const seen = new Set<string>();

  /** @throws {@link PagingError} for a page that is not the next one */
  const checkPage = ({ url, page: { number } }: ListPage<unknown>): void => {
    const requested = number === undefined || pattern?.(number) === url ? number : pageNumberOf(url);
    if (number !== undefined && requested !== undefined && number !== requested) {
      throw new PagingError(`page ${requested} was requested, and the response is page ${number} (§4.4)`, {
        url,
      });
    }
    if (number !== undefined && lastNumber !== undefined && number <= lastNumber) {
      throw new PagingError(`page ${number} follows page ${lastNumber}, so the links form a loop (§4.5)`, {
        url,
      });
    }
    lastNumber = number ?? lastNumber;
    if (number === undefined) seen.add(url);
  };

  /** What is wrong with a next link. It is thrown only after the records of its page are delivered. */
  const problemOf = (url: string, next: string | undefined): string | undefined => {
    if (next === undefined) return undefined;
    if (next === url || seen.has(next)) return 'the next link leads back to a page that was read (§4.5)';
    return leavesPath(next, url) ? 'the next link leads out of the collection (§4.5)' : undefined;
  };

  /** A pattern for the URLs of all further pages, from the next link; undefined where pages have no number. */
  const patternOf = ({ page }: ListPage<unknown>, next: string): PagePattern | undefined => {
    if (page.number === undefined) return undefined;
    const number = page.number + 1;
    // Most servers write all links alike. Then only the first link is searched for its number.
    if (pattern?.(number) !== next) pattern = pageNumberOf(next) === number ? pagePatternOf(next) : undefined;
    return pattern;
  };
  return { checkPage, problemOf, patternOf };
};

/**
 * The pages of a list in their order, loaded ahead of the one that is read.
 *
 * Nothing is loaded ahead until the second page is requested. Then a window doubles up to `concurrency`: with totals, that
 * many pages load at once; without totals, only the page after the one that is read. The server's next links decide. A page
 * that was loaded ahead from another URL is dropped, and after the second such page no URL is guessed any more.
 *
 * Where a browser hides the paging fields, the list is read by page number, until a page is missing or not full.
 *
 * @throws {@link PagingError} when the list loops, or cannot be continued
 */
export async function* prefetch<T>(load: LoadPage<T>, options: PrefetchOptions): Pages<T> {
  const { start, concurrency, maxPages, limit, declared, onDrift, requests } = options;
  const place = await findPlace(start(), load, onDrift);
  if (place.before !== undefined) yield place.before;
  const guard = createGuard();
  let ahead: Ahead<T>[] = [];
  let last: ListPage<T> | undefined = place.before;
  let hidden = false;
  let window = 1;
  let loading = 0;
  let wrong = 0;
  let pages = 0;
  let records = 0;

  /** A page whose URL was guessed from a page number may not exist: then the list has ended. */
  const loadNext = async (url: string): Promise<ListPage<T>> => {
    loading++;
    try {
      requests.signal.throwIfAborted();
      return await loadLinked(load, url, last?.page.totalCount);
    } catch (error) {
      if (!hidden || !isMissing(error)) throw error;
      if (pages === 1 && last?.filtered) throw new PagingError(mustExpose, { url });
      return toMissingPage(url);
    } finally {
      loading--;
    }
  };

  const begin = (url: string, page = loadNext(url)): void => {
    // A failure is thrown when its page is read. Until then it must not be reported as unhandled.
    page.catch(() => undefined);
    ahead.push({ url, page, read: pages });
  };

  /** Reloads a page that was requested before the previous one arrived, if records were inserted in between. */
  const upToDate = (loaded: ListPage<T>, read: number): ListPage<T> | Promise<ListPage<T>> => {
    const { totalCount } = loaded.page;
    const isOlder = totalCount !== undefined && totalCount < (last?.page.totalCount ?? 0);
    return read < pages && isOlder ? loadLinked(load, loaded.url, last?.page.totalCount) : loaded;
  };

  const nextOf = ({ url, page }: ListPage<T>): string | undefined => {
    if (!hidden || page.next !== undefined) return page.next;
    // A page that is not full is the last one.
    return page.items.length < (perPageOf(url) ?? 1)
      ? undefined
      : toPageUrl(url, (pageNumberOf(url) ?? 1) + 1);
  };

  /** How many further pages the bounds of the list leave. */
  const pagesLeft = ({ page }: ListPage<T>): number =>
    Math.min(maxPages - pages, Math.ceil((limit - records) / page.items.length));

  /** Loads the pages that are likely to be read next, up to the window. */
  const fill = (next: string | undefined, loaded: ListPage<T>): void => {
    if (next === undefined || window === 1) return;
    if (ahead.length > 0 && ahead[0]?.url !== next) {
      // The list continues at another URL than expected.
      ahead = [];
      wrong++;
    }
    const pattern = wrong < mostWrong ? guard.patternOf(loaded, next) : undefined;
    const first = (loaded.page.number ?? 0) + 1;
    const most = Math.min(window, pagesLeft(loaded));
    const end = Math.min(first + most - 1, pattern === undefined ? first : (loaded.page.totalPages ?? first));
    // The pages that are being loaded follow each other, beginning with `next`.
    for (let number = first + ahead.length; number <= end; number++) {
      begin(pattern?.(number) ?? next);
    }
  };

  try {
    if (place.first !== undefined) begin(place.url, Promise.resolve(place.first));
    for (let url: string | undefined = place.url; url !== undefined; ) {
      if (ahead.length === 0) begin(url);
      const { page, read } = ahead.shift() as Ahead<T>;
      const loaded = await upToDate(await page, read);
      guard.checkPage(loaded);
      if (pages === 0 && declared && loaded.page.items.length > 0 && hidesPaging(loaded.page)) {
        hidden = true;
        onDrift({ reason: 'hiddenHeaders', url });
      }
      pages++;
      records += loaded.page.items.length;
      last = loaded;
      const next = nextOf(loaded);
      const problem = guard.problemOf(url, next);
      if (problem === undefined) fill(next, loaded);
      yield loaded;
      if (problem !== undefined) throw new PagingError(problem, { url });
      // The page was read to its end: from here on it pays to load ahead.
      window = Math.min(concurrency, window * 2);
      fill(next, loaded);
      url = next;
    }
  } finally {
    // Most lists end with nothing in flight, and an abort is not free.
    if (loading > 0) requests.abort();
  }
}
