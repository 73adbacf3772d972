import type { ApiResponse } from '../http/message.ts';
import {
  createProgress,
  type Progress,
  type Trace,
  type TracedOperation,
  traced,
  tracedSteps,
} from '../http/trace.ts';
import {
  checkCount,
  checkFromZero,
  checkFunction,
  checkName,
  createReader,
  type OptionChecks,
} from '../options.ts';
import { type Bounds, items, type ListReading, type PagingProgress, readPages } from '../paging/list.ts';
import type { LoadedPage, Page } from '../paging/page.ts';
import { type Call, type Received, toWithResponse, withPromise } from './call.ts';
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
  /**
   * Continues from the `next` of a page. `fields` and `expand` must be those of its list; the link has the rest of the query.
   */
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
  /** The first page together with its response. */
  readonly withResponse: Call<Page<T>>['withResponse'];
}

/** The source from which the list of a collection is made. */
export interface ListSource<T> extends Pick<ListReading<T>, 'start' | 'declared' | 'onDrift' | 'fail'> {
  readonly createLoad: (
    signal: AbortSignal | undefined,
    progress: Progress,
  ) => (url: string) => Promise<LoadedPage<T> & { readonly response: ApiResponse }>;
  readonly trace: Trace | undefined;
  readonly operationOf: (progress: Progress) => TracedOperation;
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

export const createItemList = <T>(source: ListSource<T>, options: ListOptions): ItemList<T> => {
  const { concurrency = 2, signal, onPage } = options;
  const { maxPages = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = options;
  const isResumed = options.from !== undefined;

  const read = (bounds: Partial<Bounds> = {}): AsyncGenerator<Page<T>, void, undefined> => {
    const progress = createProgress();
    const createLoad = (requests: AbortSignal) => source.createLoad(requests, progress);
    const reading = { ...source, createLoad, concurrency, signal, maxPages, limit, onPage, isResumed };
    const pages = readPages({ ...reading, ...bounds });
    return source.trace === undefined
      ? pages
      : tracedSteps(source.trace, source.operationOf(progress), pages);
  };

  const readFirst = (): Promise<Received<Page<T>>> => {
    const progress = createProgress();
    return traced(source.trace, source.operationOf(progress), async () => {
      try {
        const { page, response } = await source.createLoad(signal, progress)(source.start());
        return { data: { ...page, items: page.items.slice(0, Math.ceil(limit)) }, response };
      } catch (error) {
        throw source.fail(error);
      }
    });
  };

  const list = {
    withResponse: () => readFirst().then(toWithResponse),
    pages: () => read(),
    toArray: async (given?: Pick<ListOptions, 'limit'>) => {
      const { limit: most = limit } = readArrayOptions(given, 'toArray');
      const all: T[] = [];
      for await (const item of items(read({ limit: most }), signal)) all.push(item);
      return all;
    },
    first: async () => {
      for await (const item of items(read({ limit: Math.min(1, limit) }), signal)) return item;
      return undefined;
    },
    [Symbol.asyncIterator]: () => items(read(), signal),
    [Symbol.toStringTag]: 'ItemList',
  };
  return withPromise(list, () => readFirst().then(({ data }) => data));
};
