import type { Pagination } from '../headers/paging.ts';
import type { ListFacts, PagesSeen } from './facts.ts';
import type { LoadedPage } from './page.ts';

/** How many pages the list has, by the numbers of one response; undefined when they do not say. */
export const pageCountIn = ({ totalPages, totalCount, size }: Pagination): number | undefined => {
  if (totalPages !== undefined) return totalPages;
  return totalCount !== undefined && size ? Math.ceil(totalCount / size) : undefined;
};

/**
 * Where a page stands, by the total alone; undefined where that is not known. It is not known of a list that
 * began at a later page, if this page does not have the size of the query and the server may have lowered it
 * without a sign: the page may be the rest of the list, or a full page.
 */
export const positionByTotal = (
  { items, numbers: { totalCount = 0 } }: LoadedPage<unknown>,
  number: number,
  seen: PagesSeen,
  { isFromStart, perPage, clampsSize }: ListFacts,
): 'last' | 'earlier' | undefined => {
  if (isFromStart) return seen.records >= totalCount ? 'last' : 'earlier';
  if (number * items.length >= totalCount) return 'last';
  const isFirst = seen.pages === 1;
  const size = isFirst ? perPage : seen.mostRecords;
  if (items.length === size) return 'earlier';
  const isSizeKnown = size !== undefined && !(isFirst && clampsSize);
  return isSizeKnown && (number - 1) * size + items.length === totalCount ? 'last' : undefined;
};

/**
 * How many pages the list has: by the server, or by its total and the records of a full page. The requested
 * size does not count, because a server may lower it.
 *
 * @param number - of the page
 * @param isEnd - whether the list ends with it
 */
export const totalPagesOf = (
  page: LoadedPage<unknown>,
  number: number | undefined,
  isEnd: boolean,
  seen: PagesSeen,
  facts: ListFacts,
): number | undefined => {
  const { items, numbers } = page;
  const { totalCount } = numbers;
  const count = pageCountIn(numbers);
  if (count !== undefined || totalCount === undefined) return count;
  if (totalCount === 0) return 0;
  if (isEnd && items.length > 0) return number;
  const isUnknown =
    facts.isPagedByNumber && number !== undefined && positionByTotal(page, number, seen, facts) === undefined;
  return isUnknown || seen.mostRecords === 0 ? undefined : Math.ceil(totalCount / seen.mostRecords);
};
