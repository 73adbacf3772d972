// A response of the conventions, as a server of a family sends it.
import {
  type ErrorItem,
  errorItemCode,
  header,
  paginationHeader,
  pathSeparator,
} from '../../src/conventions.ts';
import {
  type InvalidForm,
  itemPathOf,
  type ListForm,
  type Place,
  type WholeFamily,
} from '../../src/families/family.ts';
import {
  cursorParameterOf,
  isContentRange,
  isLinked,
  morePathOf,
  nextPlaceOf,
  offsetParameterOf,
} from '../../src/families/list-form.ts';
import { bodyWith, valueAt } from '../../src/families/path.ts';
import { isObject } from '../../src/options.ts';
import { writeFieldPath } from './ids.ts';
import { formatPageNumber, pageParameterOf } from './page-parameter.ts';

type Json = Readonly<Record<string, unknown>>;

/** Two JSON objects in one. */
const merge = (one: unknown, other: unknown): unknown => {
  if (!isObject(one) || !isObject(other)) return other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => [name, Object.hasOwn(other, name) ? merge(one[name], other[name]) : one[name]]),
  );
};

const linkPattern = /<([^>]*)>; rel="(\w+)"/g;

/** The paging links, to the pages of the URL that was requested. */
const toLinks = (field: string, requested: URL, family: WholeFamily): ReadonlyMap<string, string> =>
  new Map(
    Array.from(field.matchAll(linkPattern), ([, target = '', relation = '']) => {
      const number = Number(new URL(target).searchParams.get('page') ?? 1);
      const url = new URL(requested);
      url.searchParams.set(pageParameterOf(family), formatPageNumber(number, family));
      return [relation, url.href];
    }),
  );

/** What the body has of the next page: its URL, or its cursor; null on the last page. */
const toNext = (next: string | undefined, { list }: WholeFamily): string | null => {
  const parameter = cursorParameterOf(list);
  if (next === undefined) return null;
  return parameter === undefined ? next : new URL(next).searchParams.get(parameter);
};

const formatLinks = (links: ReadonlyMap<string, string>): string =>
  Array.from(links, ([relation, url]) => `<${url}>; rel="${relation}"`).join(', ');

const numbersOf = (headers: Headers, { firstPage }: WholeFamily) => {
  const read = (name: string): number | undefined => {
    const value = headers.get(name);
    return value === null ? undefined : Number(value);
  };
  const number = read(paginationHeader.currentPage);
  return {
    totalCount: read(paginationHeader.totalCount),
    totalPages: read(paginationHeader.totalPages),
    number: number === undefined ? undefined : number - 1 + firstPage,
    size: read(paginationHeader.pageSize),
  };
};

/** The records of a page in the list: `items 20-29/57` (RFC 9110 §14.4). */
const formatRange = (start: number, count: number, total: number): string =>
  `items ${count === 0 ? '*' : `${start}-${start + count - 1}`}/${total}`;

const withoutPagination = (headers: Headers): Headers => {
  const kept = new Headers(headers);
  for (const name of [header.link, ...Object.values(paginationHeader)]) kept.delete(name);
  return kept;
};

/**
 * A list, with its numbers and its links where the family has them.
 *
 * @param isPaged - whether its collection declares `paging`; any other list is whole, and has no next page
 */
