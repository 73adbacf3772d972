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
    expect(list.loaded.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await items.return();
  });

  test.each([1, 2, 3, 8, 50])(
    'with totals at most %d pages are in flight, and they arrive in order',
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

  test.each([2, 8])(
    'where links differ in more than the number, nothing is guessed (%d at once)',
    async (concurrency) => {
      const pages = pagesOf(20);
      const urls: string[] = [];
      const list = describeList({
        pages,
        override: (page) => (page < 20 ? { next: `${urlOf(page + 1)}&token=${page}` } : {}),
      });
      const load: typeof list.load = (url, signal) => {
        urls.push(url);
        return list.load(url, signal);
      };
      expect(await all(list.readItems({ load, concurrency }))).toEqual(pages.flat());
      expect(urls).toEqual([urlOf(1), ...pages.slice(1).map((_, i) => `${urlOf(i + 2)}&token=${i + 1}`)]);
    },
  );

  test('a page that was loaded ahead is dropped where the link before it leads elsewhere', async () => {
    const list = describeList({
      pages: [things(1), things(2), things(30), things(4), things(5)],
      override: (page) => ({ totalCount: 4, ...(page === 2 && { next: urlOf(4) }) }),
    });
    expect(await all(list.readItems({ concurrency: 4 }))).toEqual(things(1, 2, 4, 5));
  });

  test('leaving the list early cancels what is in flight', async () => {
    const list = describeList({ pages: pagesOf(100) });
    for await (const { number } of list.readPages({ concurrency: 4 })) if (number === 3) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(list.state.inFlight).toBe(0);
    expect(list.state.aborted).toBeGreaterThan(0);
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

describe('records that shift while a list is read', () => {
  test('a record that moved to a later page is delivered once', async () => {
    const pages = [things(1, 2), things(2, 3), things(3, 4)];
    // Between two pages, one record is inserted in front of the others.
    const list = describeList({ pages, override: (number) => ({ totalCount: 3 + number }) });
    expect(await all(list.readItems())).toEqual(things(1, 2, 3, 4));
  });

  test('insertions that hide a deletion are no error', async () => {
    // First one record is inserted in front, then another one, and 5 is deleted.
    const pages = [things(1, 2), things(2, 3), things(3, 4), things(6)];
    const list = describeList({ pages, override: (number) => ({ totalCount: number === 1 ? 6 : 7 }) });
    expect(await all(list.readItems())).toEqual(things(1, 2, 3, 4, 6));
  });

  test('records that come twice in place of others, by the same total, are an error at the end', async () => {
    // As a database gives them that sorts by a field with the same value in many records.
    const list = describeList({ pages: [things(1, 2), things(2, 3), things(5, 6)] });
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const item of list.readItems()) read.push(item);
    })();
    await expect(reading).rejects.toThrow(
      'the list ends after 5 of 6 records (§4.5): records came twice; sort by `id` too',
    );
    expect(read).toEqual(things(1, 2, 3, 5, 6));
  });

  test.each([1, 2, 8])(
    'no record is lost or doubled when others are inserted in front of it meanwhile (%d at once)',
    async (concurrency) => {
      const ids = Array.from({ length: 40 }, (_, index) => index + 1);
      let current: readonly number[] = ids;
      let requests = 0;
      const load = async (url: string, signal: AbortSignal) => {
        if (++requests % 3 === 0) current = [1_000 + requests, ...current];
        const pages = Array.from({ length: Math.ceil(current.length / 5) }, (_, page) =>
          things(...current.slice(5 * page, 5 * page + 5)),
        );
        return describeList({ pages }).load(url, signal);
      };
      const read = await all(describeList({ pages: [] }).readItems({ load, concurrency }));
      expect(read.map((item) => (item as { id: number }).id).filter((id) => id <= 40)).toEqual(ids);
    },
  );

  test('a page that was answered before its previous one changed is loaded again', async () => {
    let isInserted = false;
    const list = describeList({ pages: [things(1, 2), things(3, 4), things(5, 6), things(7, 8)] });
    const grown = describeList({
      pages: [things(0, 1), things(2, 3), things(4, 5), things(6, 7), things(8)],
    });
    const load = async (url: string, signal: AbortSignal) => {
      if (url === urlOf(2)) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        isInserted = true;
      }
      return (isInserted ? grown : list).load(url, signal);
    };
    expect(await all(list.readItems({ load }))).toEqual(things(1, 2, 3, 4, 5, 6, 7, 8));
  });
});
