import { PagingError } from '../errors/restkin-error.ts';
import type { ListRules } from './next.ts';
import { type LoadedPage, pageCountOf } from './page.ts';
import { identityOf } from './unique.ts';

/** A page beyond the end of a list: it has no records, and none follow or come right before it. */
const toEmpty = <T>(page: LoadedPage<T>, number: number): LoadedPage<T> => {
  const links = [...page.links].filter(([relation]) => relation !== 'next' && relation !== 'prev');
  return { ...page, items: [], links: new Map(links), numbers: { ...page.numbers, number } };
};

const haveSameRecords = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length > 0 &&
  one.length === other.length &&
  one.every((record, index) => {
    const identity = identityOf(record);
    return identity !== undefined && identity === identityOf(other[index]);
  });

/** Why a page cannot be the one after another; undefined where it can. */
const problemAfter = (
  before: LoadedPage<unknown>,
  { url, items, links, numbers }: LoadedPage<unknown>,
  isCounted: boolean,
  rules: ListRules,
): string | undefined => {
  const number = rules.numbers.numberIn(url);
  if (number === undefined) return undefined;
  const hasGrown = (numbers.totalCount ?? 0) > (before.numbers.totalCount ?? Infinity);
  if (isCounted && !hasGrown && haveSameRecords(items, before.items))
    return `page ${number} has the same records as page ${number - 1}: the server ignores the page number (§4.4)`;
  const { size } = numbers;
  const sizeBefore = before.numbers.size;
  if (!rules.hasSize || size === undefined || sizeBefore === undefined) return undefined;
  // Some servers give the number of records as the size of the last page.
  const isOther = size > sizeBefore || (size < sizeBefore && links.has('next'));
  return isOther
    ? `the list has pages of ${size} records, and the one before it of ${sizeBefore}: its link has lost the page size (§4.4)`
    : undefined;
};

/**
 * A page as it stands in its list: is it the one that was requested? Some servers give their last page where a later one is
 * requested, which is then the end of the list.
 *
 * @param before - the page before it; undefined for the first one
 * @param isCounted - true when the numbers of that page led to this one, without a link
 * @throws {@link PagingError} for another page than the requested one
 */
export const checkArrival = <T>(
  loaded: LoadedPage<T>,
  before: LoadedPage<unknown> | undefined,
  isCounted: boolean,
  rules: ListRules,
): LoadedPage<T> => {
  const { url, numbers } = loaded;
  const requested = rules.numbers.numberIn(url);
  if (requested !== undefined && numbers.number !== undefined && numbers.number < requested) {
    const isBeyondEnd = requested > (pageCountOf(numbers) ?? requested);
    if (isBeyondEnd) return toEmpty(loaded, requested);
    throw new PagingError(
      `page ${requested} was requested, and the response is page ${numbers.number} (§4.4)`,
      loaded.context(),
    );
  }
  const problem = before && problemAfter(before, loaded, isCounted, rules);
  if (problem !== undefined) throw new PagingError(problem, loaded.context());
  return loaded;
};
