import { PagingError } from '../errors/request-error.ts';
import type { Page } from './page.ts';

/** Loads one page. */
export type LoadPage<T> = (url: string) => Promise<Page<T>>;

/** How far a list has come; totals are undefined when the endpoint cannot supply them. */
export interface PagingProgress {
  readonly pages: number;
  readonly records: number;
  readonly totalPages: number | undefined;
  readonly totalCount: number | undefined;
}

/** Bounds of an iteration. */
export interface IterateOptions {
  /** Ends the list after this many pages; no bound by default. */
  readonly maxPages?: number | undefined;
  /** Called after each page with what was read so far. */
  readonly onPage?: ((progress: PagingProgress) => void) | undefined;
}

/**
 * The pages of a list, one after the other: `rel="next"` is followed as the server wrote it (§4.5). An empty page does
 * not end the list, a missing next does.
 *
 * @param from - gives the URL of the first page once it is needed
 * @throws {@link PagingError} when a next link leads back to a page that was read
 */
export async function* iteratePages<T>(
  load: LoadPage<T>,
  from: () => string,
  { maxPages = Number.POSITIVE_INFINITY, onPage }: IterateOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const seen = new Set<string>();
  let records = 0;
  for (let url: string | undefined = from(); url !== undefined && seen.size < maxPages; ) {
    if (seen.has(url))
      throw new PagingError(`The list links back to page ${seen.size}, which was read before`);
    seen.add(url);
    const page: Page<T> = await load(url);
    records += page.items.length;
    const { totalPages, totalCount } = page;
    onPage?.({ pages: seen.size, records, totalPages, totalCount });
    yield page;
    url = page.next;
  }
}

/**
 * The records of pages, in order. While a page lasts a record costs no request, no timer and no generator step.
 *
 * @param limit - ends the list after this many records
 */
export const iterateItems = <T>(
  pages: AsyncGenerator<Page<T>, void, undefined>,
  limit = Number.POSITIVE_INFINITY,
): AsyncIterableIterator<T, void, undefined> => {
  let items: readonly T[] = [];
  let index = 0;
  let left = limit;

  const end = async (): Promise<IteratorResult<T, void>> => {
    left = 0;
    items = [];
    await pages.return();
    return { done: true, value: undefined };
  };
  const take = (): IteratorResult<T, void> => {
    left--;
    return { done: false, value: items[index++] as T };
  };
  const nextPage = async (): Promise<IteratorResult<T, void>> => {
    while (index >= items.length) {
      const page = await pages.next();
      if (page.done) return end();
      items = page.value.items;
      index = 0;
    }
    return take();
  };

  // Calls of `next` that do not wait for each other are answered in their order.
  let last: Promise<unknown> = Promise.resolve();
  let loading = 0;
  const queue = (step: () => IteratorResult<T, void> | Promise<IteratorResult<T, void>>) => {
    loading++;
    const result = last.then(step).finally(() => {
      loading--;
    });
    last = result.catch(() => undefined);
    return result;
  };

  return {
    next: () => {
      if (loading === 0 && left > 0 && index < items.length) return Promise.resolve(take());
      return queue(() => (left > 0 ? nextPage() : end()));
    },
    return: () => queue(end),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
