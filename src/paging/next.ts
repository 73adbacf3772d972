import { type LoadedPage, pageCountOf } from './page.ts';
import type { PageUrls } from './page-urls.ts';

/** Where a list begins, and what its links must keep. */
export interface ListStart {
  readonly url: string;
  /** True for page 1 of the query; false where `page` or `from` leads behind it. */
  readonly isFromStart: boolean;
  /** True when the query says how many records a page has. */
  readonly hasSize: boolean;
  /** A link with the page size that the query of the list has, where the link has lost it. */
  readonly withSize: (link: string) => string;
  /** A link with the parameters that each list sends, where the link has lost them. */
  readonly withParameters: (link: string) => string;
  /** How a link differs from the query of the list: "has lost `sort`"; undefined for a link that keeps it. */
  readonly differenceOf: (link: string) => string | undefined;
}

/** What is known of a list without its pages. */
export interface ListFacts extends Omit<ListStart, 'url'> {
  readonly pageUrls: PageUrls;
  /** True when the family says `next: 'number'`: its pages have no links, and numbers lead to the next page. */
  readonly isPagedByNumber: boolean;
  /** True when the collection declares `paging`, so that its responses must have paging headers. */
  readonly declaresPaging: boolean;
}

/** What the pages of a list have shown, up to the latest one. */
export interface PagesSeen {
  readonly pages: number;
  /** Records, those that repeat included. */
  readonly records: number;
  /** Number of records of the list, as the latest page that says it. */
  readonly total?: number | undefined;
  /** The least number of records and of pages that a page said the list has. */
  readonly leastTotal?: number | undefined;
  readonly leastPages?: number | undefined;
  /** True when a total was below the one before it. */
  readonly hasFallen: boolean;
  /** True when a page had links: `Link` is not hidden. */
  readonly hasLinks: boolean;
}

/** Before the first page. */
export const nothingSeen: PagesSeen = { pages: 0, records: 0, hasFallen: false, hasLinks: false };

const leastOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one !== undefined && other !== undefined ? Math.min(one, other) : (one ?? other);

/** What has been seen with one page more. */
export const addPage = (seen: PagesSeen, { items, links, numbers }: LoadedPage<unknown>): PagesSeen => {
  const { totalCount, totalPages } = numbers;
  const isLess = totalCount !== undefined && totalCount < (seen.total ?? 0);
  return {
    pages: seen.pages + 1,
    records: seen.records + items.length,
    total: totalCount ?? seen.total,
    leastTotal: leastOf(seen.leastTotal, totalCount),
    leastPages: leastOf(seen.leastPages, totalPages),
    hasFallen: seen.hasFallen || isLess,
    hasLinks: seen.hasLinks || links.size > 0,
  };
};

/** How a list continues after a page. */
export type Next =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'end'; readonly url?: undefined }
  /** It cannot, without losing or repeating records. `url` is the link that the server gave. */
  | { readonly kind: 'error'; readonly problem: string; readonly url: string | undefined };

const end: Next = { kind: 'end' };

/** The list continues with the page at a URL. */
export const continueAt = (url: string): Next => ({ kind: 'page', url });

/**
 * The list cannot be continued, so that its reader gets an error after this page.
 *
 * @param url - the link that the server gave
 */
export const cannotContinue = (problem: string, url?: string): Next => ({ kind: 'error', problem, url });

/**
 * The number of a page: by its response, else by its URL, else 1 for the first page of a list that is read
 * from its start.
 */
export const pageNumberOf = (
  { url, numbers: { number } }: LoadedPage<unknown>,
  { pages }: PagesSeen,
  { pageUrls, isFromStart }: ListFacts,
): number | undefined => number ?? pageUrls.numberIn(url) ?? (isFromStart && pages === 1 ? 1 : undefined);

/** The next page by its link. A link without a page number is a cursor, and is followed unchanged. */
const nextByLink = ({ url, numbers }: LoadedPage<unknown>, link: string, facts: ListFacts): Next => {
  const { numberIn, withNumber } = facts.pageUrls;
  const from = numberIn(url);
  const to = numberIn(link);
  if (to === undefined) return continueAt(link);
  if (from !== undefined && to <= from)
    return cannotContinue(
      `the next links form a loop (§4.5): that of page ${from} leads to page ${to}`,
      link,
    );
  // The URL of this page was checked before, and the link differs from it in the number alone.
  if (link === withNumber(url, to)) return continueAt(link);
  const difference = facts.differenceOf(link);
  if (difference !== undefined)
    return cannotContinue(`the next link ${difference} of the query (§4.5)`, link);
  const whole = facts.withParameters(link);
  // If pages show their size, `acceptPage` compares the size of the next one.
  return continueAt(numbers.size === undefined ? facts.withSize(whole) : whole);
};

