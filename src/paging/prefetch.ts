import { PagingError } from '../errors/restkin-error.ts';
import {
  isBare,
  isBeforeLast,
  type LoadedPage,
  type LoadPage,
  numberOf,
  type Pages,
  pageCountOf,
  requestedNumber,
  withPage,
} from './page.ts';

/** A total that fell between two pages. */
export type Drift = {
  /** URL of the page that showed it. */
  readonly url: string;
  /** Number of records of the list, by an earlier page. */
  readonly before: number;
  /** The same by this page. */
  readonly after: number;
};

export interface PrefetchOptions {
  /** Returns the URL of the first page; it throws for an invalid query. */
  readonly start: () => string;
  /** Largest number of pages that load at the same time. */
  readonly concurrency: number;
  /** Bounds of the list: no page beyond them is loaded ahead. */
  readonly maxPages: number;
  readonly limit: number;
  /** True when the collection declares `paging`, so that its responses must have paging headers. */
  readonly declared: boolean;
  readonly onDrift: (event: Drift) => void;
}

interface Ahead<T> {
  readonly url: string;
  readonly page: Promise<LoadedPage<T>>;
  /** True when it was requested by its number, before the page arrived that leads to it. */
  readonly isGuessed: boolean;
}

/** The URLs of the pages after one. Beyond the first, they follow by number, where links differ in their number alone. */
const urlsAfter = ({ url, page }: LoadedPage<unknown>, most: number): readonly string[] => {
  const { next } = page;
  if (next === undefined || most < 1) return [];
  const urls = [next];
  const number = numberOf(url, page) + 1;
  if (next !== withPage(url, number)) return urls;
  const last = Math.min(number + most - 1, pageCountOf(page) ?? 0);
  for (let later = number + 1; later <= last; later++) urls.push(withPage(next, later));
  return urls;
};

/**
 * Some servers give the last page where a later one is requested. After deletions, this is the end of the list.
 *
 * @throws {@link PagingError} for an earlier page where the list has not become shorter
 */
const endAfterLast = <T>(loaded: LoadedPage<T>): LoadedPage<T> => {
  const { url, page } = loaded;
  const requested = requestedNumber(url);
  if (requested === undefined || page.number === undefined || page.number >= requested) return loaded;
  if (requested > (pageCountOf(page) ?? requested))
    return { ...loaded, page: { ...page, items: [], next: undefined } };
  const what = `page ${requested} was requested, and the response is page ${page.number} (§4.4)`;
  throw new PagingError(what, loaded.context());
};

/** Why a list cannot end with a page that has no next one; undefined where it can. */
const problemOfEnd = (
  { url, page, isFiltered }: LoadedPage<unknown>,
  mustPage: boolean,
): string | undefined => {
  if (isBeforeLast(url, page)) {
    const place = `page ${numberOf(url, page)} of ${pageCountOf(page)}`;
    return `the Link header has no next page, and X-Pagination-* says that this is ${place} (§4.5)`;
  }
  return mustPage && isFiltered && page.items.length > 0 && isBare(page)
    ? 'the browser hides the next page of the list: the server must send Access-Control-Expose-Headers with Link and X-Pagination-*'
    : undefined;
};

/**
 * The pages of a list in their order, loaded ahead of the one that is read: none until the first page was read, then up to
 * `concurrency`. The link of a page decides which one is next; a page that was loaded from another URL is dropped.
 *
 * @throws {@link PagingError} when the list loops, or its headers contradict each other
 */
export async function* prefetch<T>(
  load: LoadPage<T>,
  signal: AbortSignal,
  options: PrefetchOptions,
): Pages<T> {
  const { start, concurrency, maxPages, limit, declared, onDrift } = options;
  let ahead: Ahead<T>[] = [];
  let records = 0;
  // Of the list, by the latest page that says it.
  let total = 0;
  let hasFallen = false;
  // Brent's algorithm: the URL of page 1, 2, 4, 8 and so on. A list that leads back to it is a loop.
  let kept = '';

  const begin = (url: string, isGuessed: boolean): void => {
    const page = load(url, signal);
    // A failure is thrown when its page is read. Until then it must not be reported as unhandled.
    page.catch(() => undefined);
    ahead.push({ url, page, isGuessed });
  };

  const readAhead = (loaded: LoadedPage<T>, pages: number): void => {
    if (concurrency === 1) return;
    const needed = Math.ceil((limit - records) / loaded.page.items.length);
    const urls = urlsAfter(loaded, Math.min(concurrency, maxPages - pages, needed));
    if (ahead[0]?.url !== urls[0]) ahead = [];
    for (const url of urls.slice(ahead.length)) begin(url, ahead.length > 0);
  };

  let url: string | undefined = start();
  for (let pages = 1; url !== undefined; pages++) {
    const early = ahead.shift();
    let loaded: LoadedPage<T> = await (early?.page ?? load(url, signal));
    // It may be older than the page before it, and then lacks records that have moved to it since.
    if (early?.isGuessed && (loaded.page.totalCount ?? total) < total) loaded = await load(url, signal);
    loaded = endAfterLast(loaded);
    const { items, next, totalCount = total } = loaded.page;
    if (totalCount < total && !hasFallen) {
      hasFallen = true;
      onDrift({ url, before: total, after: totalCount });
    }
    total = totalCount;
    records += items.length;
    if (Number.isInteger(Math.log2(pages))) kept = url;
    if (pages > 1) readAhead(loaded, pages);
    yield loaded;
    const problem = next === undefined ? problemOfEnd(loaded, declared && pages === 1) : undefined;
    if (problem !== undefined) throw new PagingError(problem, loaded.context());
    if (next === kept) throw new PagingError('the next links form a loop (§4.5)', loaded.context());
    if (pages === 1) readAhead(loaded, pages);
    url = next;
  }
}
