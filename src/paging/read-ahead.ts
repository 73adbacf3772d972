import { PagingError } from '../errors/request-error.ts';
import type { Page } from './page.ts';
import { leavesPath, type PagePattern, pageNumberOf, pagePatternOf } from './page-url.ts';

/** A page, and whether a browser hid header fields of its answer. */
export interface PageAnswer<T> {
  readonly page: Page<T>;
  readonly filtered: boolean;
}

/** Loads one page. */
export type LoadPage<T> = (url: string, signal: AbortSignal) => Promise<PageAnswer<T>>;

/** A page with the URL it came from. */
export interface LoadedPage<T> extends PageAnswer<T> {
  readonly url: string;
}

export interface ReadAheadOptions<T> {
  readonly load: LoadPage<T>;
  /** URL of the first page. */
  readonly start: string;
  /** Pages that are loaded at once, at the most. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Bounds of the list: nothing is loaded ahead that they leave out. */
  readonly maxPages: number;
  readonly limit: number;
  /** The URL behind a page, where it is not the `next` that the server wrote. */
  readonly nextOf: (loaded: LoadedPage<T>) => string | undefined;
  /**
   * What a page is taken for: it may have to be read again.
   *
   * @param isEarly - whether it was asked for before the page before it was there
   */
  readonly settle: (loaded: LoadedPage<T>, isEarly: boolean) => Promise<LoadedPage<T>>;
}

interface Ahead<T> {
  readonly url: string;
  readonly answer: Promise<PageAnswer<T>>;
  /** How many pages were there when it was asked for. */
  readonly behind: number;
}

// A next link may be written in another way once; where each is, a page number does not lead to the page behind.
const mostWrong = 2;

/** Refuses what would go in circles: a page that was read, a page that was not asked for, a way out of the list. */
const createGuard = () => {
  let lastNumber: number | undefined;
  let pattern: PagePattern | undefined;
  // Only where pages have no number: those with one prove by it that the list goes on.
  const seen = new Set<string>();

  /** @throws {@link PagingError} for a page that is not the next one */
  const checkPage = ({ url, page: { number } }: LoadedPage<unknown>): void => {
    const asked = number === undefined || pattern?.(number) === url ? number : pageNumberOf(url);
    if (number !== undefined && asked !== undefined && number !== asked) {
      throw new PagingError(`Page ${asked} was asked for, and the answer is page ${number} (§4.4)`);
    }
    if (number !== undefined && lastNumber !== undefined && number <= lastNumber) {
      throw new PagingError(`Behind page ${lastNumber} comes page ${number}, which was read before (§4.5)`);
    }
    lastNumber = number ?? lastNumber;
    if (number === undefined) seen.add(url);
  };

  /** What is wrong with a next link; the records of its page count all the same. */
  const problemOf = (url: string, next: string | undefined): string | undefined => {
    if (next === undefined) return undefined;
    if (next === url || seen.has(next)) return 'The next link leads back to a page that was read (§4.5)';
    return leavesPath(next, url) ? 'The next link leads out of the collection (§4.5)' : undefined;
  };

  /** The next page's URL as a pattern for those behind it, when totals tell how many there are (§4.5). */
  const patternOf = ({ page }: LoadedPage<unknown>, next: string): PagePattern | undefined => {
    if (page.totalPages === undefined || page.number === undefined) return undefined;
    const number = page.number + 1;
    // Most lists write all their links alike; then none but the first is searched for its number.
    if (pattern?.(number) !== next) pattern = pageNumberOf(next) === number ? pagePatternOf(next) : undefined;
    return pattern;
  };
  return { checkPage, problemOf, patternOf };
};

/**
 * The pages of a list in their order, loaded ahead of the one that is read.
 *
 * Nothing is loaded ahead before the second page is asked for, then a window that doubles up to `concurrency`: with
 * totals so many pages at once, without them one behind the page that is read. The server's own next links decide; a
 * page that was loaded ahead from another URL is dropped, and after the second of those no URL is guessed any more.
 */
export async function* readAhead<T>(
  options: ReadAheadOptions<T>,
): AsyncGenerator<LoadedPage<T>, void, undefined> {
  const { load, start, concurrency, signal, nextOf, settle, maxPages, limit } = options;
  const guard = createGuard();
  let ahead: Ahead<T>[] = [];
  let window = 1;
  let wrong = 0;
  let pages = 0;
  let records = 0;

  /** How many further pages the bounds of the list leave. */
  const pagesLeft = ({ page }: LoadedPage<T>): number =>
    Math.min(maxPages - pages, Math.ceil((limit - records) / Math.max(1, page.items.length)));

  const begin = (url: string): void => {
    const answer = load(url, signal);
    // A failure counts when its page is read; until then nobody may miss it.
    answer.catch(() => undefined);
    ahead.push({ url, answer, behind: pages });
  };

  /** Loads what is likely to come, up to the window. */
  const fill = (next: string | undefined, last: LoadedPage<T>): void => {
    if (next === undefined) return;
    if (ahead.length > 0 && ahead[0]?.url !== next) {
      // The server goes on elsewhere than was expected.
      ahead = [];
      wrong++;
    }
    const pattern = wrong < mostWrong ? guard.patternOf(last, next) : undefined;
    const first = (last.page.number ?? 0) + 1;
    const most = Math.min(window, pagesLeft(last));
    const end = Math.min(first + most - 1, pattern === undefined ? first : (last.page.totalPages ?? first));
    // Those that are on the way follow each other from `next` on.
    for (let number = first + ahead.length; number <= end; number++) {
      begin(pattern === undefined || number === first ? next : pattern(number));
    }
  };

  for (let url: string | undefined = start; url !== undefined; ) {
    signal.throwIfAborted();
    if (ahead[0]?.url !== url) {
      ahead = [];
      begin(url);
    }
    const { answer, behind } = ahead.shift() as Ahead<T>;
    const loaded = await settle({ url, ...(await answer) }, behind < pages);
    guard.checkPage(loaded);
    pages++;
    records += loaded.page.items.length;
    const next = nextOf(loaded);
    const problem = guard.problemOf(url, next);
    if (window > 1 && problem === undefined) fill(next, loaded);
    yield loaded;
    if (problem !== undefined) throw new PagingError(problem);
    // The page is used up: from here on it pays to load ahead.
    window = Math.min(concurrency, window * 2);
    if (window > 1) fill(next, loaded);
    url = next;
  }
}
