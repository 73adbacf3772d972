import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePagination } from '../../../src/headers/paging.ts';

const names = {
  totalPages: 'X-Pagination-Total-Pages',
  totalCount: 'X-Pagination-Total-Count',
  number: 'X-Pagination-Current-Page',
  size: 'X-Pagination-Page-Size',
} as const;

test('each field of §4.5 is its own value', () => {
  const count = fc.integer({ min: 0, max: 10 ** 15 - 1 });
  const counts = fc.record({ totalPages: count, totalCount: count, number: count, size: count });
  fc.assert(
    fc.property(counts, (given) => {
      const headers = new Headers();
      for (const key of ['totalPages', 'totalCount', 'number', 'size'] as const) {
        headers.set(names[key], String(given[key]));
      }
      expect(parsePagination(headers)).toEqual(given);
    }),
  );
});

test('§4.5.1 omitted totals are undefined, never 0', () => {
  const headers = new Headers({ [names.number]: '2', [names.size]: '25' });
  expect(parsePagination(headers)).toEqual({
    totalPages: undefined,
    totalCount: undefined,
    number: 2,
    size: 25,
  });
});

test.each(['-1', '1.5', '1e3', '0x10', 'NaN', 'many', '', '1, 2', '1 000', '9'.repeat(16)])(
  '%j is not a count',
  (value) => {
    expect(parsePagination(new Headers({ [names.totalCount]: value })).totalCount).toBeUndefined();
  },
);
