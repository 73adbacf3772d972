import { type EndCheck, type Links, type Pagination, parseCount } from '../headers/paging.ts';
import { isObject } from '../options.ts';
import type { ListForm, Place, WholeFamily } from './family.ts';
import { describeLack, describePlace, isContentRange, nextPlaceOf } from './list-form.ts';
import { nextProblem, readLinks, type SentRecords, saysMore } from './next.ts';
import { valueAt } from './path.ts';
import { createEndCheck, createTotalCheck } from './undeclared.ts';

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
  /** Finds what says that more records follow, where the family does not name it. */
  readonly checkEnd?: EndCheck | undefined;
  /** Finds a total above the records of a list whose pages the client counts; see {@link createTotalCheck}. */
  readonly checkTotal?: EndCheck | undefined;
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

/** The total in a `Content-Range`: it is behind a slash, and an asterisk where it is unknown. */
const totalIn = (range: string): string => range.slice(range.lastIndexOf('/') + 1).replace('*', '');

/** What a response has at a place; undefined for nothing. */
const valueIn = (place: Place, body: unknown, headers: Headers): string | undefined => {
  const sent = 'header' in place ? headers.get(place.header) : valueAt(body, place.body);
  const value = isContentRange(place) ? totalIn(String(sent ?? '')) : sent;
  if (value === null || value === undefined || value === '') return undefined;
  // `String` throws for an object whose `toString` is a value of the server.
  return typeof value === 'object' ? '{}' : String(value);
};

const readNumber = (place: Place | undefined, body: unknown, headers: Headers): number | undefined =>
  place && parseCount(valueIn(place, body, headers));

const withoutTotal = (place: Place | undefined): string =>
  `nothing says where the list ends: the response has no total${
    place === undefined
      ? "; name list.totalCount or list.totalPages in family(), or list.next: 'untilEmpty' if a page behind the last one is empty"
      : ` in ${describePlace(place)}; correct it in family()`
  }`;

/** The message about a number that a response lacks; undefined for one that it has, and that it may lack. */
const numberProblem = (
  place: Place,
  body: unknown,
  headers: Headers,
  isTotal: boolean,
): string | undefined => {
  const value = valueIn(place, body, headers);
  if (parseCount(value) !== undefined) return undefined;
  const where = describePlace(place);
  // Anything else, such as "1,234", would be taken for no total.
  if (value !== undefined)
    return describeLack(`a number of digits alone in ${where}`, 'correct it, or leave it out there');
  const advice = isTotal
    ? 'correct it, make it optional there, or declare a list without totals with paging: { totals: false }'
    : 'correct it, or make it optional there';
  return place.optional ? undefined : describeLack(where, advice);
};

const isFilled = (value: unknown): boolean =>
  isObject(value) || Array.isArray(value) ? Object.keys(value).length > 0 : Boolean(value);

/** Whether a member at the top of a body says that the request failed. */
const isFailureSign = (name: string, value: unknown): boolean => {
  if (/^(?:success|ok)$/i.test(name)) return value === false;
  if (/^(?:code|status)$/i.test(name))
    return typeof value !== 'object' && (Number(value) >= 400 || /^(?:error|fail)/i.test(String(value)));
  return /^errors?$/i.test(name) && isFilled(value);
};

/** The name of a member which says that the request failed, in spite of the status of the response. */
const failureSignIn = (body: unknown): string | undefined =>
  Object.entries(isObject(body) ? body : {}).find(([name, value]) => isFailureSign(name, value))?.[0];

/** The message about the records that a response has elsewhere. */
const itemsProblem = (items: string, body: unknown): string => {
  const problem = `the response has no list at \`${items}\`, where the family of the API has it`;
  if (Array.isArray(body))
    return `${problem}: the response is the list itself; if the server pages only if it is asked for a page, declare pageRequired`;
  const sign = failureSignIn(body);
  return sign === undefined ? problem : `${problem}: by its \`${sign}\`, the request failed`;
};

/**
 * Whether a list that is null or missing is an empty one. Servers in Go write an empty list as null, often
 * without totals. A missing one is empty only where a total says so: it may be elsewhere. Some servers respond
 * to a failure with 200 and no records.
 *
 * @param mayHaveMore - whether more records may follow, for all that the response says
 */
const isEmptyList = (given: unknown, body: unknown, numbers: Pagination, mayHaveMore: boolean): boolean => {
  if (failureSignIn(body) !== undefined) return false;
  const totals = [numbers.totalCount, numbers.totalPages];
  if (totals.includes(0)) return given === null || given === undefined;
  return given === null && !mayHaveMore && totals.every((total) => total === undefined);
};

/** Which of its declared places a response has, by what was read from it. */
const toDeclared = (
  body: unknown,
  headers: Headers,
  list: ListForm,
  { links, numbers }: Pick<FamilyPage, 'links' | 'numbers'>,
  records: SentRecords,
  hasTotals: boolean,
): Omit<DeclaredPlaces, 'missingItems'> => {
  const { next, totalCount, totalPages, number, size } = list;
  const nextPlace = nextPlaceOf(list);
  const hasNext = nextPlace === undefined ? links?.has('next') : valueAt(body, nextPlace.body) !== undefined;
  const totals = [totalCount, totalPages];
  const isGiven = (place: Place | undefined): boolean =>
    place !== undefined && valueIn(place, body, headers) !== undefined;
  const problems = [...(hasTotals ? totals : []), number, size].map(
    (place) => place && numberProblem(place, body, headers, totals.includes(place)),
  );
  const hasTotal = numbers.totalCount !== undefined || numbers.totalPages !== undefined;
  return {
    isPage: hasNext === true || saysMore(list, body) || [...totals, number, size].some(isGiven),
    missingNumber: problems.find((problem) => problem !== undefined),
    missingNext: nextProblem(list, body, records),
    missingTotal: next === 'number' && !hasTotal ? withoutTotal(totalCount ?? totalPages) : undefined,
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
  family: WholeFamily,
  url: string,
  hasTotals = true,
  isPaged = true,
): FamilyPage => {
  const { firstPage, idField } = family;
  const list: ListForm = family.list;
  const { items = '', totalCount, totalPages, number, size } = list;
  const read = (place: Place | undefined) => readNumber(place, body, headers);
  const wireNumber = read(number);
  const numbers: Pagination = {
    totalCount: read(totalCount),
    totalPages: read(totalPages),
    number: wireNumber === undefined ? undefined : wireNumber - firstPage + 1,
    size: read(size) || undefined,
  };
  const given = valueAt(body, items);
  // A collection that declares no paging is one list, unless its response says that it is a page.
  const isPage = isPaged || numbers.totalCount !== undefined || saysMore(list, body);
  const records: readonly unknown[] = Array.isArray(given) && isPage ? given : [];
  const sent: SentRecords = { records, idField };
  const links = readLinks(family, body, headers, url, sent, numbers.totalCount);
  // A body that is null as a whole says nothing of an end.
  const mayHaveMore = items === '' || links?.has('next') !== false;
  const found = isEmptyList(given, body, numbers, mayHaveMore) ? [] : given;
  const missingItems = items === '' || Array.isArray(found) ? undefined : itemsProblem(items, body);
  const places = toDeclared(body, headers, list, { links, numbers }, sent, hasTotals);
  const hasRecords = Array.isArray(found) && found.length > 0;
  const checkEnd = createEndCheck(list, body, headers, hasRecords, hasTotals);
  const checkTotal = hasTotals ? createTotalCheck(list, body, headers) : undefined;
  return { items: found, links, numbers, places: { ...places, missingItems }, checkEnd, checkTotal };
};
