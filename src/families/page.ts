import { header } from '../conventions.ts';
import { type Links, type Pagination, parseLink } from '../headers/paging.ts';
import { cursorParameterOf, type ListForm, type Place, type WholeFamily } from './family.ts';
import { valueAt } from './path.ts';

/** What a list response of a family says, in the words of the conventions. */
export interface FamilyPage {
  /** The records, as they were sent; not an array where the body has none at the declared place. */
  readonly items: unknown;
  /**
   * The paging links, of which a family has `next` in its body; undefined for a `Link` header that cannot be
   * read.
   */
  readonly links: Links | undefined;
  readonly numbers: Pagination;
  /**
   * A total, a page number or a size that the family declares, and that the response lacks: its place, for a
   * message. One that is optional is not missing.
   */
  readonly missingNumber: string | undefined;
  /** The place of the next page that the family declares, if the response lacks it. */
  readonly missingNext?: string | undefined;
}

/** Where a part of a list stands, for a message. */
export const describePlace = (place: Place): string =>
  'header' in place ? `the header ${place.header}` : `\`${place.body}\` of the body`;

const readNumber = (place: Place | undefined, body: unknown, headers: Headers): number | undefined => {
  if (place === undefined) return undefined;
  const value = 'header' in place ? headers.get(place.header)?.trim() : valueAt(body, place.body);
  // A number holds fifteen digits exactly.
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
};

/** A cursor may be the id of a record, or a time. */
const isCursor = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);

/** The URL of a page with a cursor in place of its own. */
const withCursor = (url: string, parameter: string, cursor: string): string => {
  const link = new URL(url);
  link.searchParams.set(parameter, cursor);
  return link.href;
};

const readLinks = (list: ListForm, body: unknown, headers: Headers, url: string): Links | undefined => {
  const { next } = list;
  if (next === 'number') return new Map();
  if (typeof next !== 'object') return parseLink(headers.get(header.link) ?? '');
  const value = valueAt(body, next.body);
  const parameter = cursorParameterOf(list);
  if (parameter !== undefined && isCursor(value))
    return new Map([['next', withCursor(url, parameter, String(value))]]);
  return new Map(typeof value === 'string' && value !== '' ? [['next', value]] : []);
};

/** What the body lacks of the next page, or of the value that says that there is none. */
const nextProblem = (list: ListForm, body: unknown): string | undefined => {
  const { next } = list;
  if (typeof next !== 'object') return undefined;
  const value = valueAt(body, next.body);
  if (typeof value === 'string' || value === null || value === false) return undefined;
  const hasCursors = cursorParameterOf(list) !== undefined;
  if (hasCursors && isCursor(value)) return undefined;
  // Anything else, such as an object, would be taken for the end of the list.
  if (value !== undefined) return `${hasCursors ? 'a cursor' : 'a URL'} in ${describePlace(next)}`;
  return next.optional ? undefined : describePlace(next);
};

/**
 * Reads a list response where the family says that its parts stand.
 *
 * @param url - that was requested, to which a cursor is added
 * @param hasTotals - whether the endpoint supplies totals (§4.5.1)
 */
export const readFamilyPage = (
  body: unknown,
  headers: Headers,
  { list, firstPage }: WholeFamily,
  url: string,
  hasTotals = true,
): FamilyPage => {
  const { items = '', totalCount, totalPages, number, size }: ListForm = list;
  const read = (place: Place | undefined) => readNumber(place, body, headers);
  const wireNumber = read(number);
  const numbers: Pagination = {
    totalCount: read(totalCount),
    totalPages: read(totalPages),
    number: wireNumber === undefined ? undefined : wireNumber - firstPage + 1,
    size: read(size) || undefined,
  };
  const totals = hasTotals ? [totalCount, totalPages] : [];
  const places = [...totals, number, size];
  const missing = places.find((place) => place !== undefined && !place.optional && read(place) === undefined);
  return {
    items: valueAt(body, items),
    links: readLinks(list, body, headers, url),
    numbers,
    missingNumber: missing && describePlace(missing),
    missingNext: nextProblem(list, body),
  };
};
