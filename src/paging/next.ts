import { type LoadedPage, pageCountOf } from './page.ts';
import type { PageNumbers } from './page-numbers.ts';

/** Where a list begins, and what its links must keep. */
export interface ListStart {
  readonly url: string;
  /** True for page 1 of the query; false where `page` or `from` leads behind it. */
  readonly isFirst: boolean;
  /** True when the query says how many records a page has. */
  readonly hasSize: boolean;
  /** A link with the page size that the query of the list has, where the link has lost it. */
  readonly withSize: (link: string) => string;
  /** A link with the parameters that each list sends, where the link has lost them. */
  readonly withParameters: (link: string) => string;
  /** How a link differs from the query of the list: "has lost `sort`"; undefined for a link that keeps it. */
  readonly differenceOf: (link: string) => string | undefined;
}

/** What decides where a list ends, besides its pages. */
export interface ListRules extends Omit<ListStart, 'url'> {
  readonly numbers: PageNumbers;
  /**
   * True when the number of a page leads to the next one, and no link does: the records are counted up to the
   * total.
   */
  readonly isByNumber: boolean;
  /** True when the collection declares `paging`, so that its responses must have paging headers. */
  readonly declared: boolean;
}

/** What the pages of a list have shown, up to the latest one. */
export interface Seen {
  readonly pages: number;
  /** Records, those that repeat included. */
  readonly records: number;
  /** Number of records of the list, as the latest page that says it. */
  readonly total: number | undefined;
  /** The least number of records and of pages that a page said the list has. */
  readonly leastTotal: number | undefined;
  readonly leastPages: number | undefined;
  /** True when a total was below the one before it. */
  readonly hasFallen: boolean;
  /** True when a page had links: `Link` is not hidden. */
  readonly hasLinks: boolean;
}

/** Before the first page. */
export const nothingSeen: Seen = {
  pages: 0,
  records: 0,
  total: undefined,
  leastTotal: undefined,
  leastPages: undefined,
  hasFallen: false,
  hasLinks: false,
};

const leastOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one !== undefined && other !== undefined ? Math.min(one, other) : (one ?? other);

/** What has been seen with one page more. */
export const advance = (seen: Seen, { items, links, numbers }: LoadedPage<unknown>): Seen => {
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

/** How a list goes on after a page. */
export type Next =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'end'; readonly url: undefined }
  /** It cannot, without losing or repeating records. `url` is the link that the server gave. */
  | { readonly kind: 'error'; readonly problem: string; readonly url: string | undefined };

const end: Next = { kind: 'end', url: undefined };

/** The list continues with the page at a URL. */
export const toPageAt = (url: string): Next => ({ kind: 'page', url });

/**
 * The list cannot be continued.
 *
 * @param url - the link that the server gave
 */
export const toError = (problem: string, url?: string): Next => ({ kind: 'error', problem, url });

/** A link without a number is followed as it is: a cursor holds what it needs. */
const alongLink = ({ url, numbers }: LoadedPage<unknown>, link: string, rules: ListRules): Next => {
  const { numberIn, withNumber } = rules.numbers;
  const from = numberIn(url);
  const to = numberIn(link);
  if (to === undefined) return toPageAt(link);
  if (from !== undefined && to <= from)
    return toError(`the next links form a loop (§4.5): that of page ${from} leads to page ${to}`, link);
  // What differs in the number alone keeps what the link before it kept.
  if (link === withNumber(url, to)) return toPageAt(link);
  const difference = rules.differenceOf(link);
  if (difference !== undefined) return toError(`the next link ${difference} of the query (§4.5)`, link);
  const whole = rules.withParameters(link);
  // Where pages show their size, that of the next one is compared.
  return toPageAt(numbers.size === undefined ? rules.withSize(whole) : whole);
};

/** The number of a page. Only the start of a list is taken for page 1 where nothing says it. */
export const pageNumberOf = (
  { url, numbers: { number } }: LoadedPage<unknown>,
  { pages }: Seen,
  { numbers, isFirst }: ListRules,
): number | undefined => number ?? numbers.numberIn(url) ?? (isFirst && pages === 1 ? 1 : undefined);

