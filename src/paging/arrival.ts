import { PagingError } from '../errors/restkin-error.ts';
import { firstPageHint, type ListFacts } from './facts.ts';
import type { LoadedPage } from './page.ts';
import { pageCountIn } from './page-count.ts';
import { isSameRecord } from './unique.ts';

/** A page beyond the end of a list: it has no records, no next page and no previous page. */
const toEmpty = <T>(page: LoadedPage<T>, number: number): LoadedPage<T> => {
  const links = [...page.links].filter(([relation]) => relation !== 'next' && relation !== 'prev');
  return { ...page, items: [], links: new Map(links), numbers: { ...page.numbers, number } };
};

/**
 * True where each record of a page stands at the same place in the page before it. The page may be shorter,
 * if its link has lost the page size.
 */
const startsLike = (items: readonly unknown[], before: readonly unknown[]): boolean =>
  items.length > 0 && items.every((record, place) => isSameRecord(record, before[place]));

/**
 * The problem of a page whose size differs from that of the page before it: the two pages overlap, or leave
 * records out. Its link may have lost the page size, or the server has another default for a page that is
 * asked for by its number alone. Undefined for no such problem.
 */
const sizeProblem = (
  before: LoadedPage<unknown>,
  { items, links, numbers }: LoadedPage<unknown>,
  number: number,
): string | undefined => {
  const { size, totalPages, totalCount = 0 } = numbers;
  const sizeBefore = before.numbers.size;
  if (size === undefined || sizeBefore === undefined) return undefined;
  // Some servers give the number of records as the size of the last page.
  const isEnd =
    totalPages === undefined ? (number - 1) * sizeBefore + items.length >= totalCount : number >= totalPages;
  const isLast = isEnd && !links.has('next');
  const isOther = size > sizeBefore || (size < sizeBefore && !isLast);
  return isOther
    ? `the list has pages of ${size} records, and the one before it of ${sizeBefore}: pass \`perPage\`, which links must keep`
    : undefined;
};

/**
 * The problem of a page with the records of the page before it; undefined where as many were inserted in
 * front of them. Without totals, the next page decides: a server that ignores its number gives them once
 * more.
 */
const repetitionProblem = (
  before: LoadedPage<unknown>,
  { links, numbers }: LoadedPage<unknown>,
  number: number | undefined,
): string | undefined => {
  const total = numbers.totalCount ?? numbers.totalPages;
  const totalBefore = before.numbers.totalCount ?? before.numbers.totalPages;
  const isKnown = total !== undefined && totalBefore !== undefined;
  const mayBeInserted = isKnown ? total > totalBefore : links.has('next') && !before.isRepetition;
  if (mayBeInserted) return undefined;
  const ignored = number === undefined ? 'cursor' : 'page number';
  const hint = number === 2 ? firstPageHint : '';
  return `the response has the same records as the page before it: the server ignores the ${ignored} (§4.4), or as many records were inserted before it${hint}`;
};

/**
 * The problem of an empty page with the total 0 after a page that has records: the server may filter by the
 * parameter of the page number, and find no record with it. Undefined for no such problem.
 */
const filterProblem = (
  before: LoadedPage<unknown>,
  { items, numbers }: LoadedPage<unknown>,
  number: number,
): string | undefined => {
  // If the page before has records and the total 0 as well, totals are wrong in this list.
  const isCounted = before.numbers.totalCount !== 0;
  const isGone = isCounted && items.length === 0 && numbers.totalCount === 0 && before.items.length > 0;
  return isGone
    ? `page ${number} says that the list has no records, and the page before it has some: the server may filter by the page number (§4.4)`
    : undefined;
};

/** The problem of a numbered page whose server ignores `perPage`: it has the records of other numbers. */
const ignoredSizeProblem = (
  { items, numbers: { size } }: LoadedPage<unknown>,
  { isNumbered, perPage = Infinity }: ListFacts,
): string | undefined =>
  isNumbered && size === undefined && items.length > perPage
    ? `the page has ${items.length} records where \`perPage\` asks for ${perPage}: correct query.perPage of family(), or leave \`perPage\` out`
    : undefined;

/**
 * Checks that a response is the requested page. Some servers give their last page for each number beyond the
 * end: then the result is an empty page.
 *
 * @param before - the page before it; undefined for the first one
 * @throws {@link PagingError} for another page than the requested one
 */
export const acceptPage = <T>(
  loaded: LoadedPage<T>,
  before: LoadedPage<unknown> | undefined,
  facts: ListFacts,
): LoadedPage<T> => {
  const throwIfAny = (problem: string | undefined): void => {
    if (problem !== undefined) throw new PagingError(problem, loaded.context());
  };
  if (before === undefined) throwIfAny(ignoredSizeProblem(loaded, facts));
  const { number, size } = loaded.numbers;
  const requested = facts.pageUrls.numberIn(loaded.url);
  if (before !== undefined && requested !== undefined)
    throwIfAny(filterProblem(before, loaded, requested) ?? sizeProblem(before, loaded, requested));
  if (requested !== undefined && number !== undefined && number !== requested) {
    const isBeyondEnd = number < requested && requested > (pageCountIn(loaded.numbers) ?? requested);
    if (isBeyondEnd) return toEmpty(loaded, requested);
    // Strapi 4 skips what it was asked for, and gives less.
    const advice = size && facts.perPage && facts.perPage > size ? `; pass \`perPage\` up to ${size}` : '';
    const hint = requested === 1 ? firstPageHint : advice;
    throwIfAny(`page ${requested} was requested, and the response is page ${number} (§4.4)${hint}`);
  }
  const isRepetition = before !== undefined && startsLike(loaded.items, before.items);
  if (isRepetition) throwIfAny(repetitionProblem(before, loaded, requested));
  const page = { ...loaded, isRepetition };
  // Of numbered pages, only the last one may have a smaller size: that of its records.
  if (requested === undefined || !size || !before?.numbers.size) return page;
  return { ...page, numbers: { ...loaded.numbers, size: before.numbers.size } };
};
