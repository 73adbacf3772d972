import type { Pagination } from '../headers/paging.ts';
import type { ListFacts, PagesSeen } from './facts.ts';
import type { LoadedPage } from './page.ts';

/** How many pages the list has, by the numbers of one response; undefined when they do not say. */
export const pageCountIn = ({ totalPages, totalCount, size }: Pagination): number | undefined => {
  if (totalPages !== undefined) return totalPages;
  return totalCount !== undefined && size ? Math.ceil(totalCount / size) : undefined;
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
  const { positionByTotal } = facts;
  const isUnknown =
    positionByTotal && number !== undefined && positionByTotal(page, number, seen, facts) === undefined;
  return isUnknown || seen.mostRecords === 0 ? undefined : Math.ceil(totalCount / seen.mostRecords);
};
