import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { ApiError, PagingError, type PagingProgress } from 'restkin';
import { describe, expect, test, vi } from 'vitest';
import { toListPage, toPage } from '../../../src/paging/page.ts';
import type { Drift } from '../../../src/paging/reconcile.ts';
import { failureOf } from '../../support/basic-ordering.ts';
import { all, describeList, things, urlOf } from '../../support/pages.ts';

const pagesOfNumbers = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 6 });

describe('records', () => {
  test('every one once and in order; an empty page does not end the list', async () => {
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

  test('calls of next resolve in order, however soon after a page one of them comes', async () => {
    for (let ticks = 0; ticks < 30; ticks++) {
      const order: unknown[] = [];
      const list = describeList({ pages: [[1, 2, 3]] });
      const call = () => items.next().then(({ value }) => order.push(value));
      const later: Promise<void>[] = [];
      const load = async (url: string, signal: AbortSignal) => {
        const page = await list.load(url, signal);
        const callLater = async (): Promise<void> => {
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
          await call();
        };
        later.push(callLater());
        return page;
      };
      const items = list.readItems({ load });
      await Promise.all([call(), call()]);
      await Promise.all(later);
      expect(order).toEqual([1, 2, 3]);
    }
  });

  test('a limit that ends with a page loads no further one; 0 loads none', async () => {
    const list = describeList({ pages: [[1, 2], [3]] });
    expect(await all(list.readItems({ limit: 2 }))).toEqual([1, 2]);
    expect(list.loaded).toEqual([1]);
    expect(await all(list.readItems({ limit: 1.5 }))).toEqual([1, 2]);
    const none = describeList({ pages: [[1]] });
    expect(await none.readItems({ limit: 0 }).next()).toEqual({ done: true, value: undefined });
    expect(none.loaded).toEqual([]);
  });

  test('an early break ends it: it stays ended, and nothing more is loaded', async () => {
    const list = describeList({ pages: [[1, 2], [3], [4]] });
    const items = list.readItems();
    for await (const item of items) if (item === 1) break;
    expect(await items.next()).toEqual({ done: true, value: undefined });
    expect(list.loaded).toEqual([1]);
  });

  test('ending the list while a page is loading cancels it, and the waiting call returns done', async () => {
    const list = describeList({ pages: [[1], [2], [3]] });
    const load = (url: string, signal: AbortSignal) =>
      url === urlOf(1)
        ? list.load(url, signal)
        : new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
    const items = list.readItems({ load });
    await items.next();
    const waiting = items.next();
    const ended = { done: true, value: undefined };
    expect(await Promise.all([items.return?.(), waiting, items.next()])).toEqual([ended, ended, ended]);
  });

  test('a list that is read to its end aborts no request, and leaves no listener', async () => {
    const list = describeList({ pages: [[1], [2], [3]] });
    const [requests, { signal }] = [new AbortController(), new AbortController()];
    await all(list.readPages({ requests, signal }));
    expect(requests.signal.aborted).toBe(false);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('pages that are loading ahead are aborted when the list is left', async () => {
    const list = describeList({ pages: Array.from({ length: 20 }, (_, index) => [index + 1]) });
    for await (const { page } of list.readPages({ concurrency: 8 })) if (page.number === 2) break;
    expect(list.loaded.length).toBeGreaterThan(2);
    expect(list.state.aborted).toBeGreaterThan(0);
  });

  test('a failure reaches the caller once, and then the list is over', async () => {
    const list = describeList({ pages: [[1]] });
    const items = list.readItems({ load: () => Promise.reject(new Error('lost')) });
    await expect(items.next()).rejects.toThrow('lost');
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });
});

describe('bounds and progress', () => {
  test.each([0, 1, 2, 9])('maxPages %d', async (maxPages) => {
    const list = describeList({ pages: [[1], [2], [3]] });
    expect(await all(list.readPages({ maxPages }))).toHaveLength(Math.min(3, maxPages));
    expect(list.loaded).toHaveLength(Math.min(3, maxPages));
  });

  test('onPage reports the progress, page by page', async () => {
    const progress: PagingProgress[] = [];
    await all(
      describeList({ pages: [[1, 2], [], [3]] }).readPages({ onPage: (now) => void progress.push(now) }),
    );
    const totals = { totalPages: 3, totalCount: 3 };
    expect(progress).toEqual([
      { pages: 1, records: 2, ...totals },
      { pages: 2, records: 2, ...totals },
      { pages: 3, records: 3, ...totals },
    ]);
  });

  test('onPage is waited for, and what it throws ends the list', async () => {
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
    expect(list.state.onTheWay).toBe(0);
  });

  test('an abort ends it with the reason, and leaves no listener', async () => {
    const controller = new AbortController();
    const list = describeList({ pages: [[1], [2], [3]] });
    const items = list.readItems({ signal: controller.signal });
    await items.next();
    const next = items.next();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await new Promise((resolve) => setTimeout(resolve));
    expect(list.state.onTheWay).toBe(0);
  });
});

describe('an abort of a list', () => {
  test('before it is read loads nothing', async () => {
    const list = describeList({ pages: [[1], [2]] });
    const signal = AbortSignal.abort(new Error('before'));
    await expect(all(list.readItems({ signal }))).rejects.toThrow('before');
    await expect(all(list.readPages({ signal }))).rejects.toThrow('before');
    expect(list.loaded).toEqual([]);
  });

  test('ends its pages too, although the next one is loaded already', async () => {
    const controller = new AbortController();
    const list = describeList({ pages: [[1], [2], [3]] });
    const pages = list.readPages({ signal: controller.signal });
    await pages.next();
    await pages.next();
    await vi.waitUntil(() => list.loaded.includes(3) && list.state.onTheWay === 0);
    controller.abort(new Error('enough'));
    await expect(pages.next()).rejects.toThrow('enough');
  });
});

describe('guards', () => {
  const pages = [things(1), things(2), things(3)];
  const lastTo = (next: string, numbered: boolean) =>
    describeList({
      pages,
      override: (page) => ({ ...(page === 3 ? { next } : {}), ...(numbered ? {} : { number: undefined }) }),
    });

  test.each([
    [1, true],
    [2, true],
    [3, true],
    [1, false],
    [2, false],
    [3, false],
  ])(
    'a last page that links back to page %d is an error, after its records (numbered: %s)',
    async (back, numbered) => {
      const list = lastTo(urlOf(back), numbered);
      const read: unknown[] = [];
      const reading = (async () => {
        for await (const item of list.readItems()) read.push(item);
      })();
      expect((await failureOf(reading, PagingError)).name).toBe('PagingError');
      expect(read).toEqual(things(1, 2, 3));
    },
  );

  test('a last page that links to itself is not loaded again', async () => {
    const list = lastTo(urlOf(3), true);
    await failureOf(all(list.readItems()), PagingError);
    expect(list.loaded).toEqual([1, 2, 3]);
  });

  test('a page with the number of the one before is an error, also where its URL names none', async () => {
    const load = async (url: string) => {
      if (url.endsWith('xxxxx')) throw new Error('the loop goes on');
      const links = new Map([['next', `${url}x`]]);
      const pagination = { number: 1, size: 1, totalCount: undefined, totalPages: undefined };
      return toListPage<unknown>(url, toPage(things(url.length), links, pagination), undefined, false);
    };
    const start = () => 'http://api.test/v1/things?cursor=x';
    const { message } = await failureOf(all(describeList({ pages }).readItems({ load, start })), PagingError);
    expect(message).toContain('?cursor=xx: page 1 follows page 1, so the links form a loop (§4.5)');
  });

  test('a next link to another path is an error, and is not followed', async () => {
    const list = lastTo('http://api.test/v1/others?page=4', true);
    await failureOf(all(list.readItems()), PagingError);
    expect(list.loaded).toEqual([1, 2, 3]);
  });

  test('a server that ignores page is found out', async () => {
    const list = describeList({ pages, override: () => ({ number: 1 }) });
    const { message } = await failureOf(all(list.readItems()), PagingError);
    expect(message).toContain('?page=2: page 2 was requested, and the response is page 1 (§4.4)');
  });

  test('a server that serves the same records for ever is found out', async () => {
    const pages = Array.from({ length: 50 }, () => things(1, 2));
    const list = describeList({ pages, totals: false, override: () => ({ number: undefined }) });
    await failureOf(all(list.readItems()), PagingError);
    expect(list.loaded.length).toBeLessThan(15);
  });

  test('pages that repeat records among new ones do not end it', async () => {
    const pages = Array.from({ length: 40 }, (_, page) => things(Math.floor(page / 2)));
    const list = describeList({ pages });
    expect(await all(list.readItems())).toEqual(things(...Array(20).keys()));
  });

  test('the next link counts, also where another one was expected', async () => {
    // Page 2 leads to page 4: what was loaded ahead from page 3 is dropped.
    const list = describeList({
      pages: [things(1), things(2), things(30), things(4), things(5)],
      override: (page) => (page === 2 ? { next: urlOf(4) } : {}),
    });
    expect(await all(list.readItems({ concurrency: 4 }))).toEqual(things(1, 2, 4, 5));
    expect(list.loaded).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    ['fewer pages than there are', 1],
    ['no pages at all', 0],
    ['more pages than there are', 9],
  ])('totals that promise %s: the next links decide', async (_name, totalPages) => {
    for (const concurrency of [1, 2, 8]) {
      const list = describeList({ pages, override: () => ({ totalPages }) });
      expect(await all(list.readItems({ concurrency }))).toEqual(things(1, 2, 3));
      expect(list.loaded.filter((page) => page <= 3)).toEqual([1, 2, 3]);
    }
  });
});

describe('drift', () => {
  test('a record that moved to a later page is delivered once', async () => {
    const drift: Drift[] = [];
    const list = describeList({
      pages: [things(1, 2), things(2, 3), things(4)],
      override: (page) => ({ totalCount: page === 1 ? 4 : 5 }),
    });
    expect(await all(list.readItems({ onDrift: (event) => void drift.push(event) }))).toEqual(
      things(1, 2, 3, 4),
    );
    expect(drift).toEqual([
      { reason: 'totalCount', url: urlOf(2), before: 4, after: 5 },
      { reason: 'moved', url: urlOf(2), before: 1 },
    ]);
  });

  test('when records were deleted, those that moved to the page before are fetched from there', async () => {
    // 1 to 6 in twos; 1 is deleted behind the first page, so 3 moves to page 1.
    let deleted = false;
    const before = [things(1, 2), things(3, 4), things(5, 6)];
    const after = [things(2, 3), things(4, 5), things(6)];
    const list = describeList({ pages: before });
    const changed = describeList({ pages: after });
    const load = (url: string, signal: AbortSignal) => (deleted ? changed : list).load(url, signal);
    const read: unknown[] = [];
    for await (const item of list.readItems({ load, concurrency: 1 })) {
      read.push(item);
      deleted = true;
    }
    expect(read).toEqual(things(1, 2, 3, 4, 5, 6));
  });
});

test('a list that ends where its totals say that there is more, says so', async () => {
  const drift: Drift[] = [];
  const list = describeList({
    pages: [things(1), things(2), things(3)],
    override: (page) => (page === 2 ? { next: undefined } : {}),
  });
  expect(await all(list.readItems({ onDrift: (event) => void drift.push(event) }))).toEqual(things(1, 2));
  expect(drift).toEqual([{ reason: 'endsEarly', url: urlOf(2), before: 2, after: 3 }]);
});

test('so does one whose server sends totals, and neither links nor page numbers', async () => {
  const drift: Drift[] = [];
  const onDrift = (event: Drift) => void drift.push(event);
  const list = describeList({
    pages: [things(1), things(2)],
    override: () => ({ next: undefined, number: undefined }),
  });
  const url = urlOf(1).replace('?page=1', '');
  expect(await all(list.readItems({ onDrift, start: () => url }))).toEqual(things(1));
  expect(await all(list.readItems({ onDrift, start: () => urlOf(2) }))).toEqual(things(2));
  expect(drift).toEqual([{ reason: 'endsEarly', url, before: 1, after: 2 }]);
});

test('a page size that changes on the way is reported', async () => {
  const drift: Drift[] = [];
  const list = describeList({
    pages: [things(1, 2), things(3, 4)],
    override: (page) => (page === 2 ? { size: 50 } : {}),
  });
  expect(await all(list.readItems({ onDrift: (event) => void drift.push(event) }))).toHaveLength(4);
  expect(drift).toEqual([{ reason: 'pageSize', url: urlOf(2), before: 2, after: 50 }]);
});

describe('a browser that hides Link and X-Pagination-*', () => {
  const pages = [things(1, 2), things(3, 4), things(5)];

  test('the list continues by page until one is empty, and says so once', async () => {
    const drift: Drift[] = [];
    const list = describeList({ pages, override: () => ({ hidden: true, filtered: true }) });
    expect(await all(list.readItems({ onDrift: (event) => void drift.push(event) }))).toEqual(
      things(1, 2, 3, 4, 5),
    );
    expect(list.loaded).toEqual([1, 2, 3, 4]);
    expect(drift).toEqual([{ reason: 'hiddenHeaders', url: urlOf(1) }]);
  });

  test('with a known page size the first page that is not full is the last', async () => {
    const list = describeList({ pages, override: () => ({ hidden: true }) });
    const start = () => `${urlOf(1)}&perPage=2`;
    expect(await all(list.readItems({ start }))).toEqual(things(1, 2, 3, 4, 5));
    expect(list.loaded).toEqual([1, 2, 3]);
  });

  test('a server that ignores page as well is an error that says what it must send', async () => {
    const same = [things(1, 2), things(1, 2)];
    const list = describeList({ pages: same, override: () => ({ hidden: true, filtered: true }) });
    expect((await failureOf(all(list.readItems()), PagingError)).message).toContain(
      'Access-Control-Expose-Headers',
    );
  });

  /** Full pages whose paging fields are hidden; the page behind them fails, by default because it is missing. */
  const readHidden = (count: number, status = 404) => {
    const hidden = { hidden: true, filtered: true };
    const full = Array.from({ length: count }, (_, page) => things(page));
    const list = describeList({ pages: full, override: () => hidden });
    const load = async (url: string, signal: AbortSignal) => {
      const page = await list.load(url, signal);
      if (url === urlOf(count + 1)) throw new ApiError({ status, method: 'GET', url });
      return page;
    };
    return all(list.readItems({ load }));
  };

  test.each([2, 3])('the list ends where the page behind page %i is missing', async (count) => {
    expect(await readHidden(count)).toHaveLength(count);
  });

  test('a page that fails for another reason does not end the list', async () => {
    expect((await failureOf(readHidden(2, 500), ApiError)).status).toBe(500);
  });

  test('a missing second page is an error that says what the server must send', async () => {
    const { message } = await failureOf(readHidden(1), PagingError);
    expect(message).toContain('Access-Control-Expose-Headers');
  });

  test('an empty first page hides nothing', async () => {
    const drift: Drift[] = [];
    const list = describeList({ pages: [[]], override: () => ({ hidden: true, filtered: true }) });
    expect(await all(list.readItems({ onDrift: (event) => void drift.push(event) }))).toEqual([]);
    expect({ drift, loaded: list.loaded }).toEqual({ drift: [], loaded: [1] });
  });

  test('where every field is in sight, a server that repeats its only page does not page', async () => {
    const list = describeList({ pages: [things(1, 2), things(1, 2)], override: () => ({ hidden: true }) });
    expect(await all(list.readItems())).toEqual(things(1, 2));
  });

  test('a collection that declares no paging is one page', async () => {
    const list = describeList({ pages, override: () => ({ hidden: true }) });
    expect(await all(list.readItems({ declared: false }))).toEqual(things(1, 2));
  });
});
