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
  /** Most pages that load at the same time. */
  readonly concurrency: number;
  /** Bounds of the list: no page beyond them is loaded ahead. */
  readonly maxPages: number;
  readonly limit: number;
  /** True when the declaration says that the collection pages, so that its responses must show how. */
  readonly declared: boolean;
  readonly onDrift: (event: Drift) => void;
  /** Aborts the requests of the list. */
  readonly requests: AbortController;
}

interface Ahead<T> {
  readonly url: string;
  readonly page: Promise<ListPage<T>>;
  /** How many pages had been loaded when it was requested. */
  readonly behind: number;
}

// A next link may differ from its pattern once; where each does, a page number does not lead to the next page.
const mostWrong = 2;

/** Refuses a list that loops: a page that was read, a page that was not requested, a link out of the collection. */
const createGuard = () => {
  let lastNumber: number | undefined;
  let pattern: PagePattern | undefined;
  // Only where pages have no number: a number that rises proves that the list advances.
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

  /** The error of an invalid next link; the records of its page are delivered first. */
  const problemOf = (url: string, next: string | undefined): string | undefined => {
    if (next === undefined) return undefined;
    if (next === url || seen.has(next)) return 'the next link leads back to a page that was read (§4.5)';
    return leavesPath(next, url) ? 'the next link leads out of the collection (§4.5)' : undefined;
  };

  /** The next page's URL as a pattern for the pages behind it, when totals tell how many there are (§4.5). */
  const patternOf = ({ page }: ListPage<unknown>, next: string): PagePattern | undefined => {
    if (page.totalPages === undefined || page.number === undefined) return undefined;
    const number = page.number + 1;
    // Most lists write all their links alike; then only the first one is searched for its number.
    if (pattern?.(number) !== next) pattern = pageNumberOf(next) === number ? pagePatternOf(next) : undefined;
    return pattern;
  };
  return { checkPage, problemOf, patternOf };
};

/**
 * The pages of a list in their order, loaded ahead of the one that is read.
 *
 * Nothing is loaded ahead before the second page is requested, then a window that doubles up to `concurrency`: with
 * totals that many pages at once, without them one behind the page that is read. The server's own next links decide; a
 * page that was loaded ahead from another URL is dropped, and after the second of those no URL is guessed any more.
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
    // A failure counts when its page is read; until then it must not be reported as unhandled.
    page.catch(() => undefined);
    ahead.push({ url, page, behind: pages });
  };

  /** Inserted records may have moved others past a page that was requested before the previous one arrived. */
  const upToDate = (loaded: ListPage<T>, behind: number): ListPage<T> | Promise<ListPage<T>> => {
    const { totalCount } = loaded.page;
    const isOlder = totalCount !== undefined && totalCount < (last?.page.totalCount ?? 0);
    return behind < pages && isOlder ? loadLinked(load, loaded.url, last?.page.totalCount) : loaded;
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
    Math.min(maxPages - pages, Math.ceil((limit - records) / Math.max(1, page.items.length)));

  /** Loads what is likely to come, up to the window. */
  const fill = (next: string | undefined, loaded: ListPage<T>): void => {
    if (next === undefined || window === 1) return;
    if (ahead.length > 0 && ahead[0]?.url !== next) {
      // The server continues elsewhere than was expected.
      ahead = [];
      wrong++;
    }
    const pattern = wrong < mostWrong ? guard.patternOf(loaded, next) : undefined;
    const first = (loaded.page.number ?? 0) + 1;
    const most = Math.min(window, pagesLeft(loaded));
    const end = Math.min(first + most - 1, pattern === undefined ? first : (loaded.page.totalPages ?? first));
    // The pages that are being loaded follow each other, beginning with `next`.
    for (let number = first + ahead.length; number <= end; number++) {
      begin(pattern === undefined || number === first ? next : pattern(number));
    }
  };

  try {
    if (place.first !== undefined) begin(place.url, Promise.resolve(place.first));
    for (let url: string | undefined = place.url; url !== undefined; ) {
      if (ahead[0]?.url !== url) {
        ahead = [];
        begin(url);
      }
      const { page, behind } = ahead.shift() as Ahead<T>;
      const loaded = await upToDate(await page, behind);
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
      // The page is used up: from here on it pays to load ahead.
      window = Math.min(concurrency, window * 2);
      fill(next, loaded);
      url = next;
    }
  } finally {
    // Most lists end with nothing on the way, and an abort is not free.
    if (loading > 0) requests.abort();
  }
}
