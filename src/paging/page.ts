import { isApiError } from '../errors/api-error.ts';
import type { Links, Pagination } from '../headers/paging.ts';

/** One page of a collection (§4.5), as plain data. */
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
  /** URL of the first page, as applicable (§4.5). */
  readonly first: string | undefined;
  /** URL of the page before; undefined on the first one. */
  readonly prev: string | undefined;
  /** URL of the next page; undefined on the last one. A list continues from it with the option `from`. */
  readonly next: string | undefined;
  /** URL of the last page; undefined without totals, and as the server leaves it out. */
  readonly last: string | undefined;
}

/** Makes a page of its items and the paging headers of its response. */
export const toPage = <T>(items: readonly T[], links: Links, pagination: Pagination): Page<T> => ({
  items,
  number: pagination.currentPage,
  size: pagination.pageSize,
  totalCount: pagination.totalCount,
  totalPages: pagination.totalPages,
  first: links.get('first'),
  prev: links.get('prev'),
  next: links.get('next'),
  last: links.get('last'),
});

/** A page on its way from its response to the reader of the list; each stage hands it on. */
export interface ListPage<T> {
  readonly url: string;
  /** The page as the server gave it. */
  readonly page: Page<T>;
  /** The response it came with, for whoever loads the pages. */
  readonly response: unknown;
  /** True when a browser hides header fields of the response. */
  readonly filtered: boolean;
  /** How many of its records an earlier list delivered; infinite when this list delivers nothing of the page. */
  readonly delivered: number;
  /** Earlier pages that were read again, because records had moved to them. */
  readonly again: readonly ListPage<T>[];
  /** The records that are delivered with it. */
  readonly items: readonly T[];
}

/** Loads one page. */
export type LoadPage<T> = (url: string) => Promise<ListPage<T>>;

/** The pages of a list, from one stage to the next. */
export type Pages<T> = AsyncGenerator<ListPage<T>, void, undefined>;

/** A page that came with this response, and that no stage has seen. */
export const toListPage = <T>(
  url: string,
  page: Page<T>,
  response: unknown,
  filtered: boolean,
): ListPage<T> => ({ url, page, response, filtered, delivered: 0, again: [], items: page.items });

const none = { totalPages: undefined, totalCount: undefined, currentPage: undefined, pageSize: undefined };

/** A page behind the last one. */
export const toMissingPage = <T>(url: string, totalCount?: number): ListPage<T> =>
  toListPage(url, toPage<T>([], new Map(), { ...none, totalCount }), undefined, false);

/** True for an error by which a server says that it has no such page. */
export const isMissing = (error: unknown): boolean =>
  isApiError(error) && (error.status === 400 || error.status === 404);

/** Loads a page that was there before, and may be gone by now. */
export const loadAgain = async <T>(
  load: LoadPage<T>,
  url: string,
  totalCount?: number,
): Promise<ListPage<T>> => {
  try {
    return await load(url);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return toMissingPage(url, totalCount);
  }
};
