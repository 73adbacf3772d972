import { InvalidRequestError } from '../errors/request-error.ts';
import type { DriftEvent } from '../paging/drift.ts';
import { iteratePages, type PagingProgress } from '../paging/iterate.ts';
import { type ItemIteration, iterateItems, positionOf } from '../paging/iterate-items.ts';
import type { Page } from '../paging/page.ts';
import { parsePosition } from '../paging/position.ts';
import type { PageAnswer } from '../paging/read-ahead.ts';
import { findPlace } from '../paging/resume.ts';
import { type Delivered, toWithResponse, type WithResponse } from './call.ts';
import type { CallOptions } from './call-options.ts';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Ends the list after this many records; no bound by default. */
  readonly limit?: number | undefined;
  /** Ends the list after this many pages; no bound by default. */
  readonly maxPages?: number | undefined;
  /** Pages that are loaded at once, at the most, from the second page on; 2 by default, 1 for one after the other. */
  readonly concurrency?: number | undefined;
  /** Called for each page, in order, with what was read so far; a promise is waited for. */
  readonly onPage?: ((progress: PagingProgress) => unknown) | undefined;
  /** Goes on where another list stopped: its `position`, or the `next` of a page. */
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
  /** The first record; undefined when there is none. Nothing is loaded ahead. */
  first(): Promise<T | undefined>;
  /** The records as a stream; cancelling it ends the list. */
  toReadableStream(): ReadableStream<T>;
  /** The first page together with the answer it came with. */
  withResponse(): Promise<WithResponse<Page<T>>>;
  /**
   * The place behind the last record, or page, that the latest iteration delivered, as text: another list goes on from it with
   * the option `from`, in another process too. Undefined before the first page.
   */
  readonly position: string | undefined;
}

/** A page with its answer. */
export interface LoadedList<T> extends Delivered<Page<T>> {
  /** True when a browser hid header fields of the answer. */
  readonly filtered: boolean;
}

/** What a list needs of its collection. */
export interface ListSource<T> {
  /** Loads the page at a URL and keeps the answer. */
  readonly load: (url: string, signal: AbortSignal | undefined) => Promise<LoadedList<T>>;
  /** Gives the URL of the first page; what is wrong with the query is thrown when the list is read. */
  readonly start: () => string;
  readonly declared: boolean;
  readonly onDrift: (event: DriftEvent) => void;
}

const checkBound = (name: string, value: number | undefined): void => {
  if (value !== undefined && (typeof value !== 'number' || !(value >= 0))) {
    throw new InvalidRequestError(`${name} must be a number from 0`);
  }
};

const checkOptions = ({ limit, maxPages, concurrency = 1 }: ListOptions): void => {
  checkBound('limit', limit);
  checkBound('maxPages', maxPages);
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new InvalidRequestError('concurrency must be a whole number from 1');
  }
};

/** Makes the list of a collection. */
export const createItemList = <T>(source: ListSource<T>, options: ListOptions): ItemList<T> => {
  const { load, start, declared, onDrift } = source;
  const { concurrency = 2, maxPages = Number.POSITIVE_INFINITY, signal, onPage } = options;
  let latest: Pick<ItemIteration<T>, 'position'> | undefined;

  const from = (): string => {
    checkOptions(options);
    return start();
  };
  const deliver = (limit: number, stop?: AbortSignal) =>
    iteratePages<T>({
      load: async (url, listSignal) => {
        const { data, filtered } = await load(url, listSignal);
        return { page: data, filtered };
      },
      ...{ from, concurrency, maxPages, limit, signal, stop, onPage, onDrift, declared },
    });
  const items = (limit = options.limit ?? Number.POSITIVE_INFINITY): ItemIteration<T> => {
    const stop = new AbortController();
    const iteration = iterateItems(deliver(limit, stop.signal), limit, () => stop.abort());
    latest = iteration;
    return iteration;
  };
  const firstAnswer = async (): Promise<Delivered<Page<T>>> => {
    const answers = new Map<string, LoadedList<T>>();
    const read = async (url: string): Promise<PageAnswer<T>> => {
      const answer = await load(url, signal);
      answers.set(url, answer);
      return { page: answer.data, filtered: answer.filtered };
    };
    const { url, delivered } = await findPlace(parsePosition(from()), { load: read, onDrift });
    const loaded = answers.get(url) ?? (await load(url, signal));
    const { data } = loaded;
    return { ...loaded, data: { ...data, items: data.items.slice(delivered) } };
  };
  const firstPage = (): Promise<Page<T>> => firstAnswer().then(({ data }) => data);

  return {
    // biome-ignore lint/suspicious/noThenProperty: `await` gives the first page
    then: (onFulfilled, onRejected) => firstPage().then(onFulfilled, onRejected),
    catch: (onRejected) => firstPage().catch(onRejected),
    finally: (onFinally) => firstPage().finally(onFinally),
    withResponse: () => firstAnswer().then(toWithResponse),
    pages: async function* () {
      let left = options.limit ?? Number.POSITIVE_INFINITY;
      if (left === 0) return;
      for await (const delivered of deliver(left)) {
        const items = delivered.items.slice(0, left);
        left -= items.length;
        latest = { position: positionOf(delivered, items.length) };
        yield { ...delivered.page, items };
        if (left === 0) return;
      }
    },
    toArray: async ({ limit } = {}) => {
      checkBound('limit', limit);
      const all: T[] = [];
      for await (const item of items(limit)) all.push(item);
      return all;
    },
    first: async () => {
      for await (const item of items(Math.min(1, options.limit ?? 1))) return item;
      return undefined;
    },
    toReadableStream: () => {
      const iteration = items();
      return new ReadableStream<T>({
        pull: async (controller) => {
          const { done, value } = await iteration.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => {
          await iteration.return?.();
        },
      });
    },
    get position() {
      return latest?.position;
    },
    [Symbol.asyncIterator]: () => items(),
    [Symbol.toStringTag]: 'ItemList',
  };
};
