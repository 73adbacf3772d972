import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRetryAfter } from '../../../src/headers/dates.ts';

const now = Date.UTC(2026, 10, 1, 12);

/** Reads it of a response that was sent at that time. */
const readAt = (value: string | null, time: number): number | undefined => {
  const headers = new Headers({ date: new Date(time).toUTCString() });
  if (value !== null) headers.set('retry-after', value);
  return readRetryAfter(headers);
};

test('seconds are milliseconds from now', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom('', ' '), (seconds, space) => {
      expect(readAt(`${space}${seconds}${space}`, now)).toBe(seconds * 1_000);
    }),
  );
});

test('seconds of hundreds of digits are Infinity', () => {
  expect(readAt('9'.repeat(400), now)).toBe(Number.POSITIVE_INFINITY);
});

test('a date is the time until then, and 0 when it is past', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
      const date = new Date(now + seconds * 1_000).toUTCString();
      expect(readAt(date, now)).toBe(Math.max(0, seconds * 1_000));
    }),
  );
});

test.each([null, '', 'soon', '-1', '1.5', '1e3', '0x10', '10 s', '2026-11-01T12:00:00Z', '1, 2'])(
  '%j is undefined',
  (value) => {
    expect(readAt(value, now)).toBeUndefined();
  },
);

// Other characters cannot be in a header.
const fieldCharacter = fc.nat(0xff).map((code) => String.fromCharCode(code < 0x20 ? 0x20 : code));

test('any string is undefined or at least 0', () => {
  fc.assert(
    fc.property(fc.string({ unit: fieldCharacter }), (text) => {
      expect(readAt(text, now) ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});

const hourMs = 3_600_000;
const at = (ms: number): string => new Date(ms).toUTCString();

test.each([
  ['behind', -hourMs],
  ['ahead', hourMs],
])(
  'a date counts from the Date of its response, also where the clock of this machine is an hour %s',
  (_how, skewMs) => {
    const served = Date.now() - skewMs;
    const headers = new Headers({ date: at(served), 'retry-after': at(served + 7_000) });
    expect(readRetryAfter(headers)).toBe(7_000);
  },
);

test.each([{}, { date: 'today' }])('without a readable Date it counts from now', (others) => {
  const headers = new Headers({ ...others, 'retry-after': at(Date.now() + hourMs) });
  const ms = readRetryAfter(headers);
  expect(ms).toBeGreaterThan(0);
  expect(ms).toBeLessThanOrEqual(hourMs);
});