/** How much of a list was read where it is too little: "2 of 100 records". */
const shortageOf = (seen: Seen, { isFirst }: ListRules): string | undefined => {
  const { pages, records, leastTotal, leastPages, hasFallen } = seen;
  if (!isFirst || hasFallen) return undefined;
  if (leastTotal !== undefined)
    return records < leastTotal ? `${records} of ${leastTotal} records` : undefined;
  return leastPages !== undefined && pages < leastPages ? `${pages} of ${leastPages} pages` : undefined;
};

const exposing =
  'the server must send Access-Control-Expose-Headers with Link and X-Pagination-*, because the browser hides the next page of the list';

/** The next page where nothing but the total says whether there is one. */
const byTotal = (page: LoadedPage<unknown>, number: number, seen: Seen, rules: ListRules): Next => {
  const { url, items, numbers } = page;
  const shortage = shortageOf(seen, rules);
  if (items.length === 0)
    return shortage === undefined
      ? end
      : toError(`the list ends after ${shortage} (§4.5): the page is empty`);
  const next = rules.numbers.withNumber(url, number + 1);
  const { totalCount } = numbers;
  // A collection that declares no paging is one list.
  if (totalCount === undefined && !rules.declared) return end;
  if (totalCount === undefined)
    return toError(
      'nothing says where the list ends: the response has no total; name list.totalCount or list.totalPages in family()',
      next,
    );
  // The last page of a list that begins later may have fewer records than the pages before it; an empty one
  // then follows it.
  const read = rules.isFirst ? seen.records : number * items.length;
  return read < totalCount ? toPageAt(next) : end;
};

/** Without a next link, the numbers say whether this is the end. */
const withoutLink = (page: LoadedPage<unknown>, seen: Seen, rules: ListRules): Next => {
  const { url, items, links, numbers, isFiltered } = page;
  const number = pageNumberOf(page, seen, rules);
  const count = pageCountOf(numbers);
  const isNumbered = number !== undefined && count !== undefined;
  if (isNumbered && number < count) {
    const isStart = rules.isFirst && seen.pages === 1;
    const mayCount = isStart || rules.numbers.numberIn(url) !== undefined;
    if (links.size === 0 && mayCount) return toPageAt(rules.numbers.withNumber(url, number + 1));
    const place = `page ${number} of ${count}`;
    return toError(`the Link header has no next page, and X-Pagination-* says that this is ${place} (§4.5)`);
  }
  if (rules.isByNumber && number !== undefined && count === undefined)
    return byTotal(page, number, seen, rules);
  const isHidden = isFiltered && !seen.hasLinks;
  const shortage = shortageOf(seen, rules);
  if (shortage !== undefined)
    return toError(
      `the list ends after ${shortage} (§4.5)${isHidden ? `; ${exposing}` : ': there is no link to the next page'}`,
    );
  const isWhole = rules.isFirst && seen.leastTotal !== undefined;
  const isPartial = numbers.size !== undefined && items.length < numbers.size;
  const isEndKnown = isNumbered || isWhole || isPartial || items.length === 0;
  return rules.declared && isHidden && !isEndKnown ? toError(exposing) : end;
};

/**
 * Where a list ends: the one place that decides whether there is a next page, and how it is requested (§4.5).
 */
export const nextOf = (page: LoadedPage<unknown>, seen: Seen, rules: ListRules): Next => {
  const missing = page.missingNext ?? (seen.pages === 1 ? page.missing : undefined);
  if (missing !== undefined && rules.declared)
    return toError(
      `the response lacks ${missing}, where the family of the API has a part of a list; correct family(), make it optional there, or declare a list without totals with paging: { totals: false }`,
    );
  const link = page.links.get('next');
  return link === undefined ? withoutLink(page, seen, rules) : alongLink(page, link, rules);
};
