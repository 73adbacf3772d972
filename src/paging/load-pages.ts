import { PagingError } from '../errors/restkin-error.ts';
import { acceptPage } from './arrival.ts';
import {
  addPage,
  type ListFacts,
  type ListStart,
  nothingSeen,
  type PagesSeen,
  type PagingRules,
  pageNumberOf,
} from './facts.ts';
import { createLoopCheck } from './loop-check.ts';
import { cannotContinue, continueAt, type Next, nextOf } from './next.ts';
import { type LoadedPage, type LoadPage, type PageGenerator, toPage } from './page.ts';
import { pageCountIn, totalPagesOf } from './page-count.ts';
import { createReadAhead } from './read-ahead.ts';
import { createDuplicateFilter } from './unique.ts';

/**
 * What `on.drift` reports, once in a list: its total fell between two of its pages, as records were deleted.
 */
export type Drift = {
  /** URL of the page that showed it. */
  readonly url: string;
  /** Number of records of the list, by an earlier page. */
  readonly before: number;
  /** The same by this page. */
  readonly after: number;
};

/** Where a list ends, also if it has more pages. */
export interface ListBounds {
  /** Number of pages after which it ends. */
  readonly maxPages: number;
  /** Number of records after which it ends. */
  readonly limit: number;
}

/** How the pages of a list are loaded. No page beyond its bounds is loaded ahead. */
export interface LoadPagesOptions<T> extends PagingRules, ListBounds {
  readonly load: LoadPage<T>;
  /** Says where the list begins; it throws for an invalid query. */
  readonly start: () => ListStart;
  /** Largest number of pages that load at the same time. */
  readonly concurrency: number;
  readonly onDrift: (event: Drift) => void;
}

/**
 * How many pages after one have a known URL. The first has that of the link. The URLs of others are known
 * where the link differs from the URL of the page in its number alone, and a total of records says how many
 * pages there are; by that total, a page that was requested too early can be told later.
 */
const knownAfter = (
  { url, numbers }: LoadedPage<unknown>,
  next: string,
  number: number | undefined,
  { withNumber }: ListFacts['pageUrls'],
): number => {
  const isCounted = number !== undefined && numbers.totalCount !== undefined;
  return isCounted && next === withNumber(url, number + 1)
    ? Math.max(1, (pageCountIn(numbers) ?? 0) - number)
    : 1;
};

/**
 * The pages of a list in their order, loaded ahead of the one that is read: none until the first page was
 * read, then up to `concurrency`. What a page says decides which one is next; a page that was loaded from
 * another URL is dropped, and so are records that repeat. `readPages` adds the bounds of the list.
 *
 * @throws {@link PagingError} when the list loops, or cannot be continued; its last page is given before
 */
export async function* loadPages<T>(options: LoadPagesOptions<T>, signal: AbortSignal): PageGenerator<T> {
  const { load, start, concurrency, maxPages, limit, onDrift, pageUrls } = options;
  const facts: ListFacts = { ...options, ...start() };
  const ahead = createReadAhead(load, signal);
  // A record may repeat on any page that was requested before an earlier one arrived.
  const withoutRepeated = createDuplicateFilter<T>(concurrency + 1);
  const comesBackTo = createLoopCheck();
  comesBackTo(facts.url);

  const loadAhead = (
    page: LoadedPage<T>,
    number: number | undefined,
    seen: PagesSeen,
    { kind, url }: Next,
  ): void => {
    if (kind !== 'page' || concurrency === 1) return;
    const needed = Math.ceil((limit - seen.records) / Math.max(1, page.items.length));
    const known = knownAfter(page, url, number, pageUrls);
    const count = Math.min(concurrency, maxPages - seen.pages, needed, known);
    const urlAt = (place: number): string =>
      place === 0 || number === undefined ? url : pageUrls.withNumber(url, number + 1 + place);
    ahead.loadUpTo(count, urlAt);
  };

  let seen = nothingSeen;
  let before: LoadedPage<T> | undefined;
  let next = continueAt(facts.url);
  while (next.kind === 'page') {
    const { url } = next;
    const earlier = seen;
    const loaded: LoadedPage<T> = await ahead.take(url, earlier.total ?? 0);
    const page = acceptPage(loaded, before, facts);
    const given = withoutRepeated(page);
    seen = addPage(earlier, page, given.items.length);
    if (seen.fallen > 0 && earlier.fallen === 0)
      onDrift({ url, before: earlier.total ?? 0, after: seen.total ?? 0 });
    next = nextOf(page, seen, facts);
    if (next.kind === 'page' && comesBackTo(next.url))
      next = cannotContinue(
        `the next links form a loop (§4.5)${facts.isLinked ? '' : '; check the parameter of list.next'}`,
      );

    const number = pageNumberOf(page, seen, facts) ?? (facts.isFromStart ? seen.pages : undefined);
    // The first page may be all that the reader wants.
    const isFirst = seen.pages === 1;
    if (!isFirst) loadAhead(page, number, seen, next);
    yield toPage(given, next.url, totalPagesOf(page, number, next.kind === 'end', seen, facts));
    if (next.kind === 'error') throw new PagingError(next.problem, page.context());
    if (isFirst) loadAhead(page, number, seen, next);
    before = page;
  }
}
