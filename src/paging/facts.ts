import type { PositionByTotal } from '../families/position.ts';
import type { EndCheck } from '../headers/paging.ts';
import type { LoadedPage } from './page.ts';
import type { PageUrls } from './page-urls.ts';

/** Ends an error where the server may count pages from another number than 1 or than the family says. */
export const firstPageHint = '; check `firstPage`';

/** How the pages of a list are found, by its declaration. */
export interface PagingRules {
  readonly pageUrls: PageUrls;
  /**
   * Where a page stands by its total alone, in a family with `next: 'number'`: its pages have no links, and
   * numbers lead to the next page. Undefined in any other family.
   */
  readonly positionByTotal: PositionByTotal | undefined;
  /** True where `Link` leads from page to page, so that the last one may lack any sign of its end. */
  readonly isLinked: boolean;
  /** True when the collection declares `paging`, so that its responses must have paging headers. */
  readonly declaresPaging: boolean;
}

/** Where a list begins, and what its links must keep, by its query. */
export interface ListStart {
  readonly url: string;
  /** True for page 1 of the query; false where `page` or `from` leads behind it. */
  readonly isFromStart: boolean;
  /** True where the query names the page to begin with, so that its size decides which records that page has. */
  readonly isNumbered: boolean;
  /** The page size that the query asks for; undefined when it asks for none. */
  readonly perPage: number | undefined;
  /** The largest page size that the collection declares; undefined when it declares none. */
  readonly maxPerPage: number | undefined;
  /** A link with the page size that the query of the list has, where the link has lost it. */
  readonly withSize: (link: string) => string;
  /** A link with the parameters that each list sends, where the link has lost them. */
  readonly withParameters: (link: string) => string;
  /** How a link differs from the query of the list: "has lost `sort`"; undefined for a link that keeps it. */
  readonly differenceOf: (link: string) => string | undefined;
}

/** What is known of a list before its first page. */
export interface ListFacts extends PagingRules, ListStart {}

/** What the pages of a list have shown, up to the latest one. */
export interface PagesSeen {
  readonly pages: number;
  /** Records, those that repeat included. */
  readonly records: number;
  /** Records without those that repeat. */
  readonly distinct: number;
  /** Records on the page that has most of them. */
  readonly mostRecords: number;
  /** Number of records of the list, as the latest page that says it. */
  readonly total?: number | undefined;
  /** The least number of records and of pages that a page said the list has. */
  readonly leastTotal?: number | undefined;
  readonly leastPages?: number | undefined;
  /** True until a page says another number of records than the one before it: the list has changed. */
  readonly isSteady: boolean;
  /** By how many records totals were below the one before them, in all. */
  readonly fallen: number;
  /** True when a page had links: `Link` is not hidden. */
  readonly hasLinks: boolean;
  /** `checkTotal` of the first page that has one. */
  readonly checkTotal?: EndCheck | undefined;
}

/** Before the first page. */
export const nothingSeen: PagesSeen = {
  pages: 0,
  records: 0,
  distinct: 0,
  mostRecords: 0,
  isSteady: true,
  fallen: 0,
  hasLinks: false,
};

const leastOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one !== undefined && other !== undefined ? Math.min(one, other) : (one ?? other);

/**
 * What has been seen with one page more.
 *
 * @param distinct - how many of its records are not those of the pages before
 */
export const addPage = (
  seen: PagesSeen,
  { items, links, numbers, checkTotal }: LoadedPage<unknown>,
  distinct: number,
): PagesSeen => {
  const { totalCount, totalPages } = numbers;
  const fall = Math.max(0, (seen.total ?? 0) - (totalCount ?? Infinity));
  const isOtherTotal = totalCount !== undefined && seen.total !== undefined && totalCount !== seen.total;
  return {
    pages: seen.pages + 1,
    records: seen.records + items.length,
    distinct: seen.distinct + distinct,
    mostRecords: Math.max(seen.mostRecords, items.length),
    total: totalCount ?? seen.total,
    leastTotal: leastOf(seen.leastTotal, totalCount),
    leastPages: leastOf(seen.leastPages, totalPages),
    isSteady: seen.isSteady && !isOtherTotal,
    fallen: seen.fallen + fall,
    hasLinks: seen.hasLinks || links.size > 0,
    checkTotal: seen.checkTotal ?? checkTotal,
  };
};

/**
 * The number of a page: by its response, else by its URL, else 1 for the first page of a list that is read
 * from its start.
 */
export const pageNumberOf = (
  { url, numbers: { number } }: LoadedPage<unknown>,
  { pages }: PagesSeen,
  { pageUrls, isFromStart }: ListFacts,
): number | undefined => number ?? pageUrls.numberIn(url) ?? (isFromStart && pages === 1 ? 1 : undefined);
