import { NotFoundError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { idsOf, readList, type Server } from '../../support/changing-list.ts';

const missing = new NotFoundError({ status: 404, method: 'GET', url: 'http://api.test/v1/things' });

describe('a list that changes while it is read', () => {
  test('a page that is older than the one before it is reloaded', async () => {
    let list = [9, 8, 7, 6, 5, 4, 3, 2, 1];
    let answerSecond: (() => void) | undefined;
    const second = new Promise<void>((resolve) => {
      answerSecond = resolve;
    });
    const items = readList(
      {
        size: 2,
        list: () => list,
        // Pages 2 and 3 are on the way at once; 3 is answered first, then a record is inserted, then 2 is answered.
        onRequest: async (page) => {
          if (page === 2) await second;
          if (page === 3)
            setTimeout(() => {
              if (list.length === 9) list = [10, ...list];
              answerSecond?.();
            });
        },
      },
      { concurrency: 2 },
    );
    expect(await idsOf(items)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('as many pages are reloaded as deleted records require', async () => {
    let list = Array.from({ length: 20 }, (_, index) => index + 1);
    const items = readList({
      size: 2,
      list: () => list,
      onRequest: (page) => {
        if (page === 5 && list.length === 20) list = list.filter((id) => id > 5);
      },
    });
    expect(await idsOf(items)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(items.pages).toEqual([1, 2, 3, 4, 5, 4, 3, 2, 6, 7, 8]);
  });

  test('one page is reloaded when the records deleted were further on', async () => {
    let list = Array.from({ length: 40 }, (_, index) => index + 1);
    const items = readList({
      size: 2,
      list: () => list,
      onRequest: (page) => {
        if (page === 5) list = list.slice(0, 14);
      },
    });
    expect(await idsOf(items)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1));
    expect(items.pages).toEqual([1, 2, 3, 4, 5, 4, 6, 7]);
  });

  test('a list that is emptied is not read backwards page by page', async () => {
    let list = Array.from({ length: 1_000 }, (_, index) => index + 1);
    const items = readList({
      size: 2,
      list: () => list,
      onRequest: (page) => {
        if (page === 400) list = list.slice(-2);
      },
    });
    expect((await idsOf(items)).slice(-3)).toEqual([798, 999, 1_000]);
    expect(items.pages.slice(400)).toEqual([399, 1]);
  });

  test.each<readonly [string, number, readonly (readonly number[])[]]>([
    // 5 moves to page 2 and, before that is read again, back to page 3.
    ['once more', 2, [[1, 2, 3, 4, 5, 6], [], [2, 3, 4, 5, 6], [0, 2, 3, 4, 5, 6]]],
    [
      'further back',
      3,
      [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [], [], [2, 3, 5, 7, 8, 10, 11, 12], [], [2, 8, 10, 11]],
    ],
  ])('while pages are read again, they are read %s', async (_what, size, lists) => {
    // The list at each request; an empty one is as before.
    let list: readonly number[] = [];
    let requests = 0;
    const onRequest = (): void => {
      const next = lists[requests++] ?? [];
      if (next.length > 0) list = next;
    };
    const ids = await idsOf(readList({ size, list: () => list, onRequest }));
    expect(list.filter((id) => id > 0 && !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a list with thousands fewer records, all of them new, is read back by 5,000 records', async () => {
    let list = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const items = readList({
      size: 100,
      list: () => list,
      onRequest: (page) => {
        if (page === 151 && list.length === 20_000) list = list.slice(10_000).map((id) => id + 50_000);
      },
    });
    expect((await idsOf(items)).length).toBe(15_000 + 5_000);
    expect(items.pages.slice(151)).toEqual([150, ...Array.from({ length: 50 }, (_, index) => 100 - index)]);
  });

  test('a list that changes once more while pages are read again is read again once more', async () => {
    let list = Array.from({ length: 12 }, (_, index) => index + 1);
    const items = readList({
      size: 2,
      list: () => list,
      onRequest: () => {
        if (items.pages.length === 3 || items.pages.length === 4) list = list.slice(1);
      },
    });
    expect(await idsOf(items)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(items.pages).toEqual([1, 2, 3, 2, 3, 2, 4, 5]);
  });

  test('a list that changes with each request is read again five times at most', async () => {
    let list = Array.from({ length: 100 }, (_, index) => index + 1);
    const onRequest = (): void => {
      list = list.slice(0, -1);
    };
    const items = readList({ size: 2, list: () => list, onRequest });
    for (const id of [1, 2, 3]) expect((await items.next()).value).toEqual({ id });
    expect(items.pages).toEqual([1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1]);
  });

  test('a list that holds nothing any more is over', async () => {
    let list = Array.from({ length: 10 }, (_, index) => index + 1);
    const items = readList({
      size: 2,
      list: () => list,
      onRequest: (page) => {
        if (page === 3) list = [];
      },
    });
    expect(await idsOf(items)).toEqual([1, 2, 3, 4]);
    expect(items.pages).toEqual([1, 2, 3, 2, 1]);
  });

  test('a page that is gone when it is reloaded leaves its records where they have moved to', async () => {
    let list = Array.from({ length: 12 }, (_, index) => index + 1);
    const asked = new Map<number, number>();
    const items = readList(
      {
        size: 2,
        list: () => list,
        onRequest: async (page) => {
          const times = (asked.get(page) ?? 0) + 1;
          asked.set(page, times);
          // Page 4 and 5 are on the way at once; in between most of what was read is deleted.
          if (page === 4) await new Promise((resolve) => setTimeout(resolve, 2));
          if (page === 5 && times === 1) {
            await new Promise((resolve) => setTimeout(resolve, 4));
            list = list.filter((id) => id > 6);
          }
          if (page === 5 && times > 1) throw missing;
        },
      },
      { concurrency: 2 },
    );
    expect((await idsOf(items)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test('its place is on the page that a record had moved to', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => index + 1);
    for (let stop = 5; stop < 12; stop++) {
      let list = ids;
      const server: Server = {
        size: 4,
        list: () => list,
        onRequest: (page) => {
          if (page === 2) list = ids.slice(2);
        },
      };
      const items = readList(server);
      for (let count = 0; count < stop; count++) await items.next();
      const { position = '' } = items;
      await items.return?.();
      expect(await idsOf(readList(server, { from: position }))).toEqual(ids.slice(stop));
    }
  });

  test('its place loses no record while pages are read again and the list changes each time', async () => {
    const ids = Array.from({ length: 24 }, (_, index) => index + 1);
    for (let stop = 5; stop < 20; stop++) {
      let list: readonly number[] = ids;
      let requests = 0;
      const server: Server = {
        size: 4,
        list: () => list,
        onRequest: () => {
          if (++requests >= 3 && requests <= 8) list = list.slice(1);
        },
      };
      const items = readList(server);
      const delivered: number[] = [];
      for (let count = 0; count < stop; count++) {
        const { value } = await items.next();
        if (value !== undefined) delivered.push(value.id);
      }
      const { position = '' } = items;
      await items.return?.();
      const rest = await idsOf(readList(server, { from: position }));
      expect(list.filter((id) => !delivered.includes(id) && !rest.includes(id))).toEqual([]);
    }
  });

  test('a reader that polls for new records starts from the same position until there are some', async () => {
    let list = [1, 2, 3, 4, 5, 6, 7];
    const server: Server = { size: 3, list: () => list };
    let position = 'http://api.test/v1/things';
    const poll = async (): Promise<number[]> => {
      const items = readList(server, { from: position });
      const ids = await idsOf(items);
      position = items.position ?? position;
      return ids;
    };
    expect([await poll(), await poll(), await poll()]).toEqual([[1, 2, 3, 4, 5, 6, 7], [], []]);
    list = [...list, 8, 9, 10];
    expect([await poll(), await poll()]).toEqual([[8, 9, 10], []]);
  });

  test('an id that comes twice on a page does not move the place', async () => {
    const server: Server = { size: 6, list: () => [1, 1, 2, 3, 4, 5] };
    const items = readList(server);
    await items.next();
    await items.next();
    expect(await idsOf(readList(server, { from: items.position ?? '' }))).toEqual([3, 4, 5]);
  });
});

/** Numbers from 0 to below 1 that a seed determines (mulberry32). */
const randomBy = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
};

describe.each(['insert', 'delete'] as const)('whenever a server may %s records', (kind) => {
  test('none that was there all the time is lost, and none comes twice', async () => {
    for (let seed = 1; seed <= 600; seed++) {
      const random = randomBy(seed);
      const upTo = (most: number): number => Math.floor(random() * (most + 1));
      let next = upTo(60) + 1;
      let list = Array.from({ length: next - 1 }, (_, index) => next - 1 - index);
      const initial = list;
      let changes = 1 + upTo(3);
      const change = (): void => {
        if (random() > 0.25 || changes-- <= 0) return;
        for (let count = 1 + upTo(5); count > 0; count--) {
          if (kind === 'insert') list = [next++, ...list];
          else if (list.length > 0) list = list.toSpliced(upTo(list.length - 1), 1);
        }
      };
      const items = readList(
        {
          size: 2 + upTo(5),
          list: () => list,
          onRequest: async () => {
            change();
            for (let turns = upTo(4); turns > 0; turns--) await Promise.resolve();
            change();
          },
        },
        { concurrency: 1 + upTo(7) },
      );
      const ids = await idsOf(items);
      const stayed = initial.filter((id) => list.includes(id));
      expect({ seed, lost: stayed.filter((id) => !ids.includes(id)) }).toEqual({ seed, lost: [] });
      expect({ seed, count: new Set(ids).size }).toEqual({ seed, count: ids.length });
    }
  });
});
