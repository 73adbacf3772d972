import { beforeAll, describe, expect, test } from 'vitest';
import { rules } from '../../src/doctor/rules.ts';
import { listTests } from './collect.ts';
import { type ConventionTest, findProblems, type Rule, readTest } from './tests.ts';

describe('the tests of the conventions', () => {
  let tests: readonly ConventionTest[] = [];
  beforeAll(async () => {
    tests = await listTests();
  }, 120_000);

  test('every rule has a test of each side, and every test names a rule', () => {
    expect(findProblems(rules, tests)).toEqual([]);
  });

  test('no rule is listed twice', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});

describe('the check itself', () => {
  const three: readonly Rule[] = [{ id: '§1.1.1' }, { id: '§1.1 a' }, { id: '§1.1.2', nothing: 'not shown' }];
  const titled = (...names: readonly string[]) => names.map((name) => readTest(name, three));
  const complete = [
    '§1.1 suite > §1.1.1 one [fetch]',
    '§1.1 suite > §1.1.1 one [client]',
    '§1.1 a is so [HTTP, node:http]',
    '§1.1 a is so [client]',
  ];

  test('finds nothing wrong where every rule has its tests, and the client some of a section', () => {
    expect(findProblems(three, titled(...complete, '§1.1 a client does more'))).toEqual([]);
  });

  test.each([
    ['a side without a test', complete.slice(1), ['§1.1.1 has no test of the plain side']],
    ['a title without a rule', [...complete, '§1.3 x'], ['"§1.3 x" names no rule']],
    ['an id that only begins alike', [...complete, '§1.1.10 x'], ['"§1.1.10 x" names no rule']],
    [
      'a test of the mock that is about a section only',
      [...complete, '§1.1 b is so [fetch]'],
      ['"§1.1 b is so [fetch]" names no rule'],
    ],
    [
      'a test of what is nothing to test',
      [...complete, '§1.1.2 x'],
      ['§1.1.2 has tests, and is listed as nothing to test'],
    ],
  ])('finds %s', (_what, names, problems) => {
    expect(findProblems(three, titled(...names))).toEqual(problems);
  });
});
