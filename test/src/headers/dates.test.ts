import { describe, expect, test } from 'vitest';
import { parseDeprecation, parseHttpDate, readRetryAfter } from '../../../src/headers/dates.ts';

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', new Date('1994-11-06T08:49:37Z')],
  ['', undefined],
  ['0', undefined],
  ['1994-11-06T08:49:37Z', undefined],
  ['Sun, 06 Nov 1994 08:49:37 +0100', undefined],
  ['Sun, 06 Nov 1994 25:49:37 GMT', undefined],
  ['Sun, 06 Foo 1994 08:49:37 GMT', undefined],
])('the HTTP date %j', (value, expected) => {
  expect(parseHttpDate(value)).toEqual(expected);
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 1, 12);
  const readAt = (value: string, date = new Date(now).toUTCString()): number | undefined =>
    readRetryAfter(new Headers({ date, 'retry-after': value }));

  test('in seconds', () => {
    expect(readAt(' 42 ')).toBe(42_000);
    expect(readAt('9'.repeat(400))).toBe(Number.POSITIVE_INFINITY);
  });

  test('in seconds with a fraction, as Shopify sends it', () => {
    expect(['2.0', '0.35', '2.0, 2.0'].map((value) => readAt(value))).toEqual([2_000, 350, 2_000]);
  });

  test('as a date, from the Date of its response; 0 when it is past', () => {
    const at = (seconds: number) => readAt(new Date(now + seconds * 1_000).toUTCString());
    expect([-5, 0, 90].map(at)).toEqual([0, 0, 90_000]);
  });

  test('as a date, without a readable Date from the clock of this machine', () => {
    const ms = readAt(new Date(Date.now() + 3_600_000).toUTCString(), 'today');
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(3_600_000);
  });

  test('of a header that a proxy added once more', () => {
    expect([readAt('5, 5'), readAt('5,5, 5')]).toEqual([5_000, 5_000]);
  });

  test.each([
    '',
    'soon',
    '-1',
    '1.',
    '.5',
    '1,5',
    '1e3',
    '10 s',
    '2026-11-01T12:00:00Z',
    '1, 2',
    '1, 11',
    '5,',
  ])('not %j', (value) => {
    expect(readAt(value)).toBeUndefined();
  });
});

describe('the end of a version (RFC 9745, RFC 8594)', () => {
  const sunset = 'Sun, 01 Nov 2026 12:00:00 GMT';
  const nothing = { since: undefined, sunset: undefined, successor: undefined };
  const read = (fields: Record<string, string>) => parseDeprecation(new Headers(fields));

  test('since when, until when, and the successor', () => {
    const link = '<https://a.test/v2/orders>; rel="successor-version", <b>; rel="next"';
    expect(read({ deprecation: '@1688169599', sunset, link })).toEqual({
      since: new Date(1_688_169_599_000),
      sunset: new Date(sunset),
      successor: 'https://a.test/v2/orders',
    });
  });

  test('each of the three alone', () => {
    expect(read({ sunset })).toEqual({ ...nothing, sunset: new Date(sunset) });
    expect(read({ link: '</v2/x>; rel=Successor-Version' })).toEqual({ ...nothing, successor: '/v2/x' });
    for (const deprecation of ['true', '1688169599', '@', '@-1', sunset])
      expect(read({ deprecation, sunset: 'soon', link: '<' })).toEqual(nothing);
  });

  test.each([{}, { sunset: 'soon' }, { link: '<a>; rel="next"' }])('nothing in %j', (fields) => {
    expect(read(fields)).toBeUndefined();
  });
});
