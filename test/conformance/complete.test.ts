import { beforeAll, describe, expect, test } from 'vitest';
import { listTests } from './collect.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';
import { type ConventionTest, findProblems, readTest } from './tests.ts';

describe('the tests of the conventions', () => {
  let tests: readonly ConventionTest[] = [];
  beforeAll(async () => {
    tests = await listTests();
  }, 120_000);

  test('every rule has a test in each of the four ways, and every test names a rule', () => {
    expect(findProblems(rules, tests)).toEqual([]);
  });

  test('no rule is listed twice', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});

describe('the check itself', () => {
  const three: readonly Rule[] = [
    { id: '§1.1.1', says: 'One.' },
    { id: '§1.1 a', says: 'A.', without: { 'msw, fetch': 'it cannot' } },
    { id: '§1.1.2', says: 'Two.', nothing: 'not shown' },
  ];
  const four = ['msw, fetch', 'msw, client', 'HTTP, fetch', 'HTTP, client'];
  const titled = (...names: readonly string[]) => names.map((name) => readTest(name, three));
  const complete = [
    ...four.map((way) => `§1.1 suite > §1.1.1 one [${way}]`),
    ...four.slice(1).map((way) => `§1.1 a is so [${way}]`),
  ];

  test('finds nothing wrong where every rule has its tests, and the client some of a section', () => {
    expect(findProblems(three, titled(...complete, '§1.1 a client does more'))).toEqual([]);
  });

  test.each([
    ['a rule without a test', complete.slice(4), ['§1.1.1 has no test']],
    ['a way without a test', complete.slice(1), ['§1.1.1 has no test by [msw, fetch]']],
    ['a title without a rule', [...complete, '§1.3 x'], ['"§1.3 x" names no rule']],
    ['an id that only begins alike', [...complete, '§1.1.10 x'], ['"§1.1.10 x" names no rule']],
    [
      'a test of the mock that is about a section only',
      [...complete, '§1.1 b is so [msw, fetch]'],
      ['"§1.1 b is so [msw, fetch]" names no rule'],
    ],
    [
      'a test of what is nothing to test',
      [...complete, '§1.1.2 x'],
      ['§1.1.2 has tests, and is listed as nothing to test'],
    ],
    [
      'a test in a way that is listed as impossible',
      [...complete, '§1.1 a is so [msw, fetch]'],
      ['§1.1 a has a test by [msw, fetch], which is listed as impossible'],
    ],
  ])('finds %s', (_what, names, problems) => {
    expect(findProblems(three, titled(...names))).toEqual(problems);
  });
});
