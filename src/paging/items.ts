import type { ListPage, Pages } from './page.ts';
import { positionOf } from './resume.ts';

/** The records of a list, and where their iteration stands. */
export interface ItemIteration<T> extends AsyncIterableIterator<T, void, undefined> {
  /** The position after the last delivered record; undefined before the first page. */
  readonly position: string | undefined;
}

/** The reason of requests that are aborted because the iteration was left. */
export const unread = /* @__PURE__ */ new Error('The list is not read any further');

/**
 * The records of pages, in order. While a page lasts a record costs no request, no timer and no generator step.
 *
 * @param requests - aborts what is still loading when the iteration is left
 */
export const items = <T>(pages: Pages<T>, requests: AbortController): ItemIteration<T> => {
  let page: ListPage<T> | undefined;
  let records: readonly T[] = [];
  let index = 0;
  let ended = false;
  const { signal } = requests;

  const end = async (): Promise<IteratorResult<T, void>> => {
    ended = true;
    await pages.return();
    return { done: true, value: undefined };
  };
  const take = (): IteratorResult<T, void> => ({ done: false, value: records[index++] as T });

  const step = async (): Promise<IteratorResult<T, void>> => {
    if (ended) return end();
    if (signal.aborted) {
      // The list fails although the rest of a page is at hand.
      ended = true;
      await pages.throw(signal.reason);
      return end();
    }
    while (index >= records.length) {
      const next = await pages.next();
      if (next.done) return end();
      page = next.value;
      records = page.items;
      index = 0;
    }
    return take();
  };

  // Calls of `next` that do not wait for each other resolve in order. Only with `await`, so that the stack of a failure shows
  // the reader of the list.
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const queue = async (run: () => Promise<IteratorResult<T, void>>): Promise<IteratorResult<T, void>> => {
    const before = last;
    let release = (): void => undefined;
    last = new Promise((resolve) => {
      release = resolve;
    });
    const isFirst = waiting++ === 0;
    try {
      if (!isFirst) await before;
      return await run();
    } finally {
      waiting--;
      release();
    }
  };

  return {
    next: () =>
      waiting === 0 && index < records.length && !ended && !signal.aborted
        ? Promise.resolve(take())
        : queue(step),
    return: () => {
      requests.abort(unread);
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