/** The next page by its number, after a page without a next link that is not the last one by the numbers. */
const nextByNumber = (
  { url, links }: LoadedPage<unknown>,
  number: number,
  count: number,
  seen: PagesSeen,
  facts: ListFacts,
): Next => {
  // The URL of a cursor has no number that could be replaced.
  const isFirst = facts.isFromStart && seen.pages === 1;
  const hasNumber = isFirst || facts.pageUrls.numberIn(url) !== undefined;
  if (links.size === 0 && hasNumber) return continueAt(facts.pageUrls.withNumber(url, number + 1));
  const place = `page ${number} of ${count}`;
  return cannotContinue(
    `the Link header has no next page, and X-Pagination-* says that this is ${place} (§4.5)`,
  );
};

/** How much of a list was read, if records are missing: "2 of 100 records"; undefined if none are. */
const shortageOf = (seen: PagesSeen, { isFromStart }: ListFacts): string | undefined => {
  const { pages, records, leastTotal, leastPages, hasFallen } = seen;
  if (!isFromStart || hasFallen) return undefined;
  if (leastTotal !== undefined)
    return records < leastTotal ? `${records} of ${leastTotal} records` : undefined;
  return leastPages !== undefined && pages < leastPages ? `${pages} of ${leastPages} pages` : undefined;
};

/** The next page in a family with `next: 'number'` whose pages have a total at most. */
const nextByTotal = (page: LoadedPage<unknown>, number: number, seen: PagesSeen, facts: ListFacts): Next => {
  const { url, items, numbers } = page;
  const shortage = shortageOf(seen, facts);
  if (items.length === 0)
    return shortage === undefined
      ? end
      : cannotContinue(`the list ends after ${shortage} (§4.5): the page is empty`);
  const next = facts.pageUrls.withNumber(url, number + 1);
  const { totalCount } = numbers;
  // A collection without `paging` may be one list on a single page.
  if (totalCount === undefined && !facts.declaresPaging) return end;
  if (totalCount === undefined)
    return cannotContinue(
      'nothing says where the list ends: the response has no total; name list.totalCount or list.totalPages in family()',
      next,
    );
  // The last page of a list that begins later may have fewer records than the pages before it; an empty one
  // then follows it.
  const read = facts.isFromStart ? seen.records : number * items.length;
  return read < totalCount ? continueAt(next) : end;
};

const exposing =
  'the server must send Access-Control-Expose-Headers with Link and X-Pagination-*, because the browser hides the next page of the list';

/** Why a list cannot end with a page that leads to no other page; undefined if it can. */
const endProblemOf = (
  { items, numbers, hasHiddenHeaders }: LoadedPage<unknown>,
  isLastByNumber: boolean,
  seen: PagesSeen,
  facts: ListFacts,
): string | undefined => {
  const isHidden = hasHiddenHeaders && !seen.hasLinks;
  const shortage = shortageOf(seen, facts);
  if (shortage !== undefined)
    return `the list ends after ${shortage} (§4.5)${isHidden ? `; ${exposing}` : ': there is no link to the next page'}`;
  const isWhole = facts.isFromStart && seen.leastTotal !== undefined;
  const isPartial = numbers.size !== undefined && items.length < numbers.size;
  const isEndKnown = isLastByNumber || isWhole || isPartial || items.length === 0;
  return facts.declaresPaging && isHidden && !isEndKnown ? exposing : undefined;
};

/**
 * How a list continues after a page (§4.5). No other function decides it. The first row that is true counts:
 *
 * | the page                                          | the list                                           |
 * |---------------------------------------------------|----------------------------------------------------|
 * | lacks a place that the family declares, and the   | fails                                              |
 * | collection declares `paging`                      |                                                    |
 * | has a next link                                   | continues there; fails if the link leads back, or  |
 * |                                                   | has lost a part of the query                       |
 * | has a number below the number of pages, no links, | continues with the next number                     |
 * | and no cursor in its URL                          |                                                    |
 * | has a number below the number of pages            | fails: links and numbers contradict each other     |
 * | has a number and no number of pages, in a family  | continues with the next number up to the total;    |
 * | with `next: 'number'`                             | without a total it fails if the collection         |
 * |                                                   | declares `paging`, and ends otherwise              |
 * | leads to no other page, and records are missing   | fails                                              |
 * | has headers that a browser hides                  | fails, unless something else shows that it ends    |
 * | is any other                                      | ends                                               |
 */
export const nextOf = (page: LoadedPage<unknown>, seen: PagesSeen, facts: ListFacts): Next => {
  const missing = page.missingNext ?? (seen.pages === 1 ? page.missingNumber : undefined);
  if (missing !== undefined && facts.declaresPaging)
    return cannotContinue(
      `the response lacks ${missing}, where the family of the API has a part of a list; correct family(), make it optional there, or declare a list without totals with paging: { totals: false }`,
    );
  const link = page.links.get('next');
  if (link !== undefined) return nextByLink(page, link, facts);
  const number = pageNumberOf(page, seen, facts);
  const count = pageCountOf(page.numbers);
  const isNumbered = number !== undefined && count !== undefined;
  if (isNumbered && number < count) return nextByNumber(page, number, count, seen, facts);
  if (facts.isPagedByNumber && number !== undefined && count === undefined)
    return nextByTotal(page, number, seen, facts);
  const problem = endProblemOf(page, isNumbered, seen, facts);
  return problem === undefined ? end : cannotContinue(problem);
};
