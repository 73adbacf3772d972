import type { Pagination } from '../headers/paging.ts';
import { firstPageHint, type ListFacts, type PagesSeen, pageNumberOf } from './facts.ts';
import type { LoadedPage } from './page.ts';
import { pageCountIn } from './page-count.ts';

/** How a list continues after a page. */
export type Next =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'end'; readonly url?: undefined }
  /** It cannot, without losing or repeating records. `url` is the next page, where its URL is right. */
  | { readonly kind: 'error'; readonly problem: string; readonly url: string | undefined };

const end: Next = { kind: 'end' };

/** The list continues with the page at a URL. */
export const continueAt = (url: string): Next => ({ kind: 'page', url });

/**
 * The list cannot be continued, so that its reader gets an error after this page.
 *
 * @param url - the next page, where its URL is right. Never a link that is refused: it would lead a reader
 * who continues from it to records of another query.
 */
export const cannotContinue = (problem: string, url?: string): Next => ({ kind: 'error', problem, url });

/**
 * True where a URL has each part of a link. One with the same number and another parameter is a cursor, as the
 * keyset links of GitLab are.
 */
const hasPartsOf = (url: string, link: string): boolean =>
  link.split(/[?&]/).every((part) => url.split(/[?&]/).includes(part));

/** The next page by its link. A link without a page number is a cursor, and is followed unchanged. */
const nextByLink = ({ url, numbers }: LoadedPage<unknown>, link: string, facts: ListFacts): Next => {
  const { numberIn, withNumber } = facts.pageUrls;
  const from = numberIn(url);
  const to = numberIn(link);
  if (to === undefined) return continueAt(link);
  if (from !== undefined && (to < from || (to === from && hasPartsOf(url, link))))
    return cannotContinue(`the next links form a loop (§4.5): that of page ${from} leads to page ${to}`);
  // The URL of this page was checked before, and the link differs from it in the number alone.
  if (link === withNumber(url, to)) return continueAt(link);
  const difference = facts.differenceOf(link);
  if (difference !== undefined) return cannotContinue(`the next link ${difference} of the query (§4.5)`);
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
  return cannotContinue(
    `the Link header has no next page, and X-Pagination-* says that this is page ${number} of ${count} (§4.5)`,
  );
};

/** How much of a list was read, if records are missing: "2 of 100 records"; undefined if none are. */
const shortageOf = (seen: PagesSeen, { isFromStart }: ListFacts): string | undefined => {
  const { pages, leastTotal, leastPages, fallen, isSteady } = seen;
  if (!isFromStart) return undefined;
  // In a list that changes, records that were inserted may hide that others were deleted.
  const records = isSteady ? seen.distinct : seen.records;
  // Each record that was deleted may have moved another one to a page that was read before.
  if (leastTotal !== undefined)
    return records < leastTotal - fallen ? `${records} of ${leastTotal} records` : undefined;
  return leastPages !== undefined && pages < leastPages ? `${pages} of ${leastPages} pages` : undefined;
};

/** The page after one with records, in a family with `next: 'number'` whose pages have a total at most. */
const nextByTotal = (page: LoadedPage<unknown>, number: number, seen: PagesSeen, facts: ListFacts): Next => {
  const next = facts.pageUrls.withNumber(page.url, number + 1);
  const missing = page.places?.missingTotal;
  // A collection without `paging` may be one list on a single page.
  const isWhole = facts.isFromStart && seen.pages === 1 && !facts.declaresPaging;
  if (missing !== undefined) return isWhole ? end : cannotContinue(missing, next);
  // If it is not known whether a page is the last one, the next page is requested, and may be empty.
  return facts.positionByTotal?.(page, number, seen, facts) === 'last' ? end : continueAt(next);
};

const exposing =
  'the browser hides the next page: the server must send Access-Control-Expose-Headers with Link and X-Pagination-*';

/** Why a list is short. Records with the same value may change places between two pages. */
const shortageReason = (items: readonly unknown[], { records, distinct }: PagesSeen): string => {
  if (items.length === 0) return `the page is empty${firstPageHint}`;
  return records > distinct ? 'records came twice; sort by `id` too' : 'there is no link to the next page';
};

/** The problem of a page that has more records than it was asked for, and does not say its size. */
const ignoredSizeProblem = (
  items: readonly unknown[],
  { size }: Pagination,
  { perPage = Infinity }: ListFacts,
): string | undefined =>
  size === undefined && items.length > perPage
    ? `the page has ${items.length} records where \`perPage\` asks for ${perPage}, and no next link: if the server names them otherwise, declare family(); else leave \`perPage\` out`
    : undefined;

/**
 * The problem of a list whose pages the client counts, and which has fewer records than its first page and its
 * last one say in a place that is not declared: a list that grew has only the total of the first one.
 */
