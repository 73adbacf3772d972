import type { ApiResponse } from '../http/message.ts';
import { checkCount, checkFromZero, checkFunction, createReader, type OptionChecks } from '../options.ts';
import {
  type Bounds,
  type ItemIteration,
  items,
  type ListReading,
  type PagingProgress,
  readPages,
  unread,
} from '../paging/list.ts';
import type { ListPage, Page } from '../paging/page.ts';
import { positionOf } from '../paging/resume.ts';
import { type Received, toWithResponse, type WithResponse, withPromise } from './call.ts';
import { type CallOptions, callChecks } from './call-options.ts';

/**
 * Options of a list.
 *
 * @example
 * ```ts
 * const list = orders.list({ limit: 500, concurrency: 8, onPage: ({ records, totalCount }) => console.log(records, totalCount) });
 * console.log((await list.toArray()).length);
 * ```
 */
export interface ListOptions extends CallOptions {
  /** Ends the list after this many records; no bound by default. */
  readonly limit?: number | undefined;
  /** Ends the list after this many pages; no bound by default. */
  readonly maxPages?: number | undefined;
  /** Most pages that load at the same time, from the second page on; 2 by default, 1 for one after another. */
  readonly concurrency?: number | undefined;
  /** Called for each page, in order, with the progress so far; a promise that it returns is awaited. */
  readonly onPage?: ((progress: PagingProgress) => unknown) | undefined;
  /** Continues where another list stopped: at its `position`, or at the `next` of a page. */
  readonly from?: string | undefined;
}

/**
 * A list that is loaded as it is read. `for await` gives every record, `await` gives the first page. Nothing is
 * sent before either of them, and each starts anew.
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
  /** The pages instead of the records. */
  pages(): AsyncIterableIterator<Page<T>, void, undefined>;
  /**
   * Every record in one array.
   *
   * @param options - `limit` bounds the array; the list's own limit by default
   */
  toArray(options?: { readonly limit?: number | undefined }): Promise<T[]>;
  /** The first record; undefined when there is none. Nothing is loaded ahead. */
  first(): Promise<T | undefined>;
  /** The records as a stream; cancelling it ends the list. */
  toReadableStream(): ReadableStream<T>;
  /** The first page together with its response. */
  withResponse(): Promise<WithResponse<Page<T>>>;
  /**
   * The position after the last record, or page, that the latest iteration delivered. With the option `from`, another list
   * continues there, even in another process. Undefined before the first page.
   */
  readonly position: string | undefined;
}

/** The source from which the list of a collection is made. */
interface ListSource<T>
  extends Pick<ListReading<T>, 'createLoad' | 'start' | 'declared' | 'onDrift' | 'fail'> {
  /** Adds the query of the list to a position. */
  readonly mark: (position: string) => string;
}

export const listChecks: OptionChecks<ListOptions> = {
  ...callChecks,
  limit: checkFromZero,
  maxPages: checkFromZero,
  concurrency: checkCount,
  onPage: checkFunction,
  from: undefined,
};

const readArrayOptions = createReader<Pick<ListOptions, 'limit'>>({ limit: checkFromZero });

export const createItemList = <T>(source: ListSource<T>, options: ListOptions): ItemList<T> => {
  const { concurrency = 2, signal, onPage } = options;
  const { maxPages = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = options;
  let latest: { readonly position: string | undefined } | undefined;

  const read = (bounds: Partial<Bounds> = {}, requests = new AbortController()) =>
    readPages({ ...source, concurrency, maxPages, limit, signal, onPage, requests, ...bounds });

  const readItems = (most = limit): ItemIteration<T> => {
    const requests = new AbortController();
    const iteration = items(read({ limit: most }, requests), requests, signal);
    latest = iteration;
    return iteration;
  };
  const readWhole = async function* (requests: AbortController) {
    for await (const loaded of read({}, requests)) {
      latest = { position: positionOf(loaded, loaded.items.length) };
      yield { ...loaded.page, items: loaded.items };
    }
  };
  const readFirst = async (): Promise<Received<Page<T>>> => {
    const pages = read({ maxPages: 1, limit: Number.POSITIVE_INFINITY, onPage: undefined });
    const { value } = await pages.next();
    await pages.return();
    // Every list has a first page, and each page has the response that it was loaded with.
    const { page, items, response } = value as ListPage<T>;
    return { data: { ...page, items }, response: response as ApiResponse };
  };

  const list = {
    withResponse: () => readFirst().then(toWithResponse),
    pages: () => {
      const requests = new AbortController();
      const pages = readWhole(requests);
      const leave = pages.return.bind(pages);
      // A generator that waits for a page ends only after it. With the request aborted, it ends at once.
      return Object.assign(pages, {
        return: () => {
          requests.abort(unread);
          return leave();
        },
      });
    },
    toArray: async (given?: Pick<ListOptions, 'limit'>) => {
      const { limit: most } = readArrayOptions(given, 'toArray');
      const all: T[] = [];
      for await (const item of readItems(most)) all.push(item);
      return all;
    },
    first: async () => {
      for await (const item of readItems(Math.min(1, limit))) return item;
      return undefined;
    },
    toReadableStream: () => {
      const iteration = readItems();
      return new ReadableStream<T>(
        {
          pull: async (controller) => {
            const { done, value } = await iteration.next();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: async () => {
            await iteration.return?.();
          },
        },
        // A record that is queued here when the stream is cancelled would be before `position`, and lost.
        { highWaterMark: 0 },
      );
    },
    get position() {
      const position = latest?.position;
      return position === undefined ? undefined : source.mark(position);
    },
    [Symbol.asyncIterator]: () => readItems(),
    [Symbol.toStringTag]: 'ItemList',
  };
  return withPromise(list, () => readFirst().then(({ data }) => data));
};
