import type { DeliveredPage } from './iterate.ts';
import { formatPosition, idOf } from './position.ts';

/** The records of a list, and where their iteration stands. */
export interface ItemIteration<T> extends AsyncIterableIterator<T, void, undefined> {
  /** The place behind the last delivered record; undefined before the first page. */
  readonly position: string | undefined;
}

/**
 * The place behind so many records of a page. It stays with the last of them also at the end of the page: what lies
 * behind the next link may have moved by the time it is followed.
 */
export const positionOf = <T>({ url, page, items }: DeliveredPage<T>, index: number): string => {
  const last = items[index - 1];
  const id = last === undefined ? undefined : idOf(last);
  if (index >= items.length && id === undefined && page.next !== undefined) return page.next;
  const delivered = last === undefined ? page.items.indexOf(items[0] as T) : page.items.indexOf(last) + 1;
  return formatPosition({
    url,
    delivered: Math.max(0, delivered),
    id: id === undefined ? id : String(id),
    total: page.totalCount,
  });
};

/**
 * The records of pages, in order. While a page lasts a record costs no request, no timer and no generator step.
 *
 * @param limit - ends the list after this many records
 */
export const iterateItems = <T>(
  pages: AsyncGenerator<DeliveredPage<T>, void, undefined>,
  limit: number,
): ItemIteration<T> => {
  let page: DeliveredPage<T> | undefined;
  let items: readonly T[] = [];
  let index = 0;
  let left = limit;
  let ended = false;

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
      const next = await pages.next();
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
    return: () => queue(end),
    get position() {
      return page && positionOf(page, index);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
