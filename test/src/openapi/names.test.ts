import { collection, defineApi, resource } from 'restkin';
import { toOpenApi } from 'restkin/openapi';
import { expect, test } from 'vitest';
import { toSingular } from '../../../src/openapi/names.ts';

test.each([
  ['companies', 'company'],
  ['boxes', 'box'],
  ['addresses', 'address'],
  ['batches', 'batch'],
  ['databases', 'database'],
  ['call-plans', 'call-plan'],
  ['statuses', 'status'],
  ['orderStatuses', 'orderStatus'],
  ['caches', 'cache'],
  ['Movies', 'Movie'],
])('%s are several of %s', (plural, singular) => {
  expect(toSingular(plural)).toBe(singular);
});

test.each([
  'status',
  'news',
  'series',
  'people',
  'data',
  'sms',
  'GPS',
  'analysis',
  'buses',
  'houses',
  'canvas',
])('%s is not clearly an English plural, and stays as it is', (name) => {
  expect(toSingular(name)).toBe(name);
});

test('components have names that people would give them', () => {
  const paths = ['statuses', 'news', 'series', 'caches'];
  const collections = Object.fromEntries(paths.map((path) => [path, collection(path, resource({}))]));
  const { components } = toOpenApi(defineApi({ name: 'words', version: 1, auth: 'token', collections }));
  const names = Object.keys(components.schemas).filter((name) => !/^Error|Body$|Update$/.test(name));
  expect(names).toEqual(['Cache', 'News', 'Series', 'Status']);
});
