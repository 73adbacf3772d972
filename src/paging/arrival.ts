import { PagingError } from '../errors/restkin-error.ts';
import type { ListFacts } from './next.ts';
import { type LoadedPage, pageCountOf } from './page.ts';
import { isSameRecord } from './unique.ts';

/** A page beyond the end of a list: it has no records, and none follow or come right before it. */
const toEmpty = <T>(page: LoadedPage<T>, number: number): LoadedPage<T> => {
  const links = [...page.links].filter(([relation]) => relation !== 'next' && relation !== 'prev');
  return { ...page, items: [], links: new Map(links), numbers: { ...page.numbers, number } };
};

/**
 * True where a page has the first records of the one before it. It may have fewer where its link has lost the
 * page size.
 */
const startsLike = (items: readonly unknown[], before: readonly unknown[]): boolean =>
  items.length > 0 &&
  items.length <= before.length &&
  items.every((record, place) => isSameRecord(record, before[place]));

/**
 * Where the link to a page has lost the page size, pages overlap or leave records out; undefined where they
 * do not.
 */
const sizeProblem = (
  before: LoadedPage<unknown>,
  { links, numbers }: LoadedPage<unknown>,
  number: number,
): string | undefined => {
  const { size } = numbers;
  const sizeBefore = before.numbers.size;
  if (size === undefined || sizeBefore === undefined) return undefined;
  // Some servers give the number of records as the size of the last page.
  const isLast = !links.has('next') && number >= (pageCountOf(numbers) ?? 0);
  const isOther = size > sizeBefore || (size < sizeBefore && !isLast);
  return isOther
    ? `the list has pages of ${size} records, and the one before it of ${sizeBefore}: its link has lost the page size (§4.4)`
    : undefined;
};

/** Where a server gives a page a second time; undefined where it does not. */
const repetitionProblem = (
  before: LoadedPage<unknown>,
  { items, numbers }: LoadedPage<unknown>,
  number: number | undefined,
): string | undefined => {
  // As many new records as a page has would move its records to the next one.
  const hasGrown = (numbers.totalCount ?? 0) > (before.numbers.totalCount ?? Infinity);
  if (hasGrown || !startsLike(items, before.items)) return undefined;
  const ignored = number === undefined ? 'cursor' : 'page number';
  return `the response has the same records as the page before it: the server ignores the ${ignored} (§4.4)`;
};

/**
 * Where a server takes the number of a page for a filter, no record matches it, and the total falls to none;
 * undefined where it does not.
 */
const filterProblem = (
  before: LoadedPage<unknown>,
  { items, numbers }: LoadedPage<unknown>,
  number: number,
): string | undefined => {
  const isGone = items.length === 0 && numbers.totalCount === 0 && before.items.length > 0;
  return isGone
    ? `page ${number} says that the list has no records, and the page before it has some: the server may take the page number for a filter (§4.4)`
    : undefined;
};

/**
 * The page that was requested; an empty one in its place where a server gives its last page for any number
 * beyond the end.
 *
 * @param before - the page before it; undefined for the first one
 * @throws {@link PagingError} for another page than the requested one
 */
export const acceptPage = <T>(
  loaded: LoadedPage<T>,
  before: LoadedPage<unknown> | undefined,
  facts: ListFacts,
): LoadedPage<T> => {
  const fail = (problem: string | undefined): void => {
    if (problem !== undefined) throw new PagingError(problem, loaded.context());
  };
  const requested = facts.pageUrls.numberIn(loaded.url);
  const { number } = loaded.numbers;
  if (before !== undefined && requested !== undefined) fail(filterProblem(before, loaded, requested));
  if (before !== undefined && requested !== undefined && facts.hasSize)
    fail(sizeProblem(before, loaded, requested));
  if (requested !== undefined && number !== undefined && number < requested) {
    const isBeyondEnd = requested > (pageCountOf(loaded.numbers) ?? requested);
    if (isBeyondEnd) return toEmpty(loaded, requested);
    fail(`page ${requested} was requested, and the response is page ${number} (§4.4)`);
  }
  if (before !== undefined) fail(repetitionProblem(before, loaded, requested));
  return loaded;
};
