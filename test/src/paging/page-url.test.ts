import { describe, expect, test } from 'vitest';
import { leavesPath, pageNumberOf, pagePatternOf } from '../../../src/paging/page.ts';

describe('a page number', () => {
  test.each([
    ['http://a.test/x?page=7', 7],
    ['http://a.test/x?perPage=3&page=07&sort=a', 7],
    ['http://a.test/x?page=7#page=8', 7],
    ['http://a.test/x', undefined],
    ['http://a.test/x?page=', undefined],
    ['http://a.test/x?page=1234567890123456', undefined],
    ['http://a.test/x?homepage=2', undefined],
    ['http://a.test/page=2/x', undefined],
    ['http://a.test/x?page=1&page=2', undefined],
    ['http://a.test/x?x=/y?page=1&page=2', undefined],
  ])('%s', (url, number) => {
    expect(pageNumberOf(url)).toBe(number);
    expect(pagePatternOf(url) === undefined).toBe(number === undefined);
  });

  test('is all that a pattern changes', () => {
    expect(pagePatternOf('http://a.test/x?sort=a&page=2&perPage=2')?.(13)).toBe(
      'http://a.test/x?sort=a&page=13&perPage=2',
    );
  });
});

describe('a link stays on the path of its page', () => {
  test.each([
    ['http://a.test/c/a@b.c/x?page=2', 'http://a.test/c/a%40b.c/x'],
    ['http://a.test/c/a%3ab/x', 'http://a.test/c/a%3Ab/x'],
    ["http://a.test/c/o'neil/x", 'http://a.test/c/o%27neil/x'],
    ['http://A.test:80/c/../c/x', 'http://a.test/c/x?page=1'],
    ['http://a.test/c/%ff/x?page=2', 'http://a.test/c/%ff/x'],
    // Another origin is refused where a request would be sent there.
    ['http://b.test/y', 'http://a.test/x'],
  ])('%s', (url, from) => {
    expect(leavesPath(url, from)).toBe(false);
  });

  test.each([
    ['http://a.test/c/a/b/x', 'http://a.test/c/a%2Fb/x'],
    ['http://a.test/c/y', 'http://a.test/c/x'],
    ['http://a.test/c/x/', 'http://a.test/c/x'],
    ['http://a.test/c/x/../y?page=2', 'http://a.test/c/x'],
    ['http://a.test/c/%252Fx', 'http://a.test/c/%2Fx'],
  ])('but not %s', (url, from) => {
    expect(leavesPath(url, from)).toBe(true);
  });
});
