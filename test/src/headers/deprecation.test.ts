import { expect, test } from 'vitest';
import { parseDeprecation } from '../../../src/headers/dates.ts';

const sunset = 'Sun, 01 Nov 2026 12:00:00 GMT';

test('RFC 9745, RFC 8594: since when, until when, and the successor', () => {
  const headers = new Headers({
    deprecation: '@1688169599',
    sunset,
    link: '<https://a.test/v2/orders>; rel="successor-version", <b>; rel="next"',
  });
  expect(parseDeprecation(headers)).toEqual({
    since: new Date(1_688_169_599_000),
    sunset: new Date(sunset),
    successor: 'https://a.test/v2/orders',
  });
});

test('a response without the fields and without a successor says nothing', () => {
  expect(parseDeprecation(new Headers({ link: '<a>; rel="latest-version"' }))).toBeUndefined();
});

test('Sunset alone is a deprecation without a date', () => {
  expect(parseDeprecation(new Headers({ sunset }))).toEqual({
    since: undefined,
    sunset: new Date(sunset),
    successor: undefined,
  });
});

test.each(['true', '1688169599', '@', '@-1', '@1.5', '@9999999999999', sunset])(
  'Deprecation: %s has no date that can be read',
  (deprecation) => {
    expect(parseDeprecation(new Headers({ deprecation, sunset: 'soon', link: '<' }))).toEqual({
      since: undefined,
      sunset: undefined,
      successor: undefined,
    });
  },
);

test.each(['?0', 'false', 'False', ' ', ''])('Deprecation: %j says that there is none', (deprecation) => {
  expect(parseDeprecation(new Headers({ deprecation }))).toBeUndefined();
  expect(parseDeprecation(new Headers({ deprecation, sunset }))?.sunset).toEqual(new Date(sunset));
});

test.each(['soon', '?0', '@1688169599', '2026-11-01'])('Sunset: %s alone says nothing', (value) => {
  expect(parseDeprecation(new Headers({ sunset: value }))).toBeUndefined();
});

test('a link to a successor alone is reported as well', () => {
  const headers = new Headers({
    link: '</v2/orders>; rel="successor-version", </v1/orders?page=2>; rel="next"',
  });
  expect(parseDeprecation(headers)).toEqual({ since: undefined, sunset: undefined, successor: '/v2/orders' });
  expect(parseDeprecation(new Headers({ link: '</v1/orders?page=2>; rel="next"' }))).toBeUndefined();
  const inOtherCase = new Headers({ link: '</v2/orders>; rel=Successor-Version' });
  expect(parseDeprecation(inOtherCase)?.successor).toBe('/v2/orders');
});
