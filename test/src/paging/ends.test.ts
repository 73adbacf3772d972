import { PagingError, type PagingProgress } from 'restkin';
import { describe, expect, test } from 'vitest';
import type { Drift } from '../../../src/paging/load-pages.ts';
import type { LoadedPage } from '../../../src/paging/page.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import {
  all,
  describeList,
  type ListOverride,
  loadedPage,
  startAt,
  things,
  urlOf,
} from '../../support/pages.ts';
import fc from '../../support/random.ts';

test('every record once and in order; an empty page does not end the list', async () => {
  const pagesOfNumbers = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      pagesOfNumbers,
      fc.option(fc.nat({ max: 12 }), { nil: undefined }),
      fc.boolean(),
      fc.integer({ min: 1, max: 5 }),
      async (pages, limit = Number.POSITIVE_INFINITY, totals, concurrency) => {
        const list = describeList({ pages, totals });
        expect(await all(list.readItems({ limit, concurrency }))).toEqual(pages.flat().slice(0, limit));
      },
    ),
    { numRuns: 40 },
  );
});

test('calls of next that do not wait for each other resolve in order', async () => {
  const items = describeList({ pages: [[1], [], [2, 3], [4]] }).readItems();
  const results = await Promise.all(Array.from({ length: 6 }, () => items.next()));
  expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4, undefined, undefined]);
});

