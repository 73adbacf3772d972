import { expect, test } from 'vitest';
import { createLoopCheck } from '../../../src/paging/loop-check.ts';

/** The number of the page at which a loop from the last page to an earlier one is noticed. */
const noticedAfter = (pages: number, back: number): number => {
  const isKnown = createLoopCheck();
  for (let page = 0; page < pages; page++) expect(isKnown(`page ${page}`)).toBe(false);
  for (let again = 0; ; again++) if (isKnown(`page ${back + (again % (pages - back))}`)) return again;
};

test.each([
  [1, 0],
  [4_000, 0],
  [4_000, 3_999],
  [4_000, 1_234],
])('of %i pages, a link back to page %i is noticed at once', (pages, back) => {
  expect(noticedAfter(pages, back)).toBe(0);
});

test.each([
  [20_000, 17],
  [20_000, 19_999],
  [100_000, 50_001],
])('of %i pages, a loop back to page %i is noticed soon', (pages, back) => {
  expect(noticedAfter(pages, back)).toBeLessThanOrEqual(64);
});
