import { describe, expect, test } from 'vitest';
import { isAccepted, isJson, parseMediaType } from '../../../src/headers/media-type.ts';

test.each([
  [null, ''],
  ['', ''],
  [';', ''],
  ['application/json', 'application/json'],
  [' Application/JSON ; charset=utf-8; a="b;c"', 'application/json'],
])('parseMediaType(%j)', (value, expected) => {
  expect(parseMediaType(value)).toBe(expected);
});

test.each(['application/json', 'text/json', 'application/problem+json', 'application/vnd.x.v1+json'])(
  '%s is JSON',
  (type) => {
    expect(isJson(type)).toBe(true);
  },
);

test.each([
  '',
  'json',
  'application/jsonp',
  'application/+json',
  'text/html',
  'a/b/json',
  'application/json5',
])('%j is not JSON', (type) => {
  expect(isJson(type)).toBe(false);
});

describe('isAccepted', () => {
  test.each([
    ['text/csv', 'text/csv'],
    ['text/csv', 'application/json, text/csv;q=0.5'],
    ['text/csv', 'TEXT/*'],
    ['text/csv', '*/*'],
  ])('%s by %s', (type, accept) => {
    expect(isAccepted(type, accept)).toBe(true);
  });

  test.each([
    ['text/csv', 'application/json'],
    ['text/csv', 'text/cs'],
    ['textual/csv', 'text/*'],
    ['text/csv', ''],
  ])('not %s by %j', (type, accept) => {
    expect(isAccepted(type, accept)).toBe(false);
  });
});