test('a failure reaches the caller once, and then the list is over', async () => {
  const items = describeList({ pages: [[1]] }).readItems({ load: () => Promise.reject(new Error('lost')) });
  await expect(items.next()).rejects.toThrow('lost');
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

describe('bounds and progress', () => {
  test.each([0, 1, 2, 9])('maxPages %d', async (maxPages) => {
    const list = describeList({ pages: [[1], [2], [3]] });
    expect(await all(list.readPages({ maxPages }))).toHaveLength(Math.min(3, maxPages));
    expect(list.loaded).toHaveLength(Math.min(3, maxPages));
  });

  test('onPage is awaited, and what it throws ends the list', async () => {
    const steps: string[] = [];
    const onPage = async ({ pages }: PagingProgress): Promise<void> => {
      steps.push(`page ${pages}`);
      await Promise.resolve();
      steps.push('done');
      if (pages === 2) throw new Error('enough');
    };
    const list = describeList({ pages: [[1], [2], [3]] });
    const reading = (async () => {
      for await (const item of list.readItems({ onPage })) steps.push(`record ${String(item)}`);
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(steps).toEqual(['page 1', 'done', 'record 1', 'page 2', 'done']);
  });

  test('a list that continues counts the pages before it, and its bounds do not', async () => {
    const progress: unknown[] = [];
    const onPage = ({ pages, records }: PagingProgress) => void progress.push([pages, records]);
    const list = describeList({ pages: [things(1, 2), things(3, 4), things(5, 6), things(7)] });
    const start = () => ({ ...startAt(urlOf(3)), isFromStart: false });
    const resumed = { start, isResumed: true, onPage };
    expect(await all(list.readItems({ ...resumed, maxPages: 2 }))).toEqual(things(5, 6, 7));
    expect(progress).toEqual([
      [3, 6],
      [4, 7],
    ]);
  });

  test('at a last page whose size is the number of its records, it counts the records before it', async () => {
    const pages = [things(1, 2), things(3, 4), things(5, 6), things(7)];
    const override = (page: number) => ({ size: pages[page - 1]?.length });
    const progress: unknown[] = [];
    const onPage = ({ pages, records }: PagingProgress) => void progress.push([pages, records]);
    const start = () => ({ ...startAt(urlOf(4)), isFromStart: false });
    await all(describeList({ pages, override }).readItems({ start, isResumed: true, onPage }));
    expect(progress).toEqual([[4, 7]]);
  });
});

test.each([1, 2, 3, 4, 5, 6])(
  'links that loop from page 6 to page %d are an error, after every record',
  async (back) => {
    const pages = Array.from({ length: 6 }, (_, index) => things(index + 1));
    const list = describeList({ pages, override: (page) => (page === 6 ? { next: urlOf(back) } : {}) });
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const item of list.readItems()) read.push(item);
    })();
    expect((await failureOf(reading, PagingError)).message).toContain('the next links form a loop (§4.5)');
    expect(read.slice(0, 6)).toEqual(things(1, 2, 3, 4, 5, 6));
    expect(list.loaded.length).toBeLessThan(20);
  },
);

const noNumbers = { number: undefined, size: undefined, totalCount: undefined, totalPages: undefined };

/** Reads a list of such pages, of one record each. */
const readWith = (saidAt: (number: number) => Partial<LoadedPage<unknown>>, options: ListOverride = {}) => {
  const urls: string[] = [];
  const load = async (url: string): Promise<LoadedPage<unknown>> => {
    urls.push(url);
    const number = Number(new URL(url).searchParams.get('page') ?? 1);
    return loadedPage(url, things(number), saidAt(number));
  };
  const start = () => startAt('http://api.test/v1/things?perPage=1');
  return { urls, read: () => all(describeList({ pages: [] }).readItems({ load, start, ...options })) };
};

describe('without any Link, the numbers lead to the next page', () => {
  test.each([
    ['the number and the total of pages', (number: number) => ({ ...noNumbers, number, totalPages: 3 })],
    ['the total of pages alone', () => ({ ...noNumbers, totalPages: 3 })],
    ['the total of records and the size', () => ({ ...noNumbers, size: 1, totalCount: 3 })],
  ])('%s', async (_name, numbersAt) => {
    const { read, urls } = readWith((number) => ({ numbers: numbersAt(number) }));
    expect(await read()).toEqual(things(1, 2, 3));
    const first = 'http://api.test/v1/things?perPage=1';
    expect(urls).toEqual([first, `${first}&page=2`, `${first}&page=3`]);
  });

  test('a Link without a next page against such numbers is an error, after the records', async () => {
    const read: unknown[] = [];
    const list = describeList({
      pages: [things(1), things(2), things(3)],
      override: (page) => (page === 2 ? { next: undefined } : {}),
    });
    const reading = (async () => {
      for await (const item of list.readItems()) read.push(item);
    })();
    const { message } = await failureOf(reading, PagingError);
    expect(message).toContain('no next page, and X-Pagination-* says that this is page 2 of 3 (§4.5)');
    expect(read).toEqual(things(1, 2));
  });

  test.each([0, 1])('a total of %d pages where links lead to three: the links decide', async (totalPages) => {
    for (const concurrency of [1, 2, 8]) {
      const pages = [things(1), things(2), things(3)];
      const list = describeList({ pages, override: () => ({ totalPages }) });
      expect(await all(list.readItems({ concurrency }))).toEqual(pages.flat());
    }
  });
});

describe('a browser that hides Link and X-Pagination-*', () => {
  test('the page is delivered, and then an error names the headers to expose', async () => {
    const { read, urls } = readWith(() => ({ hasHiddenHeaders: true }));
    const { message } = await failureOf(read(), PagingError);
    expect(message).toContain('Access-Control-Expose-Headers with Link and X-Pagination-*');
    expect(urls).toHaveLength(1);
  });

  test.each([
    ['where the response is not filtered', () => ({}), {}],
    [
      'where the collection declares no paging',
      () => ({ hasHiddenHeaders: true }),
      { declaresPaging: false },
    ],
    ['within the limit', () => ({ hasHiddenHeaders: true }), { limit: 1 }],
  ])('%s it is the end, after one request', async (_name, pageAt, options) => {
    const { read, urls } = readWith(pageAt, options);
    expect(await read()).toEqual(things(1));
    expect(urls).toHaveLength(1);
  });

  test('an empty page hides nothing', async () => {
    expect(await readWith(() => ({ items: [], hasHiddenHeaders: true })).read()).toEqual([]);
  });
});

describe('a list that becomes shorter', () => {
  /** A server that gives its last page where a later one is requested. */
  const clamp = (left: () => number, size: number) => async (url: string) => {
    const totalPages = Math.max(1, Math.ceil(left() / size));
    const number = Math.min(Number(new URL(url).searchParams.get('page') ?? 1), totalPages);
    const links = new Map([['last', urlOf(totalPages)]]);
    if (number < totalPages) links.set('next', urlOf(number + 1));
    const ids = Array.from({ length: left() }, (_, index) => index + 1);
    const items = things(...ids.slice((number - 1) * size, number * size));
    return loadedPage(url, items, { links, numbers: { number, size, totalCount: left(), totalPages } });
  };

  test('ends with a clamped page, and its total is reported once', async () => {
    let left = 12;
    const drifts: Drift[] = [];
    const read: unknown[] = [];
    const options = { load: clamp(() => left, 2), onDrift: (drift: Drift) => void drifts.push(drift) };
    for await (const item of describeList({ pages: [] }).readItems(options)) {
      read.push(item);
      left--;
    }
    expect(read.length).toBeGreaterThanOrEqual(6);
    expect(drifts).toHaveLength(1);
    expect(drifts[0]).toMatchObject({ before: 12 });
  });

  test('an earlier page of a list that is as long as before is an error', async () => {
    const list = describeList({ pages: [things(1), things(2), things(3)], override: () => ({ number: 1 }) });
    const { message } = await failureOf(all(list.readItems()), PagingError);
    expect(message).toContain('?page=2: page 2 was requested, and the response is page 1 (§4.4)');
  });

  test('a list that continues after its end is empty', async () => {
    const start = () => ({ ...startAt(urlOf(5)), isFromStart: false });
    const options = { load: clamp(() => 4, 2), start };
    expect(await all(describeList({ pages: [] }).readItems(options))).toEqual([]);
  });
});
