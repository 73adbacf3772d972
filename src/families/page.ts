import { header } from '../conventions.ts';
import { type Links, type Pagination, parseLink } from '../headers/paging.ts';
import type { ListForm, Place, WholeFamily } from './family.ts';
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
   * A declared place of a number that the response does not have, for a message; undefined when it has each
   * that must be there.
   */
  readonly missing: string | undefined;
  /** The same for the next page, which each page must have. */
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

const readLinks = (next: ListForm['next'], body: unknown, headers: Headers): Links | undefined => {
  if (next === 'number') return new Map();
  if (typeof next !== 'object') return parseLink(headers.get(header.link) ?? '');
  const url = valueAt(body, next.body);
  return new Map(typeof url === 'string' && url !== '' ? [['next', url]] : []);
};

/** What the body lacks of the URL of the next page, or of the value that says that there is none. */
const nextProblem = (next: ListForm['next'], body: unknown): string | undefined => {
  if (typeof next !== 'object') return undefined;
  const value = valueAt(body, next.body);
  if (typeof value === 'string' || value === null || value === false) return undefined;
  // A number or an object would be taken for the end of the list.
  if (value !== undefined) return `a URL in ${describePlace(next)}`;
  return next.optional ? undefined : describePlace(next);
};

/**
 * Reads a list response where the family says that its parts stand.
 *
 * @param hasTotals - whether the endpoint supplies totals (§4.5.1)
 */
export const readFamilyPage = (
  body: unknown,
  headers: Headers,
  { list, firstPage }: WholeFamily,
  hasTotals = true,
): FamilyPage => {
  const { items = '', next = 'link', totalCount, totalPages, number, size } = list;
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
    links: readLinks(next, body, headers),
    numbers,
    missing: missing && describePlace(missing),
    missingNext: nextProblem(next, body),
  };
};
