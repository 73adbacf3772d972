import {
  checkCount,
  checkFromZero,
  checkFunction,
  checkName,
  createReader,
  type OptionChecks,
} from '../options.ts';
import { type PagingProgress, type ReadingOptions, recordsIn, stopReading } from '../paging/list.ts';
import type { Page, PageGenerator } from '../paging/page.ts';
import { type Call, toResponseInfo } from './call.ts';
import type { Exchange } from './exchange.ts';
import { type CallOptions, callChecks } from './options.ts';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /**
   * Ends the list after this many records; no bound by default. The `next` of a page that it cuts skips the
   * rest of that page.
   */
  readonly limit?: number | undefined;
  /** Ends the list after this many pages; no bound by default. */
  readonly maxPages?: number | undefined;
  /**
   * Most pages that load at the same time, from the second page on; 2 by default, 1 for one after another.
   */
  readonly concurrency?: number | undefined;
  /**
   * Called for each page, in order, with the progress so far, but not by `await`; a promise that it returns
   * is awaited.
   */
  readonly onPage?: ((progress: PagingProgress) => unknown) | undefined;
  /**
   * Continues from the `next` of a page. `fields` and `expand` must be those of its list, and so must what
   * you pass of the rest of the query.
   */
  readonly from?: string | undefined;
}

/**
 * A list that is loaded as it is read. `for await` gives every record, `await` gives the first page. Nothing
 * is sent before either of them, and each starts anew.
 *
 * @example
 * ```ts
 * for await (const order of orders.list({ perPage: 100 })) if (order.status === 'cancelled') break;
 * const page = await orders.list({ perPage: 50 });
 * const newest = await orders.list({ sort: ['-createdAt'] }).first();
 * console.log(page.totalCount, newest?.id);
 * ```
 */
export interface ItemList<T> extends Promise<Page<T>>, AsyncIterable<T> {
  /**
   * The pages instead of the records. Within `maxPages` and `limit` too, it throws a `PagingError` after a
   * page from which the list cannot be continued.
   */
  pages(): AsyncIterableIterator<Page<T>, void, undefined>;
  /**
   * Every record in one array.
   *
   * @param options - `limit` bounds the array, within the list's own limit
   */
  toArray(options?: { readonly limit?: number | undefined }): Promise<T[]>;
  /** The first record; undefined when there is none. Nothing is loaded ahead. */
  first(): Promise<T | undefined>;
  /** The first page together with its response. */
  readonly withResponse: Call<Page<T>>['withResponse'];
}

/** One reading of a list. */
export interface Reading<T> {
  readonly pages: PageGenerator<T>;
  /** Ends the requests of the reading. */
  readonly requests: AbortController;
  /** The request and the response of the latest page. */
  readonly exchange: () => Exchange;
}

export const listChecks: OptionChecks<ListOptions> = {
  ...callChecks,
  limit: checkFromZero,
  maxPages: checkFromZero,
  concurrency: checkCount,
  onPage: checkFunction,
  from: checkName,
};

const readArrayOptions = createReader<Pick<ListOptions, 'limit'>>({ limit: checkFromZero });

/** Makes `return` end what is in flight at once. That of a generator waits for the `next` that is pending. */
const leavingAtOnce = <T>(
  steps: AsyncGenerator<T, void, undefined>,
  requests: AbortController,
): AsyncGenerator<T, void, undefined> => {
  const finish = steps.return.bind(steps);
  return Object.assign(steps, {
    return: (value: void | PromiseLike<void>) => {
      stopReading(requests);
      return finish(value);
    },
  });
};

/** @param read - begins to read the list */
export const createItemList = <T>(
  read: (options: ReadingOptions) => Reading<T>,
  options: ListOptions,
): ItemList<T> => {
  const { signal, onPage, limit = Infinity, maxPages = Infinity } = options;
  const ofRecords: ReadingOptions = { limit, maxPages, onPage };

  const readFirst = async () => {
    // Whatever the bounds of the list are, it has a first page.
    const { pages, exchange } = read({ limit: Infinity, maxPages: 1, onPage: undefined, givesPages: true });
    const page = (await pages.next()).value as Page<T>;
    // The end may be an error.
    await pages.next();
    const data: Page<T> = { ...page, items: page.items.slice(0, Math.ceil(limit)) };
    return { data, response: toResponseInfo(exchange()) };
  };
  const start = (): Promise<Page<T>> => readFirst().then(({ data }) => data);
  const toArray: ItemList<T>['toArray'] = async (given) => {
    const { limit: most = limit } = readArrayOptions(given, 'toArray');
    const { pages } = read({ ...ofRecords, limit: Math.min(most, limit) });
    const all: T[] = [];
    for await (const item of recordsIn(pages, signal)) all.push(item);
    return all;
  };

  return {
    // biome-ignore lint/suspicious/noThenProperty: lists are awaited
    then: (onFulfilled, onRejected) => start().then(onFulfilled, onRejected),
    catch: (onRejected) => start().catch(onRejected),
    finally: (onFinally) => start().finally(onFinally),
    withResponse: readFirst,
    pages: () => {
      const { pages, requests } = read({ ...ofRecords, givesPages: true });
      return leavingAtOnce(pages, requests);
    },
    toArray,
    first: async () => (await toArray({ limit: 1 }))[0],
    [Symbol.asyncIterator]: () => {
      const { pages, requests } = read(ofRecords);
      return leavingAtOnce(recordsIn(pages, signal), requests);
    },
    [Symbol.toStringTag]: 'ItemList',
  };
};