const countedProblem = (
  { checkTotal }: LoadedPage<unknown>,
  { checkTotal: checkFirst, distinct }: PagesSeen,
  { isFromStart }: ListFacts,
): string | undefined => {
  const problem = isFromStart ? checkFirst?.(distinct) : undefined;
  return problem !== undefined && checkTotal !== undefined ? checkTotal(distinct) : problem;
};

/** Why a list cannot end with a page that leads to no other page; undefined if it can. */
const endProblemOf = (
  page: LoadedPage<unknown>,
  isLastByNumber: boolean,
  seen: PagesSeen,
  facts: ListFacts,
): string | undefined => {
  const { items, numbers, hasHiddenHeaders, checkEnd } = page;
  const lacksLinks = facts.isLinked && !seen.hasLinks;
  const isHidden = hasHiddenHeaders && lacksLinks;
  const shortage = shortageOf(seen, facts);
  if (shortage !== undefined) {
    return `the list ends after ${shortage} (§4.5): ${isHidden ? exposing : shortageReason(items, seen)}`;
  }
  const isCounted = isLastByNumber || (facts.isFromStart && seen.leastTotal !== undefined);
  const isPartial = numbers.size !== undefined && items.length < numbers.size;
  const isEndKnown = isCounted || isPartial || items.length === 0;
  if (facts.declaresPaging && isHidden && !isEndKnown) return exposing;
  if (isCounted) return undefined;
  const sizeProblem = lacksLinks ? ignoredSizeProblem(items, numbers, facts) : undefined;
  // Where links lead on, they are right.
  const signProblem = checkEnd?.(facts.isFromStart && !seen.hasLinks ? seen.distinct : Infinity);
  return sizeProblem ?? signProblem ?? countedProblem(page, seen, facts);
};

/**
 * How a list continues after a page (§4.5). No other function decides it. The first row that is true counts:
 *
 * | the page                                          | the list                                           |
 * |---------------------------------------------------|----------------------------------------------------|
 * | lacks the place of the next page, or is the first | fails, unless it may be the whole list: the first  |
 * | page and lacks that of a number                   | page, with no other place of a page, of a          |
 * |                                                   | collection that declares no `paging`               |
 * | is empty, with a number above the number of pages | ends; fails if records are missing                 |
 * | has a next link                                   | continues there; fails if the link leads back, or  |
 * |                                                   | has lost a part of the query                       |
 * | has a number below the number of pages, no links, | continues with the next number                     |
 * | and no cursor in its URL                          |                                                    |
 * | has a number below the number of pages            | fails: links and numbers contradict each other     |
 * | has records and a number, but no number of pages, | continues with the next number up to the total,    |
 * | or a lower one, in a family with `next: 'number'` | which counts only if no more records came; without |
 * |                                                   | a total it fails; the first page is a whole list,  |
 * |                                                   | if the collection declares no `paging`             |
 * | leads to no other page, and records are missing   | fails                                              |
 * | has headers that a browser hides                  | fails, unless something else shows that it ends    |
 * | has more records than `perPage`, no size, and     | fails                                              |
 * | no page had links, where they lead on             |                                                    |
 * | has a sign of more records that is not declared,  | fails                                              |
 * | and no total is known                             |                                                    |
 * | is any other                                      | ends                                               |
 */
export const nextOf = (page: LoadedPage<unknown>, seen: PagesSeen, facts: ListFacts): Next => {
  const { isPage, missingNumber, missingNext } = page.places ?? {};
  const isFirst = seen.pages === 1;
  const missing = missingNext ?? (isFirst ? missingNumber : undefined);
  const mayBeWhole = isFirst && !isPage && !facts.declaresPaging;
  if (missing !== undefined && !mayBeWhole) return cannotContinue(missing);
  const number = pageNumberOf(page, seen, facts);
  const count = pageCountIn(page.numbers);
  const isNumbered = number !== undefined && count !== undefined;
  const link = page.links.get('next');
  const isBeyondEnd = isNumbered && number > count && page.items.length === 0;
  if (link !== undefined && !isBeyondEnd) return nextByLink(page, link, facts);
  if (isNumbered && number < count) return nextByNumber(page, number, count, seen, facts);
  // A page with records behind the last one shows that the number of pages is wrong, unless the list began
  // there: then a server may give its last page, which has no more records than the total.
  const isWrong = facts.isFromStart || page.items.length > (page.numbers.totalCount ?? Infinity);
  const isUncounted = count === undefined || (isWrong && (number ?? 0) > count);
  const hasTotalAtMost = facts.positionByTotal && isUncounted && page.items.length > 0;
  const byTotal = hasTotalAtMost && number !== undefined ? nextByTotal(page, number, seen, facts) : end;
  if (byTotal.kind !== 'end') return byTotal;
  const problem = endProblemOf(page, isNumbered, seen, facts);
  return problem === undefined ? end : cannotContinue(problem);
};
