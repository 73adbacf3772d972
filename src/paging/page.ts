import type { RequestContext } from '../errors/restkin-error.ts';
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
  /**
   * URL of the next page; undefined on the last one. The server's own link; without any links, the same URL with the next page number.
   * A list continues from it with the option `from`.
   */
  readonly next: string | undefined;
  /** URL of the last page; undefined without totals (§4.5.2), or when the server leaves it out. */
  readonly last: string | undefined;
}

/** A page with the URL that it was requested from, as it passes from its response to the reader of the list. */
export interface LoadedPage<T> {
  readonly url: string;
  readonly page: Page<T>;
  /** True when a browser hides headers of the response. */
  readonly isFiltered: boolean;
  /** The context of an error about the page. */
  readonly context: () => Partial<RequestContext>;
}

/** Loads a page; the request ends when the signal aborts. */
export type LoadPage<T> = (url: string, signal: AbortSignal) => Promise<LoadedPage<T>>;

/** The pages of a list, from one stage to the next. */
export type Pages<T> = AsyncGenerator<LoadedPage<T>, void, undefined>;

const pageParameter = /(?<=[?&]page=)\d{1,15}(?=&|$)/;

/** The URL of another page of the same list. */
export const withPage = (url: string, number: number): string =>
  pageParameter.test(url)
    ? url.replace(pageParameter, String(number))
    : `${url}${url.includes('?') ? '&' : '?'}page=${number}`;

/** The page number that a URL requests; undefined when it has none. */
export const requestedNumber = (url: string): number | undefined => {
  const digits = pageParameter.exec(url)?.[0];
  return digits === undefined ? undefined : Number(digits);
};

type Numbers = Pick<Page<unknown>, keyof Pagination>;

/** The number of a page: what its response says, or else what its URL requests. */
export const numberOf = (url: string, { number }: Numbers): number => number ?? requestedNumber(url) ?? 1;

/** How many pages the list has, by its headers; undefined when they do not say. */
export const pageCountOf = ({ totalPages, totalCount, size }: Numbers): number | undefined =>
  totalPages ?? (totalCount !== undefined && size ? Math.ceil(totalCount / size) : undefined);

/** True when the numbers of a page say that another one follows. */
export const isBeforeLast = (url: string, numbers: Numbers): boolean =>
  numberOf(url, numbers) < (pageCountOf(numbers) ?? 0);

/** Without any links, the numbers lead to the next page. */
export const toPage = <T>(url: string, items: readonly T[], links: Links, numbers: Pagination): Page<T> => {
  const isCounted = links.size === 0 && isBeforeLast(url, numbers);
  return {
    items,
    ...numbers,
    first: links.get('first'),
    prev: links.get('prev'),
    next: isCounted ? withPage(url, numberOf(url, numbers) + 1) : links.get('next'),
    last: links.get('last'),
  };
};

/** True when a response has no paging headers. */
export const isBare = ({ items: _items, ...fields }: Page<unknown>): boolean =>
  Object.values(fields).every((value) => value === undefined);
