import { isApiError } from '../errors/api-error.ts';
import { PagingError } from '../errors/restkin-error.ts';
import type { Links, Pagination } from '../headers/paging.ts';

/** One page of a collection (§4.5), as plain data: the result of `await` on an {@link ItemList}. */
export interface Page<T> {
  /** The records of the page, checked and typed by the query. */
  readonly items: readonly T[];
  /** Page number, from 1; undefined when the server does not say. */
  readonly number: number | undefined;
  /** Records per page; undefined when the server does not say. */
  readonly size: number | undefined;
  /** Number of records of the whole list; undefined when the endpoint cannot supply totals (§4.5.1). */
  readonly totalCount: number | undefined;
  /** Number of pages of the whole list; undefined when the endpoint cannot supply totals (§4.5.1). */
  readonly totalPages: number | undefined;
  /** URL of the first page; undefined when the server leaves it out. */
  readonly first: string | undefined;
  /** URL of the previous page; undefined on the first one, and without totals (§4.5.2). */
  readonly prev: string | undefined;
  /** URL of the next page; undefined on the last one. A list continues from it with the option `from`. */
  readonly next: string | undefined;
  /** URL of the last page; undefined without totals (§4.5.2), or when the server leaves it out. */
  readonly last: string | undefined;
}

export const toPage = <T>(items: readonly T[], links: Links, pagination: Pagination): Page<T> => ({
  items,
  ...pagination,
  first: links.get('first'),
  prev: links.get('prev'),
  next: links.get('next'),
  last: links.get('last'),
});

/** True when a page has none of the paging fields, of which a paged collection sends some with each page (§4.5). */
export const hidesPaging = ({ items: _items, ...fields }: Page<unknown>): boolean =>
  Object.values(fields).every((value) => value === undefined);

/** The message for a browser that hides those fields. */
export const mustExpose =
  'The browser hides the next page of the list: the server must send Access-Control-Expose-Headers with Link and X-Pagination-*';

/** Identifies a record. */
export type Id = string | number;

/** The `id` of a record; undefined when it has none. */
export const idOf = (record: unknown): Id | undefined => {
  const id = (record as { readonly id?: unknown } | null)?.id;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
};

/** A page on its way from its response to the reader of the list; each stage passes it to the next. */
export interface ListPage<T> {
  readonly url: string;
  /** The page as the server gave it. */
  readonly page: Page<T>;
  /** The ids of its records. */
  readonly ids: readonly (Id | undefined)[];
  /** The response of the page, which no stage reads. */
  readonly response: unknown;
  /** True when a browser hides header fields of the response. */
  readonly filtered: boolean;
  /** Number of its records that an earlier list delivered; infinite when this list delivers none of them. */
  readonly delivered: number;
  /** Earlier pages that were reloaded, because records had moved to them. */
  readonly again: readonly ListPage<T>[];
  /** The records that the list delivers with this page. */
  readonly items: readonly T[];
}

export type LoadPage<T> = (url: string) => Promise<ListPage<T>>;

/** The pages of a list, from one stage to the next. */
export type Pages<T> = AsyncGenerator<ListPage<T>, void, undefined>;

export const toListPage = <T>(
  url: string,
  page: Page<T>,
  response: unknown,
  filtered: boolean,
): ListPage<T> => ({
  url,
  page,
  ids: page.items.map(idOf),
  response,
  filtered,
  delivered: 0,
  again: [],
  items: page.items,
});

const none: Pagination = { number: undefined, size: undefined, totalCount: undefined, totalPages: undefined };

/** An empty page, in place of one after the last page. */
export const toMissingPage = <T>(url: string, totals?: Partial<Pagination>): ListPage<T> =>
  toListPage(url, toPage<T>([], new Map(), { ...none, ...totals }), undefined, false);

/** True for the error of a page that does not exist. */
export const isMissing = (error: unknown): boolean =>
  isApiError(error) && (error.status === 400 || error.status === 404);

/** Reloads a page, which may not exist any more. */
export const loadAgain = async <T>(load: LoadPage<T>, url: string): Promise<ListPage<T>> => {
  try {
    return await load(url);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return toMissingPage(url);
  }
};

