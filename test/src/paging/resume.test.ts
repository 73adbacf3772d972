import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { all, describeList, things } from '../../support/pages.ts';

/** Records in pages of `size`, at least one page. */
const paged = (ids: readonly number[], size: number) =>
  Array.from({ length: Math.max(1, Math.ceil(ids.length / size)) }, (_, i) =>
    things(...ids.slice(i * size, (i + 1) * size)),
  );

const from1 = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Reads so many records of one list, and continues in another one from there. */
const goOn = async (
  before: readonly number[],
  after: readonly number[],
  stop: number,
  totals = true,
  size = 4,
) => {
  const items = describeList({ pages: paged(before, size), totals }).readItems();
  for (let read = 0; read < stop; read++) await items.next();
  const { position = '' } = items;
  await items.return?.();
  const drift: string[] = [];
  const rest = await all(
    describeList({ pages: paged(after, size), totals }).readItems({
      start: () => position,
      onDrift: ({ reason }) => drift.push(reason),
    }),
  );
  return { rest: rest.map((record) => (record as { id: number }).id), drift };
};

describe('a list that continues from a position', () => {
  test.each([true, false])(
    'is not hurt by records that were deleted before it (totals: %s)',
    async (totals) => {
      const ids = from1(12);
      for (let stop = 1; stop < 12; stop++) {
        for (let gone = 1; gone < stop; gone++) {
          const { rest } = await goOn(ids, ids.slice(gone), stop, totals);
          expect(rest).toEqual(ids.slice(stop));
        }
      }
    },
  );

  test.each([true, false])(
    'is not hurt by records that were inserted before it (totals: %s)',
    async (totals) => {
      const ids = from1(12);
      for (let stop = 1; stop < 12; stop++) {
        for (let added = 1; added < 9; added++) {
          const more = Array.from({ length: added }, (_, i) => 100 + i);
          const { rest } = await goOn(ids, [...more, ...ids], stop, totals);
          expect(rest).toEqual(ids.slice(stop));
        }
      }
    },
  );

  test('loses no record where its last record is gone too, and reports records that may be repeated', async () => {
    const anyCase = fc.record({
      count: fc.integer({ min: 1, max: 24 }),
      stop: fc.integer({ min: 1, max: 24 }),
      gone: fc.uniqueArray(fc.integer({ min: 1, max: 24 }), { maxLength: 8 }),
      added: fc.uniqueArray(fc.integer({ min: 1, max: 24 }), { maxLength: 6 }),
      totals: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ count, stop, gone, added, totals }) => {
        // How far records have moved, nobody knows without totals, or where others were inserted: by a page, it is taken.
        fc.pre((totals && added.length === 0) || gone.length <= 4);
        const ids = from1(count);
        const left = [...ids.filter((id) => !gone.includes(id)), ...added.map((id) => id + 0.5)].toSorted(
          (a, b) => a - b,
        );
        const last = Math.min(stop, count);
        const { rest, drift } = await goOn(ids, left, stop, totals);
        const behind = left.filter((id) => id > last);
        expect(rest.filter((id) => id > last)).toEqual(behind);
        // Only where the place itself is gone may something come again, and then it is told.
        const again = rest.length > behind.length;
        expect(again && (!gone.includes(last) || !drift.includes('moved'))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('the page of the position is requested once', async () => {
    const list = describeList({ pages: paged(from1(8), 4) });
    const items = list.readItems();
    for (let read = 0; read < 2; read++) await items.next();
    const { position = '' } = items;
    await items.return?.();
    const next = describeList({ pages: paged(from1(8), 4) });
    await all(next.readItems({ start: () => position, concurrency: 1 }));
    expect(next.loaded).toEqual([1, 2]);
  });

  test('pages continue behind the last page that was given, and none of them is empty', async () => {
    const list = describeList({ pages: paged(from1(8), 4) });
    const items = list.readItems();
    for (let read = 0; read < 4; read++) await items.next();
    const { position = '' } = items;
    const pages = await all(describeList({ pages: paged(from1(8), 4) }).readPages({ start: () => position }));
    expect(pages.map(({ items: records }) => records)).toEqual([things(5, 6, 7, 8)]);
  });
});
