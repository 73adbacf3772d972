import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFilter } from '../../../src/paging/deduplicate.ts';
import { idOf } from '../../../src/paging/page.ts';
import { createRecentPages } from '../../../src/paging/reconcile.ts';

interface Row {
  readonly id?: string | number;
}

/** What is delivered of pages when every id is remembered. */
const reference = (pages: readonly (readonly Row[])[]): Row[][] => {
  const seen = new Set<string | number>();
  return pages.map((page) =>
    page.filter(({ id }) => {
      if (id === undefined) return true;
      const fresh = !seen.has(id);
      seen.add(id);
      return fresh;
    }),
  );
};

/** The filter, with the ids of the records. */
const filterOfRows = () => {
  const filter = createFilter();
  return (rows: readonly Row[]): readonly Row[] => filter(rows, rows.map(idOf));
};

const rising = (from: number, count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({ id: from + i }));

test('the latest pages with 5,000 records are remembered, each page as a whole', () => {
  const recent = createRecentPages();
  const pages = [1, 2, 3].map((page) => Array.from({ length: 3_000 }, () => page));
  for (const ids of pages) recent.add(ids);
  expect(recent.pages).toEqual(pages.slice(1));
});

describe('createFilter', () => {
  test('delivers each id once, whatever the order of the records', () => {
    const row = fc.record<Row>({
      id: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom('a', '1', '2')),
    });
    const pages = fc.array(
      fc.oneof(
        fc.array(row),
        fc.tuple(fc.nat(40), fc.nat(8)).map(([a, n]) => rising(a, n)),
      ),
    );
    fc.assert(
      fc.property(pages, (given) => {
        const filter = filterOfRows();
        expect(given.map((records) => filter(records))).toEqual(reference(given));
      }),
      { numRuns: 500 },
    );
  });

  test('records without an id are never left out', () => {
    const filter = filterOfRows();
    expect([filter([{}, {}]), filter([{}])]).toEqual([[{}, {}], [{}]]);
  });

  test('a record that moved by 4,000 is known, after any number of rising pages', () => {
    const filter = filterOfRows();
    for (let page = 0; page < 500; page++) filter(rising(page * 100, 100));
    expect(filter(rising(46_000, 1))).toEqual([]);
    expect(filter(rising(50_000, 3))).toEqual(rising(50_000, 3));
    expect(filter([{ id: 49_999 }, { id: 50_003 }])).toEqual([{ id: 50_003 }]);
  });

  test('what lies far back is forgotten, so that memory does not grow with the list', () => {
    const filter = filterOfRows();
    for (let page = 0; page < 500; page++) filter(rising(page * 100, 100));
    expect(filter(rising(0, 1))).toEqual(rising(0, 1));
    const mixed = filterOfRows();
    for (let page = 0; page < 500; page++) mixed(rising(page * 100, 100).toReversed());
    expect(mixed(rising(0, 1))).toEqual(rising(0, 1));
  });
});