const pageParameter = /([?&]page=)(\d{1,15})(?=&|#|$)/;

/** Finds the `page` parameter of a URL; null when there is none, or more than one. */
const findPageParameter = (url: string): RegExpExecArray | null => {
  const found = pageParameter.exec(url);
  return found !== null && /[?&]page=/.test(url.slice(found.index + 1)) ? null : found;
};

/** The page number in a URL; undefined when there is none. */
export const pageNumberOf = (url: string): number | undefined => {
  const digits = findPageParameter(url)?.[2];
  return digits === undefined ? undefined : Number(digits);
};

export type PagePattern = (number: number) => string;

/** Makes the URLs of other pages from one that the server wrote: only the number changes. Undefined when it has no number. */
export const pagePatternOf = (url: string): PagePattern | undefined => {
  const found = findPageParameter(url);
  if (found === null) return undefined;
  const [{ length }, before = ''] = found;
  const head = url.slice(0, found.index) + before;
  const tail = url.slice(found.index + length);
  return (number) => `${head}${number}${tail}`;
};

/**
 * Loads a page that the server linked to. Many servers respond with an error to a page after the last one. If the list has
 * become shorter since, the result is an empty page with the totals of the first one.
 *
 * @param formerTotal - the number of records when the link was read; undefined when the server did not say
 */
export const loadLinked = async <T>(
  load: LoadPage<T>,
  url: string,
  formerTotal: number | undefined,
): Promise<ListPage<T>> => {
  try {
    return await load(url);
  } catch (error) {
    const first = pagePatternOf(url)?.(1);
    if (!isMissing(error) || formerTotal === undefined || first === undefined || first === url) throw error;
    const { totalCount, totalPages } = (await load(first)).page;
    if (totalCount === undefined || totalCount >= formerTotal) throw error;
    return toMissingPage(url, { totalCount, totalPages });
  }
};

/** The URL of another page, for a browser that hides the links of the server. */
export const toPageUrl = (url: string, number: number): string => {
  const pattern = pagePatternOf(url);
  return pattern === undefined ? `${url}${url.includes('?') ? '&' : '?'}page=${number}` : pattern(number);
};

/** The page size in a URL; undefined when there is none. */
export const perPageOf = (url: string): number | undefined => {
  const digits = /[?&]perPage=(\d{1,15})(?=&|#|$)/.exec(url)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The decoded segments of a path: a server may write `a@b` for `a%40b` (RFC 3986 §6.2.2), but not `a/b` for `a%2Fb`. */
const segmentsOf = ({ pathname }: URL): string => JSON.stringify(pathname.split('/').map(decodeSegment));

/** True for another path of the same origin. Another origin is refused before a request is sent there. */
export const leavesPath = (url: string, from: string): boolean => {
  if (url.split('?', 1)[0] === from.split('?', 1)[0]) return false;
  const [target, base] = [new URL(url), new URL(from)];
  return target.origin === base.origin && segmentsOf(target) !== segmentsOf(base);
};

const writtenOrCounted = ({ url, page }: ListPage<unknown>, direction: -1 | 1): string | undefined => {
  const written = direction < 0 ? page.prev : page.next;
  const number = page.number ?? pageNumberOf(url);
  // Pages after the last one are empty, so the way back from them leads to the last one.
  const last = Math.max(1, page.totalPages ?? Number.POSITIVE_INFINITY);
  if (direction < 0 && number !== undefined && number > last) return pagePatternOf(url)?.(last) ?? written;
  if (written !== undefined || direction > 0 || number === undefined || number <= 1) return written;
  // Without totals the server writes no link back (§4.5.2).
  return pagePatternOf(url)?.(number - 1);
};

/** The URL of the page before (-1) or after (1) a page. @throws {@link PagingError} for a link out of the collection */
export const adjacentUrl = (loaded: ListPage<unknown>, direction: -1 | 1): string | undefined => {
  const url = writtenOrCounted(loaded, direction);
  if (url !== undefined && leavesPath(url, loaded.url)) {
    throw new PagingError(`the ${direction < 0 ? 'prev' : 'next'} link leads out of the collection (§4.5)`, {
      url: loaded.url,
    });
  }
  return url;
};
