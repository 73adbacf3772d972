// The parameter that leads to a page of a list: its number, a cursor, or the records before it.
import { cursorParameterOf, type WholeFamily } from '../../src/families/family.ts';

/** Leads to a page where a family declares no parameter of its own: it pages by its links alone. */
const linkParameter = 'cursor';

export const pageParameterOf = ({ query, list }: WholeFamily): string =>
  query.page ?? cursorParameterOf(list) ?? linkParameter;

const cursorPrefix = 'page:';

const decodeCursor = (cursor: string): string => {
  try {
    const text = atob(cursor);
    return text.startsWith(cursorPrefix) ? text.slice(cursorPrefix.length) : 'unknown';
  } catch {
    return 'unknown';
  }
};

/** The number of a page as the conventions write it; not a number for an unknown cursor. */
export const readPageNumber = (value: string, { query, firstPage }: WholeFamily): string =>
  query.page === undefined ? decodeCursor(value) : String(Number(value) - firstPage + 1);

/**
 * The number of a page, counted from 1, as the family writes it. A client cannot read a number in a cursor.
 */
export const formatPageNumber = (number: number, { query, firstPage }: WholeFamily): string =>
  query.page === undefined ? btoa(cursorPrefix + number) : String(number - 1 + firstPage);

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);

/**
 * The page of the conventions that begins behind so many records. Its size is that of the query where the
 * offset is a multiple of it, and else the largest one for which it is: a server may give fewer records than
 * it is asked for.
 *
 * @param offset - as it was sent
 * @param size - records per page, an integer from 1
 * @returns undefined for an offset that is no integer from 0
 */
export const pageAtOffset = (
  offset: string,
  size: number,
): { readonly page: number; readonly perPage: number } | undefined => {
  const before = Number(offset);
  if (!/^\d{1,15}$/.test(offset)) return undefined;
  const perPage = greatestCommonDivisor(size, before);
  return { page: before / perPage + 1, perPage };
};
