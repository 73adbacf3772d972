import { describe, expect, test } from 'vitest';
import { all, describeList, things, urlOf } from '../../support/pages.ts';

const pagesOf = (count: number) => Array.from({ length: count }, (_, i) => things(2 * i + 1, 2 * i + 2));
const tenPages = pagesOf(10);

describe('read-ahead', () => {
  test('nothing is loaded ahead before the first page is used up', async () => {
    const list = describeList({ pages: tenPages });
    const items = list.readItems({ concurrency: 8 });
    await items.next();
    await items.next();
    expect(list.loaded).toEqual([1]);
    await items.next();
    expect(list.loaded.slice(0, 3)).toEqual([1, 2, 3]);
    await items.return?.();
  });

  test.each([1, 2, 3, 8, 50])(
    'with totals at most %d pages are on the way, and they arrive in order',
    async (concurrency) => {
      const pages = pagesOf(150);
      const list = describeList({ pages });
      expect(await all(list.readItems({ concurrency }))).toEqual(pages.flat());
      expect(list.state.most).toBe(concurrency);
      expect(list.loaded).toEqual(pages.map((_page, index) => index + 1));
    },
  );

  test('without totals the next page is loaded while one is read, and no further one', async () => {
    const list = describeList({ pages: tenPages, totals: false });
    const pages = list.readPages({ concurrency: 8 });
    await pages.next();
    await pages.next();
    expect(list.loaded).toEqual([1, 2, 3]);
    await pages.return();
    const whole = describeList({ pages: tenPages, totals: false });
    expect(await all(whole.readItems({ concurrency: 8 }))).toEqual(tenPages.flat());
    expect(whole.state.most).toBe(1);
  });

  test.each([
    [{ limit: 7 }, 4],
    [{ limit: 4 }, 2],
    [{ maxPages: 3 }, 3],
  ])('nothing is loaded beyond %o', async (bounds, pages) => {
    const list = describeList({ pages: tenPages });
    await all(list.readItems({ concurrency: 8, ...bounds }));
    expect(list.loaded).toHaveLength(pages);
  });

  test.each([2, 8])('where no guessed URL is right, guessing ends (concurrency %d)', async (concurrency) => {
    const pages = pagesOf(60);
    const asked: string[] = [];
    const list = describeList({
      pages,
      override: (page) => (page < 60 ? { next: `${urlOf(page + 1)}&token=${page}` } : {}),
    });
    const load: typeof list.load = (url, signal) => {
      asked.push(url);
      return list.load(url, signal);
    };
    expect(await all(list.readItems({ load, concurrency }))).toEqual(pages.flat());
    expect(asked.length).toBeLessThan(60 + 2 * concurrency);
  });

  test('leaving the list early cancels what is on the way', async () => {
    const list = describeList({ pages: tenPages });
    const items = list.readItems({ concurrency: 4 });
    for await (const item of items) if ((item as { id: number }).id === 3) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(list.state.onTheWay).toBe(0);
    expect(list.loaded.length).toBeLessThan(10);
  });

  test('a prefetched page that fails rejects when it is reached, not before', async () => {
    const list = describeList({ pages: tenPages });
    const load: typeof list.load = (url, signal) =>
      url.endsWith('page=4') ? Promise.reject(new Error('page 4')) : list.load(url, signal);
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const item of list.readItems({ load, concurrency: 8 })) read.push(item);
    })();
    await expect(reading).rejects.toThrow('page 4');
    expect(read).toEqual(things(1, 2, 3, 4, 5, 6));
  });
});
