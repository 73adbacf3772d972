import { describe, expect, test } from 'vitest';
import type { Family } from '../../../src/families/family.ts';
import {
  conventions,
  directus,
  drf,
  github,
  gitlab,
  jsonServer,
  nestjsPaginate,
  spring,
  wordpress,
  yii2,
} from '../../../src/families/presets.ts';
import type { QueryParts } from '../../../src/families/query.ts';
import { readFamily } from '../../../src/families/read-family.ts';
import { createWire } from '../../../src/families/wire.ts';

const written = (family: Family, query: QueryParts, isList = true): string =>
  createWire(readFamily(family))
    .formatQuery(query, isList)
    .map((parameter) => parameter.join('='))
    .join('&');

describe('a query in the names of a family', () => {
  const query = { sort: ['-a'], fields: ['id', 'a'], expand: ['company'], page: 2, perPage: 5 };

  test.each([
    ['the conventions', conventions, 'sort=-a&fields=id,a&expand=company&page=2&perPage=5'],
    ['Yii2', yii2, 'sort=-a&fields=id,a&expand=company&page=2&per-page=5'],
    ['GitHub', github, 'sort=a&direction=desc&page=2&per_page=5'],
    ['GitLab', gitlab, 'order_by=a&sort=desc&page=2&per_page=5'],
    ['WordPress', wordpress, 'orderby=a&order=desc&_fields=id,a&page=2&per_page=5'],
    ['json-server', jsonServer, '_sort=a&_order=desc&_expand=company&_page=2&_limit=5'],
    ['Django REST framework', drf, 'ordering=-a&page=2&page_size=5'],
    ['Spring Data', spring, 'sort=a,desc&page=1&size=5'],
    ['nestjs-paginate', nestjsPaginate, 'sortBy=a:DESC&select=id,a&page=2&limit=5'],
    ['Directus', directus, 'sort=-a&fields=id,a&page=2&limit=5&meta=filter_count'],
  ])('%s', (_, family, expected) => {
    expect(written(family, query)).toBe(expected);
  });

  test('several fields to sort by are repeated parameters where a value has a comma', () => {
    expect(written(spring, { sort: ['-a', 'b'] })).toBe('sort=a,desc&sort=b,asc');
    expect(written(nestjsPaginate, { sort: ['-a', 'b'] })).toBe('sortBy=a:DESC&sortBy=b:ASC');
  });

  test.each([
    ['field desc', 'sort=a desc,b asc'],
    ['field DESC', 'sort=a DESC,b ASC'],
    ['field:desc', 'sort=a:desc,b:asc'],
  ] as const)('a direction stands behind each field: %s', (sortAs, expected) => {
    expect(written({ sortAs }, { sort: ['-a', 'b'] })).toBe(expected);
  });

  test('a second parameter for the direction is repeated with the first', () => {
    const family: Family = { sortAs: { direction: 'order', many: true }, repeated: ['sort'] };
    expect(written(family, { sort: ['-a', 'b'] })).toBe('sort=a&sort=b&order=desc&order=asc');
  });

  test('a direction in upper case behind a comma is repeated too, as in @dataui/crud', () => {
    const crud: Family = { sortAs: 'field,DESC', repeated: ['sort'] };
    expect(written(crud, { sort: ['-a', 'b'] })).toBe('sort=a,DESC&sort=b,ASC');
  });

  test('several fields to sort by have as many directions in the second parameter', () => {
    expect(written(jsonServer, { sort: ['-a', 'b'], page: 1 })).toBe('_sort=a,b&_order=desc,asc&_page=1');
  });

  test('a second field to sort by is refused where the server takes one', () => {
    expect(() => written(github, { sort: ['-a', 'b'] })).toThrow(
      'sort: a server of the family "github" sorts by one field; name one',
    );
  });

  test('a list of a server that pages only on request asks for its first page', () => {
    expect(written(jsonServer, {})).toBe('_page=1');
    expect(written(jsonServer, {}, false)).toBe('');
  });

  test('an empty list of names is not sent', () => {
    expect(written(yii2, { sort: [], fields: [], expand: [] })).toBe('');
  });
});
