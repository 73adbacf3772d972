import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { printable } from '../../src/cli/io.ts';
import { cut, layOut } from '../../src/cli/output/table.ts';

describe('the width of a string', () => {
  test.for<readonly [string, number]>([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['漢字', 4],
    ['한글', 4],
    ['ｆｕ', 4],
    ['😀', 2],
    ['👩‍👩‍👧', 2],
    ['🇳🇱', 2],
    ['❤️', 2],
    ['Ærø', 3],
  ])('of %s is %i columns', ([text, width]) => {
    expect(stringWidth(text)).toBe(width);
  });

  test('never exceeds the width that a string is cut to, and no character is cut in two', () => {
    for (let width = 1; width < 8; width++) {
      const text = cut('a漢👩‍👩‍👧e\u0301字b', width);
      expect(stringWidth(text)).toBeLessThanOrEqual(width);
      expect(text).toMatch(/^(?:a(?:漢(?:👩‍👩‍👧(?:e\u0301)?)?)?)?…$/u);
    }
    expect(cut('漢字', 4)).toBe('漢字');
  });
});

describe('a character that a terminal would obey', () => {
  test.for<readonly [string, string]>([
    ['a\u001b[2Jb', 'a\\u001b[2Jb'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u009b31m', '\\u009b31m'],
    ['\u202eabc', '\\u202eabc'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\ud800', '\\ud800'],
    ['👩‍👩‍👧 漢', '👩‍👩‍👧 漢'],
  ])('is escaped: %j', ([text, shown]) => {
    expect(printable(text)).toBe(shown);
  });
});

describe('a table', () => {
  const header = ['id', 'name', 'city', 'link'];
  const lines = [
    ['1', 'A'.repeat(30), 'Utrecht', 'x'.repeat(60)],
    ['10', 'B', 'Tokyo', ''],
  ];

  test('is as wide as its cells without a terminal', () => {
    expect(Math.max(...layOut(lines, undefined, header).map((line) => stringWidth(line)))).toBe(
      2 + 30 + 7 + 60 + 6,
    );
  });

  test('is never wider than the terminal, and marks omitted columns', () => {
    for (let available = 12; available < 110; available++) {
      const shown = layOut(lines, available, header);
      expect(Math.max(...shown.map((line) => stringWidth(line)))).toBeLessThanOrEqual(available);
      expect(shown[0]?.includes('link') || shown[0]?.endsWith('…')).toBe(true);
    }
  });

  test('cuts the widest columns first', () => {
    expect(layOut(lines, 80, header)[2]).toBe(` 1  ${'A'.repeat(30)}  Utrecht  ${'x'.repeat(34)}…`);
  });
});

test.each([1, 2, 3, 10])('a terminal of %i columns gets a table', (available) => {
  expect(() => layOut([['1', 'a long name', 'Utrecht']], available, ['id', 'name', 'city'])).not.toThrow();
});