export const toListResponse = (
  rows: readonly unknown[],
  response: Response,
  requested: URL,
  family: WholeFamily,
  isPaged: boolean,
): Response => {
  const list: ListForm = family.list;
  const links = toLinks(response.headers.get(header.link) ?? '', requested, family);
  const numbers = numbersOf(response.headers, family);
  const headers = withoutPagination(response.headers);
  let body: unknown = bodyWith(list.items ?? '', rows);
  const toRange = (total: number): string => {
    const { number = family.firstPage, size = 0 } = numbers;
    const offset = requested.searchParams.get(offsetParameterOf(list) ?? '');
    return formatRange(Number(offset ?? (number - family.firstPage) * size), rows.length, total);
  };
  const place = (at: Place | undefined, value: number | undefined): void => {
    if (at === undefined || value === undefined) return;
    if ('header' in at) headers.set(at.header, isContentRange(at) ? toRange(value) : String(value));
    else body = merge(body, bodyWith(at.body, value));
  };
  place(list.totalCount, numbers.totalCount);
  place(list.totalPages, numbers.totalPages);
  place(list.number, numbers.number);
  place(list.size, numbers.size);
  const next = nextPlaceOf(list);
  // A last page may lack a place that is optional.
  const isThere = links.has('next') || next?.optional !== true;
  if (isPaged && next !== undefined && isThere)
    body = merge(body, bodyWith(next.body, toNext(links.get('next'), family)));
  const more = morePathOf(list);
  if (more !== undefined) body = merge(body, bodyWith(more, isPaged && links.has('next')));
  if (isLinked(list) && links.size > 0) headers.set(header.link, formatLinks(links));
  return Response.json(body, { status: 200, headers });
};

/** A resource, where the family has it in the response to a method. */
export const toResourceResponse = (
  value: unknown,
  { headers }: Response,
  status: number,
  family: WholeFamily,
  method: string,
): Response => Response.json(bodyWith(itemPathOf(family, method), value), { status, headers });

const describe = ({ code, message }: ErrorItem): string =>
  message ?? (code === errorItemCode.missingField ? 'is required' : 'is not valid');

/** The code and the message of an item, at their paths. */
const toParts = (item: ErrorItem, { code = 'code', message = 'message' }: InvalidForm): unknown =>
  merge(bodyWith(code, item.code), bodyWith(message, describe(item)));

const toListItem = (item: ErrorItem, { invalid }: WholeFamily): unknown => {
  const { field = 'field', prefix }: InvalidForm = invalid;
  const names = [prefix, item.field].filter((name) => name !== undefined && name !== '');
  return merge(bodyWith(field, names.join(pathSeparator)), toParts(item, invalid));
};

/** A sentence of NestJS, by which the client finds the field again. */
const toSentence = (item: ErrorItem): string => {
  if (item.field === '') return describe(item);
  const isOwn = item.message !== undefined;
  return isOwn ? `${item.field} is not valid: ${item.message}` : `${item.field} ${describe(item)}`;
};

/** Messages by field, or objects with one: where the form names their parts. */
const toMap = (items: readonly ErrorItem[], invalid: InvalidForm): Json => {
  const { whole = '', code, message } = invalid;
  const hasObjects = (code ?? message) !== undefined;
  const messages: Record<string, unknown[]> = {};
  for (const item of items) {
    const name = item.field === '' ? whole : item.field;
    messages[name] = [...(messages[name] ?? []), hasObjects ? toParts(item, invalid) : describe(item)];
  }
  return messages;
};

const toItems = (items: readonly ErrorItem[], family: WholeFamily): unknown => {
  const { form } = family.invalid;
  if (form === 'map') return toMap(items, family.invalid);
  if (form === 'sentences') return items.map(toSentence);
  return items.map((item) => toListItem(item, family));
};

/** An error; one about invalid fields has the status and the form of the family. */
export const toErrorResponse = (body: unknown, response: Response, family: WholeFamily): Response => {
  const errors = valueAt(body, 'errors');
  const { items = '', statuses } = family.invalid;
  const { headers } = response;
  if (!Array.isArray(errors)) return Response.json(body, { status: response.status, headers });
  const named = (errors as readonly ErrorItem[]).map((item) => ({
    ...item,
    field: writeFieldPath(item.field, family),
  }));
  const written = bodyWith(items, toItems(named, family));
  const message = { message: valueAt(body, 'message') };
  return Response.json(items === '' ? written : merge(message, written), { status: statuses[0], headers });
};
