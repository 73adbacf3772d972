import fc from 'fast-check';
import { PagingError } from 'restkin';
import { expect, test } from 'vitest';
import { formatPosition, parsePosition } from '../../../src/paging/resume.ts';
import { all, describeList, things, urlOf } from '../../support/pages.ts';

const pages = Array.from({ length: 7 }, (_, i) => things(3 * i + 1, 3 * i + 2, 3 * i + 3));

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.nat(), fc.option(fc.string(), { nil: undefined }), fc.nat(), (delivered, id, total) => {
      const position = { url: urlOf(2), delivered: delivered + 1, id, total };
      expect(parsePosition(formatPosition(position))).toEqual(position);
    }),
  );
});

test('the next of a page is a position', () => {
  expect(parsePosition(urlOf(3))).toEqual({ url: urlOf(3), delivered: 0 });
  expect(formatPosition({ url: urlOf(3), delivered: 0 })).toBe(urlOf(3));
});

test('a position without a total has none', () => {
  const position = { url: urlOf(2), delivered: 1, id: undefined, total: undefined };
  expect(parsePosition(`${urlOf(2)}#delivered=1`)).toEqual(position);
});

test.each(['#', '#delivered=x', '#delivered=-1', '#other'])('%s is no position', (fragment) => {
  expect(() => parsePosition(urlOf(1) + fragment)).toThrow(PagingError);
});

test.each([1, 2, 8])(
  'a list continues behind every record it may have stopped at (concurrency %d)',
  async (concurrency) => {
    const whole = pages.flat();
    for (let stop = 1; stop <= whole.length; stop++) {
      const items = describeList({ pages }).readItems({ concurrency });
      const read: unknown[] = [];
      for await (const item of items) if (read.push(item) === stop) break;
      const { position = '' } = items;
      const rest = await all(describeList({ pages }).readItems({ concurrency, start: () => position }));
      expect([...read, ...rest]).toEqual(whole);
    }
  },
);

test('before the first page there is no position', () => {
  expect(describeList({ pages }).readItems().position).toBeUndefined();
});
