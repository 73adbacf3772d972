import { describe, expect, test } from 'vitest';
import { createPageUrls } from '../../../src/paging/page-urls.ts';
import fc from '../../support/random.ts';

const origin = 'https://api.test/things';

describe('a page number', () => {
  test.each([
    ['page', '?page=7'],
    ['page', '?sort=a&page=7&x=1'],
    ['page', '?%70age=7'],
    ['page[number]', '?page[number]=7'],
    ['page[number]', '?page%5Bnumber%5D=7'],
    ['page[number]', '?page%5bnumber%5d=7'],
    ['page[number]', '?page%5bnumber]=7&page%5bsize%5d=2'],
    ['$page', '?%24page=7'],
    ['the page', '?the+page=7'],
    ['the page', '?the%20page=7'],
    ['página', '?p%c3%a1gina=7'],
  ])('of %s is read and replaced in %s', (parameter, query) => {
    const { numberIn, withNumber } = createPageUrls(parameter, 1);
    expect(numberIn(origin + query)).toBe(7);
    expect(withNumber(origin + query, 12)).toBe((origin + query).replace('=7', '=12'));
  });

  test.each(['?pages=7', '?page=7a', '?page=', '?page%zz=7', '?x=%26page=7', '?other%5bnumber%5d=7', ''])(
    'of page is not in %j',
    (query) => {
      expect(createPageUrls('page', 1).numberIn(origin + query)).toBeUndefined();
    },
  );

  test('is found however its name is encoded', () => {
    const encode = (name: string, choices: readonly number[]): string =>
      Array.from(name, (character, index) => {
        const hex = encodeURIComponent(character).replace(
          /^\w$/,
          (letter) => `%${letter.charCodeAt(0).toString(16)}`,
        );
        return [encodeURIComponent(character), hex, hex.toLowerCase()][choices[index] ?? 0];
      }).join('');
    const names = fc.string({
      unit: fc.constantFrom('p', 'a', 'g', 'e', '[', ']', '$', '.', '-', '_', ':', ' ', 'é'),
      minLength: 1,
      maxLength: 8,
    });
    const choices = fc.array(fc.nat({ max: 2 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(names, choices, fc.nat({ max: 999 }), (name, how, number) => {
        const { numberIn, withNumber } = createPageUrls(name, 0);
        const url = `${origin}?Z=1&${encode(name, how)}=${number}&Y=2`;
        expect(numberIn(url)).toBe(number + 1);
        expect(numberIn(withNumber(url, 40))).toBe(40);
        expect(numberIn(withNumber(`${origin}?Z=1`, 40))).toBe(40);
      }),
    );
  });
});
