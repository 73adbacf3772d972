import { InvalidRequestError } from 'restkin';
import { expect, test } from 'vitest';
import { checkCount, checkPart, createReader } from '../../src/options.ts';

const readPaging = createReader<{ readonly max?: number; readonly size: number }>(
  { max: checkCount, size: checkCount },
  { required: ['size'] },
);
const read = createReader({ limit: checkCount, paging: checkPart(readPaging), on: undefined });

test.each([
  [{ lmit: 1 }, 'createClient has no option "lmit"; its options are limit, paging, on'],
  [{ ['x'.repeat(1_000)]: 1 }, `createClient has no option "${'x'.repeat(100)}"; its options are`],
  [{ limit: 0 }, 'createClient: limit must be an integer from 1'],
  [{ paging: { mx: 1 } }, 'createClient: paging has no option "mx"; its options are max, size'],
  [{ paging: { size: 1, max: 0 } }, 'createClient: paging.max must be an integer from 1'],
  [{ paging: 5 }, 'createClient: paging takes its options as an object: max, size'],
  [{ paging: {} }, 'createClient: paging.size is missing'],
  [{ paging: { size: undefined, max: 1 } }, 'createClient: paging.size is missing'],
  ['limit', 'createClient takes its options as an object'],
])('%o is refused, and the message names the option', (given, message) => {
  expect(() => read(given as never, 'createClient')).toThrow(InvalidRequestError);
  expect(() => read(given as never, 'createClient')).toThrow(message);
});

test('options are copied, and may be left out or undefined', () => {
  const given = { limit: 5, paging: undefined, on: undefined };
  const options = read(given, 'createClient');
  given.limit = 6;
  expect(options).toEqual({ limit: 5 });
  expect(read(undefined, 'createClient')).toEqual({});
});

test('a reader with a required option takes no undefined', () => {
  expect(() => readPaging(undefined, 'paginate')).toThrow('paginate: size is missing');
  expect(readPaging({ size: 1 }, 'paginate')).toEqual({ size: 1 });
});
