import type { DeliveredPage } from './iterate.ts';
import { formatPosition, idOf } from './position.ts';
import type { LoadedPage } from './read-ahead.ts';

/** The records of a list, and where their iteration stands. */
export interface ItemIteration<T> extends AsyncIterableIterator<T, void, undefined> {
  /** The place behind the last delivered record; undefined before the first page. */
  readonly position: string | undefined;
}

/**
 * The place behind so many records of a page. It stays with the last of them also at the end of the page: what lies
 * behind the next link may have moved by the time it is followed.
 */
export const positionOf = <T>(delivered: DeliveredPage<T>, index: number): string => {
  const { items, from } = delivered;
  // A page of which everything was delivered before leaves the place where it ends.
  const last = items.length === 0 ? delivered.page.items.at(-1) : items[index - 1];
  const id = last === undefined ? undefined : idOf(last);
  const holds = ({ page }: LoadedPage<T>): boolean => page.items.includes(last as T);
  const { url, page } = from.length === 0 || holds(delivered) ? delivered : (from.find(holds) ?? delivered);
  if (index >= items.length && id === undefined && page.next !== undefined) return page.next;
  return formatPosition({
    url,
    delivered: last === undefined ? 0 : page.items.indexOf(last) + 1,
    id: id === undefined ? id : String(id),
    total: page.totalCount,
  });
};

/**
 * The records of pages, in order. While a page lasts a record costs no request, no timer and no generator step.
 *
 * @param limit - ends the list after this many records
 * @param stop - cancels what is on the way
 */
export const iterateItems = <T>(
  pages: AsyncGenerator<DeliveredPage<T>, void, undefined>,
  limit: number,
  stop: () => void,
): ItemIteration<T> => {
  let page: DeliveredPage<T> | undefined;
  let items: readonly T[] = [];
  let index = 0;
  let left = limit;
  let ended = false;
  let stopped = false;

  const end = async (): Promise<IteratorResult<T, void>> => {
    ended = true;
    await pages.return();
    return { done: true, value: undefined };
  };
  const take = (): IteratorResult<T, void> => {
    left--;
    return { done: false, value: items[index++] as T };
  };
  const step = async (): Promise<IteratorResult<T, void>> => {
    if (ended || left <= 0) return end();
    while (index >= items.length) {
      const next = await pages.next().catch((error: unknown) => {
        // Whoever stops a list does not want to hear that it was stopped.
        if (!stopped) throw error;
        return { done: true, value: undefined } as const;
      });
      if (next.done) return end();
      page = next.value;
      items = page.items;
      index = 0;
    }
    return take();
  };

  // Calls of `next` that do not wait for each other are answered in their order.
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const queue = (run: () => Promise<IteratorResult<T, void>>): Promise<IteratorResult<T, void>> => {
    waiting++;
    const result = last.then(run).finally(() => {
      waiting--;
    });
    last = result.catch(() => undefined);
    return result;
  };

  return {
    next: () => {
      if (waiting === 0 && !ended && left > 0 && index < items.length) return Promise.resolve(take());
      return queue(step);
    },
    return: () => {
      stopped = true;
      stop();
      return queue(end);
    },
    get position() {
      return page && positionOf(page, index);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
