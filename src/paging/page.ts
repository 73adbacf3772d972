import type { RequestContext } from '../errors/restkin-error.ts';
import type { DeclaredPlaces } from '../families/page.ts';
import type { EndCheck, Links, Pagination } from '../headers/paging.ts';

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
  /**
   * Number of pages of the whole list, by the server, or by `totalCount` and the size of its pages. Undefined
   * when the endpoint cannot supply totals (§4.5.1), and when nothing shows the size.
   */
  readonly totalPages: number | undefined;
  /** URL of the first page; undefined when the server leaves it out. */
  readonly first: string | undefined;
  /** URL of the previous page; undefined on the first one, and without totals (§4.5.2). */
  readonly prev: string | undefined;
  /**
   * URL of the next page; undefined on the last one, and where its link is refused. The server's own link,
   * with the page size of the query where neither the link nor the page has one; without any links, the same
   * URL with the next page number. A list continues from it with the option `from`.
   */
  readonly next: string | undefined;
  /** URL of the last page; undefined without totals (§4.5.2), or when the server leaves it out. */
  readonly last: string | undefined;
}

/** What the response to a request for a page says. */
export interface LoadedPage<T> {
  /** The URL that was requested. */
  readonly url: string;
  readonly items: readonly T[];
  /** Absolute. */
  readonly links: Links;
  readonly numbers: Pagination;
  /** What the response has of the places that the family declares, and messages about those that it lacks. */
  readonly places?: Omit<DeclaredPlaces, 'missingItems'> | undefined;
  /** Finds what says that more records follow, where the declaration does not name it. */
  readonly checkEnd?: EndCheck | undefined;
  /** Finds a total above the records of a list whose pages the client counts; undefined for no total. */
  readonly checkTotal?: EndCheck | undefined;
  /** True when a browser hides headers of the response, which may lead to the next page. */
  readonly hasHiddenHeaders: boolean;
  /** True when it has the records of the page before it. */
  readonly isRepetition?: boolean;
  /** The request, for an error about the page. */
  readonly context: () => Partial<RequestContext>;
}

/** Loads a page; the request ends when the signal aborts. */
export type LoadPage<T> = (url: string, signal: AbortSignal) => Promise<LoadedPage<T>>;

/** Yields the pages of a list in order. */
export type PageGenerator<T> = AsyncGenerator<Page<T>, void, undefined>;

/**
 * A page as its reader gets it.
 *
 * @param next - the URL of the next page, which may follow from the numbers
 * @param totalPages - which may follow from the total and the size of the pages
 */
export const toPage = <T>(
  { items, links, numbers }: LoadedPage<T>,
  next: string | undefined,
  totalPages: number | undefined,
): Page<T> => ({
  items,
  ...numbers,
  totalPages,
  first: links.get('first'),
  prev: links.get('prev'),
  next,
  last: links.get('last'),
});
