import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseHttpDate } from '../../../src/headers/dates.ts';
import { codePoint } from '../../support/code-point.ts';

test('reads back what it writes, to the second', () => {
  const date = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, (given) => {
      const seconds = Math.floor(given.getTime() / 1_000) * 1_000;
      expect(parseHttpDate(given.toUTCString())).toBe(seconds);
    }),
  );
});

test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  'RFC 9110 §5.6.7 %s',
  (value) => {
    expect(parseHttpDate(value)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  },
);

test('an asctime date is UTC, whatever the time zone of the machine', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TZ', 'America/New_York');
  expect(parseHttpDate('Sun Nov  6 08:49:37 1994')).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
});

test.each([
  '',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 06 Nov 1994 25:49:37 GMT',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  '6 Nov 1994',
  '0',
])('%j is not an HTTP date', (value) => {
  expect(parseHttpDate(value)).toBeUndefined();
});

test('any string is a time or undefined', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      expect(parseHttpDate(text) ?? 0).not.toBeNaN();
    }),
  );
});
