import type { QueryNames, WholeFamily } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import { isSameRow, type Row } from './evidence.ts';
import { findUsual } from './list.ts';
import { nextParameters } from './next.ts';
import type { SeenResponse } from './observe.ts';

/** What a second page of one record tells of the names by which it was asked for. */
export interface Proof {
  /** It has other records than the first page. */
  readonly isOther: boolean;
  /** It has one record, as was asked. */
  readonly isOne: boolean;
  /** It has more records than were asked for. */
  readonly isRefuted: boolean;
  /** Pages count from 0: the second was the third. */
  readonly isFromZero: boolean;
  /** It begins as the first page, and the list has more records. */
  readonly isPageIgnored: boolean;
}

/** True where a list has more records than its first page: a URL leads to them, or they are counted. */
const hasMore = (first: SeenResponse, records: number): boolean => {
  const { totalCount } = findUsual([first]);
  const { body, headers } = first;
  const count =
    totalCount && ('body' in totalCount ? valueAt(body, totalCount.body) : headers.get(totalCount.header));
  return nextParameters(first) !== undefined || Number(count) > records;
};

/**
 * @param read - the records of the second page; undefined where there is none
 * @param asFound - the first page, where it shows whether the list has more
 */
export const proveNames = (
  rows: readonly Row[],
  read: readonly Row[] | undefined,
  asFound?: SeenResponse,
): Proof => {
  const [first] = read ?? [];
  const isOne = read?.length === 1 && rows.length > 1;
  const isOther = first !== undefined && !isSameRow(first, rows[0]);
  const isLonger = isOne || (asFound !== undefined && hasMore(asFound, rows.length));
  return {
    isOther,
    isOne,
    isRefuted: read !== undefined && rows.length > 1 && !isOne,
    isFromZero: isOne && rows.length > 2 && isSameRow(first, rows[2]),
    isPageIgnored: first !== undefined && !isOther && isLonger,
  };
};

const describeTried = (tried: readonly string[], perPage: string | undefined): string =>
  tried.length > 1 ? `none of ${tried.join(', ')} had an effect` : `${perPage} had no effect`;

/**
 * What the second page does not tell of the names that it was asked for by.
 *
 * @param tried - the names of the size that had no effect
 */
export const describeUnproven = (
  { isOther, isOne, isPageIgnored }: Proof,
  { page, perPage }: QueryNames,
  { query, list }: WholeFamily,
  tried: readonly string[],
): readonly string[] => {
  const isSizeKept = query.perPage !== undefined;
  if (isOther && isOne) return [];
  if (isPageIgnored && list.next === 'number')
    return [
      `its name for pages: ${page} had no effect. Where the server pages by offset, name that in list.next: { offset: 'skip' }`,
    ];
  if (isOther || query.page === undefined) {
    if (isOne) return [];
    return isSizeKept
      ? [`whether ${perPage} is its name for the size of a page`]
      : [`its name for the size of a page: ${describeTried(tried, perPage)}; name it in query.perPage`];
  }
  if (isOne) return [`whether ${page} is its name for pages`];
  return isSizeKept
    ? [`whether ${page} and ${perPage} are its names for pages and their size`]
    : [`whether ${page} is its name for pages, and its name for their size, which query.perPage takes`];
};
