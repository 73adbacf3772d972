import { InvalidRequestError } from '../errors/request-error.ts';
import { iterateItems, iteratePages, type LoadPage, type PagingProgress } from '../paging/iterate.ts';
import type { Page } from '../paging/page.ts';
import type { WithResponse } from './call.ts';
import type { CallOptions } from './call-options.ts';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Ends the list after this many records; no bound by default. */
  readonly limit?: number | undefined;
  /** Ends the list after this many pages; no bound by default. */
  readonly maxPages?: number | undefined;
  /** Called after each page with what was read so far. */
  readonly onPage?: ((progress: PagingProgress) => void) | undefined;
  /** Goes on where another list stopped: the `next` of a page. */
  readonly from?: string | undefined;
}

/**
 * A list that is loaded as it is read. `for await` gives every record, `await` the first page; nothing is sent before
 * one of them, and each of them starts anew.
 */
export interface ItemList<T> extends Promise<Page<T>>, AsyncIterable<T> {
  /** The pages instead of the records. */
  pages(): AsyncIterableIterator<Page<T>, void, undefined>;
  /**
   * Every record in one array.
   *
   * @param options - `limit` bounds the array; the list's own limit by default
   */
  toArray(options?: { readonly limit?: number }): Promise<T[]>;
  /** The first page together with the answer it came with. */
  withResponse(): Promise<WithResponse<Page<T>>>;
}

/** Loads a page and keeps the answer. */
export type LoadWithResponse<T> = (url: string) => Promise<WithResponse<Page<T>>>;

const checkBound = (name: string, value: number | undefined): void => {
  if (value !== undefined && (typeof value !== 'number' || !(value >= 0))) {
    throw new InvalidRequestError(`${name} must be a number from 0`);
  }
};

/**
 * @param load - loads the page at a URL
 * @param start - gives the URL of the first page; what is wrong with the query is thrown when the list is read
 */
export const createItemList = <T>(
  load: LoadWithResponse<T>,
  start: () => string,
  options: ListOptions,
): ItemList<T> => {
  const from = (): string => {
    checkBound('limit', options.limit);
    checkBound('maxPages', options.maxPages);
    return start();
  };
  const loadPage: LoadPage<T> = async (url) => (await load(url)).data;
  const first = async (): Promise<WithResponse<Page<T>>> => load(from());
  const firstPage = (): Promise<Page<T>> => first().then(({ data }) => data);
  const pages = () => iteratePages(loadPage, from, options);
  const items = (limit = options.limit) => iterateItems(pages(), limit);

  return {
    // biome-ignore lint/suspicious/noThenProperty: `await` gives the first page
    then: (onFulfilled, onRejected) => firstPage().then(onFulfilled, onRejected),
    catch: (onRejected) => firstPage().catch(onRejected),
    finally: (onFinally) => firstPage().finally(onFinally),
    withResponse: first,
    pages,
    toArray: async ({ limit } = {}) => {
      checkBound('limit', limit);
      const all: T[] = [];
      for await (const item of items(limit)) all.push(item);
      return all;
    },
    [Symbol.asyncIterator]: () => items(),
    [Symbol.toStringTag]: 'ItemList',
  };
};
