import fc from 'fast-check';
import { type Page, PagingError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { iterateItems, iteratePages, type PagingProgress } from '../../../src/paging/iterate.ts';
import { toPage } from '../../../src/paging/page.ts';
import { failureOf } from '../../support/basic-ordering.ts';

const totals = { totalPages: 9, totalCount: 99, currentPage: undefined, pageSize: undefined };

/** A list of these pages; the address of a page is its index. */
const listOf = (pages: readonly (readonly number[])[], last?: string) => {
  const loaded: string[] = [];
  const load = async (url: string): Promise<Page<number>> => {
    loaded.push(url);
    const index = Number(url);
    const next = index + 1 < pages.length ? String(index + 1) : last;
    return toPage(pages[index] ?? [], new Map(next === undefined ? [] : [['next', next]]), totals);
  };
  return { load, loaded, pages: (options = {}) => iteratePages(load, () => '0', options) };
};
const pagesOfNumbers = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 6 });

describe('iterateItems', () => {
  test('every record once and in order; an empty page does not end the list', async () => {
    await fc.assert(
      fc.asyncProperty(
        pagesOfNumbers,
        fc.option(fc.nat({ max: 12 }), { nil: undefined }),
        async (pages, limit) => {
          const all: number[] = [];
          for await (const item of iterateItems(listOf(pages).pages(), limit)) all.push(item);
          expect(all).toEqual(pages.flat().slice(0, limit));
        },
      ),
    );
  });

  test('no page is loaded before it is needed', async () => {
    const { pages, loaded } = listOf([[1, 2], [3], [4]]);
    const items = iterateItems(pages());
    expect(loaded).toEqual([]);
    await items.next();
    await items.next();
    expect(loaded).toEqual(['0']);
    await items.next();
    expect(loaded).toEqual(['0', '1']);
  });

  test('a limit that ends with a page loads no further one; 0 loads none', async () => {
    const { pages, loaded } = listOf([[1, 2], [3]]);
    for await (const item of iterateItems(pages(), 2)) expect(item).toBeLessThan(3);
    expect(loaded).toEqual(['0']);
    const none = listOf([[1]]);
    expect(await iterateItems(none.pages(), 0).next()).toEqual({ done: true, value: undefined });
    expect(none.loaded).toEqual([]);
  });

  test('calls of next that do not wait for each other are answered in their order', async () => {
    const items = iterateItems(listOf([[1], [], [2, 3], [4]]).pages());
    const results = await Promise.all(Array.from({ length: 6 }, () => items.next()));
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4, undefined, undefined]);
  });

  test('an early break ends it: no further page, and it stays ended', async () => {
    const { pages, loaded } = listOf([[1, 2], [3]]);
    const items = iterateItems(pages());
    for await (const item of items) if (item === 1) break;
    expect(await items.next()).toEqual({ done: true, value: undefined });
    expect(loaded).toEqual(['0']);
  });

  test('a failure reaches the caller once, and then the list is over', async () => {
    const failing = iteratePages(
      () => Promise.reject(new Error('lost')),
      () => '0',
      {},
    );
    const items = iterateItems(failing);
    await expect(items.next()).rejects.toThrow('lost');
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });
});

describe('iteratePages', () => {
  test.each(['0', '1', '2'])(
    'a last page that links back to page %s is an error, after its records',
    async (back) => {
      const { pages, loaded } = listOf([[1], [2], [3]], back);
      const read: number[] = [];
      const reading = (async () => {
        for await (const page of pages()) read.push(...page.items);
      })();
      expect((await failureOf(reading, PagingError)).name).toBe('PagingError');
      expect([read, loaded]).toEqual([
        [1, 2, 3],
        ['0', '1', '2'],
      ]);
    },
  );

  test.each([0, 1, 2, 9])('maxPages %d', async (maxPages) => {
    const { pages, loaded } = listOf([[1], [2], [3]]);
    for await (const page of pages({ maxPages })) expect(page.items).toHaveLength(1);
    expect(loaded).toHaveLength(Math.min(3, maxPages));
  });

  test('onPage tells how far it has come', async () => {
    const progress: PagingProgress[] = [];
    const onPage = (now: PagingProgress) => void progress.push(now);
    for await (const page of listOf([[1, 2], [], [3]]).pages({ onPage })) expect(page.totalCount).toBe(99);
    const rest = { totalPages: 9, totalCount: 99 };
    expect(progress).toEqual([
      { pages: 1, records: 2, ...rest },
      { pages: 2, records: 2, ...rest },
      { pages: 3, records: 3, ...rest },
    ]);
  });
});
