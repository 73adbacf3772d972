import { expect, test } from 'vitest';
import { isAcceptable, isJson, parseMediaType } from '../../../src/headers/media-type.ts';

test.each([
  [null, ''],
  [';', ''],
  ['application/json', 'application/json'],
  [' Application/JSON ; charset=utf-8; a="b;c"', 'application/json'],
  ['application/json, application/json;charset=utf-8', 'application/json'],
])('parseMediaType(%j)', (value, expected) => {
  expect(parseMediaType(value)).toBe(expected);
});

test.each([
  ['application/json', true],
  ['text/json', true],
  ['application/problem+json', true],
  ['', false],
  ['application/jsonp', false],
  ['application/+json', false],
  ['a/b/json', false],
])('%j is JSON: %s', (type, expected) => {
  expect(isJson(type)).toBe(expected);
});

test.each([
  ['application/json, text/csv;q=0.5', true],
  ['TEXT/*', true],
  ['*/*', true],
  ['application/json', false],
  ['text/cs', false],
  ['tex/*', false],
  ['', false],
])('text/csv is accepted by %j: %s', (accept, expected) => {
  expect(isAcceptable('text/csv', accept)).toBe(expected);
});
