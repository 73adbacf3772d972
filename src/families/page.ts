import { header } from '../conventions.ts';
import { type Links, type Pagination, parseLink } from '../headers/paging.ts';
import {
  cursorParameterOf,
  type ListForm,
  nextPlaceOf,
  offsetParameterOf,
  type Place,
  type WholeFamily,
} from './family.ts';
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
  /** What the response says of its pages, and what it lacks of that. The conventions demand nothing. */
  readonly places?: DeclaredPlaces;
}

/** The places of a list that a family declares, as a response has them. */
export interface DeclaredPlaces {
  /** True when the response has one of them: it is a page, and not a whole list. */
  readonly isPage: boolean;
  /** The message about a total, a page number or a size that the response lacks, and that is not optional. */
  readonly missingNumber: string | undefined;
  /** The message about the next page, if the response lacks the place where the family has it. */
  readonly missingNext: string | undefined;
  /** The message about a total without which it is unknown where a list with `next: 'number'` ends. */
  readonly missingTotal: string | undefined;
  /** The message about the records, if the response lacks the place where the family has them. */
  readonly missingItems: string | undefined;
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

/** What stands in place of a cursor where a list ends: 0 is the cursor of its start. */
const noCursors: readonly unknown[] = ['', '0', 0];

/** A cursor may be the id of a record, or a time. */
const isCursor = (value: unknown): boolean =>
  !noCursors.includes(value) && (typeof value === 'string' || Number.isSafeInteger(value));

/** The URL with another value of a parameter. */
const withParameter = (url: string, parameter: string, value: string): string => {
  const link = new URL(url);
  link.searchParams.set(parameter, value);
  return link.href;
};

/** The next page by what the body has of it: a URL, or a cursor. */
const nextInBody = (value: unknown, parameter: string | undefined, url: string): string | undefined => {
  if (parameter !== undefined)
    return isCursor(value) ? withParameter(url, parameter, String(value)) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The page behind the records that were read; undefined where the total says that there are no more. */
const nextByOffset = (
  url: string,
  parameter: string,
  records: number,
  totalCount: number | undefined,
): string | undefined => {
  const read = Number(new URL(url).searchParams.get(parameter) ?? 0) + records;
  const isLast = records === 0 || read >= (totalCount ?? Infinity);
  return isLast ? undefined : withParameter(url, parameter, String(read));
};

const toLinks = (next: string | undefined): Links => new Map(next === undefined ? [] : [['next', next]]);

/** @param records - how many the page has */
const readLinks = (
  list: ListForm,
  body: unknown,
  headers: Headers,
  url: string,
  records: number,
  totalCount: number | undefined,
): Links | undefined => {
  const offset = offsetParameterOf(list);
  if (offset !== undefined) return toLinks(nextByOffset(url, offset, records, totalCount));
  const place = nextPlaceOf(list);
  if (place !== undefined)
    return toLinks(nextInBody(valueAt(body, place.body), cursorParameterOf(list), url));
  return list.next === 'number' ? new Map() : parseLink(headers.get(header.link) ?? '');
};

const toMissing = (place: string | undefined): string | undefined =>
  place &&
  `the response lacks ${place}, which family() names; correct it, make it optional there, or declare a list without totals with paging: { totals: false }`;

const withoutTotal =
  'nothing says where the list ends: the response has no total; name list.totalCount or list.totalPages in family()';

/** What the body lacks of the next page, or of the value that says that there is none. */
const nextProblem = (list: ListForm, body: unknown): string | undefined => {
  const place = nextPlaceOf(list);
  if (place === undefined) return undefined;
  const value = valueAt(body, place.body);
  if (typeof value === 'string' || value === null || value === false) return undefined;
  const hasCursors = cursorParameterOf(list) !== undefined;
  if (hasCursors && (isCursor(value) || noCursors.includes(value))) return undefined;
  // Anything else, such as an object, would be taken for the end of the list.
  if (value !== undefined) return `${hasCursors ? 'a cursor' : 'a URL'} in ${describePlace(place)}`;
  return place.optional ? undefined : describePlace(place);
};

/** Which of its declared places a response has, by what was read from it. */
const toDeclared = (
  body: unknown,
  headers: Headers,
  list: ListForm,
  { links, numbers }: Pick<FamilyPage, 'links' | 'numbers'>,
  hasTotals: boolean,
): DeclaredPlaces => {
  const { items = '', next, totalCount, totalPages, number, size } = list;
  const place = nextPlaceOf(list);
  const hasNext = place === undefined ? links?.has('next') : valueAt(body, place.body) !== undefined;
  const places = [...(hasTotals ? [totalCount, totalPages] : []), number, size];
  const isMissing = (place: Place | undefined): boolean =>
    place !== undefined && !place.optional && readNumber(place, body, headers) === undefined;
  const missing = places.find(isMissing);
  const hasTotal = numbers.totalCount !== undefined || numbers.totalPages !== undefined;
  const hasList = items === '' || Array.isArray(valueAt(body, items));
  return {
    isPage: hasNext === true || Object.values(numbers).some((value) => value !== undefined),
    missingNumber: toMissing(missing && describePlace(missing)),
    missingNext: toMissing(nextProblem(list, body)),
    missingTotal: next === 'number' && !hasTotal ? withoutTotal : undefined,
    missingItems: hasList
      ? undefined
      : `the response has no list at \`${items}\`, where the family of the API has it`,
  };
};

/**
 * Reads a list response where the family says that its parts stand.
 *
 * @param url - that was requested, to which a cursor or an offset is added
 * @param hasTotals - whether the endpoint supplies totals (§4.5.1)
 * @param isPaged - whether the collection declares `paging`
 */
export const readFamilyPage = (
  body: unknown,
  headers: Headers,
  { list, firstPage }: WholeFamily,
  url: string,
  hasTotals = true,
  isPaged = true,
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
  const records = valueAt(body, items);
  // A collection that declares no paging is one list, unless its response has a total.
  const isPage = isPaged || numbers.totalCount !== undefined;
  const count = Array.isArray(records) && isPage ? records.length : 0;
  const links = readLinks(list, body, headers, url, count, numbers.totalCount);
  const places = toDeclared(body, headers, list, { links, numbers }, hasTotals);
  return { items: records, links, numbers, places };
};
