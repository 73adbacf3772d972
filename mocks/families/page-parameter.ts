// The parameter that leads to a page of a list: its number, a cursor, or the records before it.
import type { WholeFamily } from '../../src/families/family.ts';
import { cursorParameterOf } from '../../src/families/list-form.ts';

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
