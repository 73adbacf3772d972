// What leads from a page of a family to the next one.
import { header } from '../conventions.ts';
import { type Links, parseLink } from '../headers/paging.ts';
import { isObject } from '../options.ts';
import type { ListForm, WholeFamily } from './family.ts';
import {
  cursorParameterOf,
  describeLack,
  describePlace,
  morePathOf,
  nextAfterLastOf,
  nextPlaceOf,
  offsetParameterOf,
} from './list-form.ts';
import { valueAt } from './path.ts';

/** What stands in place of a cursor where a list ends: 0 is the cursor of its start. */
const noCursors: readonly unknown[] = ['', '0', 0];

/** A cursor may be the id of a record, or a time. */
export const isCursor = (value: unknown): boolean =>
  !noCursors.includes(value) && (typeof value === 'string' || Number.isSafeInteger(value));

/** The URL with another value of a parameter. */
const withParameter = (url: string, parameter: string, value: string): string => {
  const link = new URL(url);
  link.searchParams.set(parameter, value);
  // A space is sent as before.
  link.search = link.search.replaceAll('+', '%20');
  return link.href;
};

/** The next page by what the body has of it: a URL, or a cursor. */
const nextInBody = (value: unknown, parameter: string | undefined, url: string): string | undefined => {
  if (parameter !== undefined)
    return isCursor(value) ? withParameter(url, parameter, String(value)) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/**
 * The page behind the records that were read; undefined where the total says that there are no more. A total
 * below them is wrong, and says nothing.
 */
const nextByOffset = (
  url: string,
  parameter: string,
  records: number,
  totalCount: number | undefined,
): string | undefined => {
  const read = Number(new URL(url).searchParams.get(parameter) ?? 0) + records;
  const isLast = records === 0 || read === totalCount;
  return isLast ? undefined : withParameter(url, parameter, String(read));
};

/** True where the body says that records follow behind the last one of the page. */
export const saysMore = (list: ListForm, body: unknown): boolean => {
  const more = morePathOf(list);
  return more !== undefined && valueAt(body, more) === true;
};

/** The records of a page, as they were sent. */
export interface SentRecords {
  /** None of a list without pages. */
  readonly records: readonly unknown[];
  /** The name that they have for their id. */
  readonly idField: string;
}

const idOfLast = ({ records, idField }: SentRecords): unknown => {
  const last = records.at(-1);
  return isObject(last) ? last[idField] : undefined;
};

/** The page behind the record that is the last one. */
const nextAfterLast = (url: string, lastId: string, sent: SentRecords): string | undefined => {
  const id = idOfLast(sent);
  return isCursor(id) ? withParameter(url, lastId, String(id)) : undefined;
};

/** The URL with the next page number. One without a number is that of the first page. */
const nextByNumber = (url: string, { query: { page = '' }, firstPage }: WholeFamily): string => {
  const number = Number(new URL(url).searchParams.get(page) ?? firstPage);
  return withParameter(url, page, String(number + 1));
};

const toLinks = (next: string | undefined): Links => new Map(next === undefined ? [] : [['next', next]]);

/** The links of a page. */
export const readLinks = (
  family: WholeFamily,
  body: unknown,
  headers: Headers,
  url: string,
  sent: SentRecords,
  totalCount: number | undefined,
): Links | undefined => {
  const list: ListForm = family.list;
  const offset = offsetParameterOf(list);
  if (offset !== undefined) return toLinks(nextByOffset(url, offset, sent.records.length, totalCount));
  if (list.next === 'untilEmpty')
    return toLinks(sent.records.length > 0 ? nextByNumber(url, family) : undefined);
  const hasMoreFlag = morePathOf(list) !== undefined;
  if (hasMoreFlag && !saysMore(list, body)) return toLinks(undefined);
  const lastId = nextAfterLastOf(list)?.lastId;
  if (lastId !== undefined) return toLinks(nextAfterLast(url, lastId, sent));
  const place = nextPlaceOf(list);
  if (place !== undefined)
    return toLinks(nextInBody(valueAt(body, place.body), cursorParameterOf(list), url));
  if (hasMoreFlag) return toLinks(nextByNumber(url, family));
  return list.next === 'number' ? new Map() : parseLink(headers.get(header.link) ?? '');
};

const toCorrect = 'correct it there';

/** The message about the id of the last record, if a page with more records behind it lacks one. */
const lastIdProblem = (hasMore: boolean, sent: SentRecords): string | undefined =>
  !hasMore || isCursor(idOfLast(sent))
    ? undefined
    : describeLack(`an \`${sent.idField}\` of its last record`, toCorrect);

/** The message about the next page, if the body lacks it and the value that says that there is none. */
export const nextProblem = (list: ListForm, body: unknown, sent: SentRecords): string | undefined => {
  const morePath = morePathOf(list);
  const more = morePath && valueAt(body, morePath);
  if (morePath !== undefined && typeof more !== 'boolean')
    return describeLack(`true or false in \`${morePath}\` of the body`, toCorrect);
  if (nextAfterLastOf(list) !== undefined)
    return lastIdProblem(more === undefined ? sent.records.length > 0 : more === true, sent);
  const place = nextPlaceOf(list);
  if (place === undefined || more === false) return undefined;
  const value = valueAt(body, place.body);
  const hasCursors = cursorParameterOf(list) !== undefined;
  if (more === true)
    return isCursor(value) ? undefined : describeLack(`a cursor in ${describePlace(place)}`, toCorrect);
  if (typeof value === 'string' || value === null || value === false) return undefined;
  if (hasCursors && (isCursor(value) || noCursors.includes(value))) return undefined;
  // Anything else, such as an object, would be taken for the end of the list.
  if (value !== undefined)
    return describeLack(`${hasCursors ? 'a cursor' : 'a URL'} in ${describePlace(place)}`, toCorrect);
  return place.optional
    ? undefined
    : describeLack(describePlace(place), 'correct it, or make it optional there');
};
