import type { Pagination } from '../headers/paging.ts';
import type { ListFacts, PagesSeen } from './facts.ts';
import type { LoadedPage } from './page.ts';

/** How many pages the list has, by the numbers of one response; undefined when they do not say. */
export const pageCountOf = ({ totalPages, totalCount, size }: Pagination): number | undefined => {
  if (totalPages !== undefined) return totalPages;
  return totalCount !== undefined && size ? Math.ceil(totalCount / size) : undefined;
};

/**
 * Whether a page is the last one by the total alone: whether it and the pages before it have all records. Of a
 * list that began at a later page, the number of records before it follows from the size of a page, which a
 * server may lower without a sign:
 *
 * | with the records of this page, a full page | the page is the last one |
 * |--------------------------------------------|--------------------------|
 * | has the known or the requested size        | true                     |
 * | has a smaller size, which is possible      | undefined: not known     |
 * | has an impossible size                     | false                    |
 */
export const isLastByTotal = (
  { items }: LoadedPage<unknown>,
  number: number,
  totalCount: number,
  seen: PagesSeen,
  { isFromStart, perPage }: ListFacts,
): boolean | undefined => {
  if (isFromStart) return seen.records >= totalCount;
  if (number * items.length >= totalCount) return true;
  const size = seen.pages > 1 ? seen.mostRecords : perPage;
  if (items.length === size) return false;
  const sizeBefore = (totalCount - items.length) / (number - 1);
  if (sizeBefore === size) return true;
  const isPossible = Number.isInteger(sizeBefore) && sizeBefore < (size ?? Infinity);
  return isPossible ? undefined : false;
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
  const count = pageCountOf(numbers);
  if (count !== undefined || totalCount === undefined) return count;
  if (totalCount === 0) return 0;
  if (isEnd && items.length > 0) return number;
  const isUnknown =
    facts.isPagedByNumber &&
    number !== undefined &&
    isLastByTotal(page, number, totalCount, seen, facts) === undefined;
  return isUnknown || seen.mostRecords === 0 ? undefined : Math.ceil(totalCount / seen.mostRecords);
};
