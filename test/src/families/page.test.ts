import { describe, expect, test } from 'vitest';
import type { Family } from '../../../src/families/family.ts';
import {
  conventions,
  directus,
  drf,
  github,
  gitlab,
  laravel,
  nestjsPaginate,
  spring,
  wordpress,
  yii2,
} from '../../../src/families/presets.ts';
import { readFamily } from '../../../src/families/read-family.ts';
import { createWire } from '../../../src/families/wire.ts';

const read = (family: Family, body: unknown, headers: Record<string, string> = {}) => {
  const { items, links, numbers, places } = createWire(readFamily(family)).readPage(
    body,
    new Headers(headers),
    'https://api.test/orders?limit=2',
  );
  const problem = places?.missingNext ?? places?.missingNumber ?? '';
  const [, missing] = /the response lacks (.+), which family\(\) names/.exec(problem) ?? [];
  return { items, next: links?.get('next'), ...numbers, missing };
};

const items = [{ id: 1 }, { id: 2 }];
const next = 'https://api.test/orders?page=3';
const none = { number: undefined, size: undefined, totalCount: undefined, totalPages: undefined };

describe('a page as the servers of a family send it', () => {
  test('the conventions', () => {
    const headers = { Link: `<${next}>; rel="next"`, 'X-Pagination-Total-Count': '9' };
    expect(read(conventions, items, headers)).toStrictEqual({
      ...none,
      items,
      next,
      totalCount: 9,
      missing: undefined,
    });
  });

  test('Yii2 has its numbers in headers, and relations without quotes', () => {
    const headers = {
      Link: `<https://api.test/orders?page=2>; rel=self, <${next}>; rel=next`,
      'X-Pagination-Total-Count': '9',
      'X-Pagination-Page-Count': '5',
      'X-Pagination-Current-Page': '2',
      'X-Pagination-Per-Page': '2',
    };
    const numbers = { number: 2, size: 2, totalCount: 9, totalPages: 5 };
    expect(read(yii2, items, headers)).toStrictEqual({ ...numbers, items, next, missing: undefined });
  });

  test('GitHub has links alone', () => {
    const headers = { Link: `<${next}>; rel="next"` };
    expect(read(github, items, headers)).toStrictEqual({ ...none, items, next, missing: undefined });
  });

  test('GitLab may leave its totals out', () => {
    const headers = { Link: `<${next}>; rel="next"`, 'X-Page': '2', 'X-Per-Page': '2' };
    expect(read(gitlab, items, headers)).toStrictEqual({
      ...none,
      items,
      next,
      number: 2,
      size: 2,
      missing: undefined,
    });
  });

  test('Django REST framework has an object with the URL of the next page', () => {
    const body = { count: 9, next, previous: null, results: items };
    expect(read(drf, body)).toStrictEqual({ ...none, items, next, totalCount: 9, missing: undefined });
    expect(read(drf, { ...body, next: null }).next).toBeUndefined();
  });

  test('Laravel is continued by number, because its links lack the query', () => {
    const meta = { current_page: 2, last_page: 5, per_page: 2, total: 9 };
    const body = { data: items, links: { next }, meta };
    const numbers = { number: 2, size: 2, totalCount: 9, totalPages: 5 };
    expect(read(laravel, body)).toStrictEqual({ ...numbers, items, next: undefined, missing: undefined });
  });

  test('Spring Data counts pages from 0', () => {
    const body = { content: items, totalElements: 9, totalPages: 5, number: 1, size: 2 };
    const numbers = { number: 2, size: 2, totalCount: 9, totalPages: 5 };
    expect(read(spring, body)).toStrictEqual({ ...numbers, items, next: undefined, missing: undefined });
  });

  test('nestjs-paginate has its numbers in meta', () => {
    const meta = { totalItems: 9, totalPages: 5, currentPage: 2, itemsPerPage: 2 };
    const numbers = { number: 2, size: 2, totalCount: 9, totalPages: 5 };
    expect(read(nestjsPaginate, { data: items, meta })).toStrictEqual({
      ...numbers,
      items,
      next: undefined,
      missing: undefined,
    });
  });

  test('Directus has one total', () => {
    const body = { data: items, meta: { filter_count: 9 } };
    expect(read(directus, body)).toStrictEqual({
      ...none,
      items,
      next: undefined,
      totalCount: 9,
      missing: undefined,
    });
  });

  test('a declared place that a page lacks is named', () => {
    expect(read(wordpress, items, { 'X-WP-Total': '9' }).missing).toBe('the header X-WP-TotalPages');
    expect(read(drf, { results: items, next: null }).missing).toBe('`count` of the body');
    expect(read(drf, { results: items, count: 9 }).missing).toBe('`next` of the body');
  });

  test.each([2, { href: '/books?page=2' }, true])(
    'a next page that is not a URL is no end of the list: %j',
    (next) => {
      expect(read(drf, { results: items, count: 9, next }).missing).toBe('a URL in `next` of the body');
    },
  );

  test.each([null, '', false])('a value that says that no page follows is the end: %j', (next) => {
    expect(read(drf, { results: items, count: 9, next }).missing).toBeUndefined();
  });

  test.each(['many', '1,234', -1, {}])('a total that is not a number is named: %j', (count) => {
    expect(read(drf, { count, next: null, results: items }).missing).toBe(
      'a number of digits alone in `count` of the body',
    );
  });

  const more = {
    ...drf,
    query: {},
    list: { items: 'results', next: { lastId: 'after', more: 'more' } },
  } as const;
  const orTotals =
    ', make it optional there, or declare a list without totals with paging: { totals: false }';

  test.each<[string, Family, object, string]>([
    ['a missing total', drf, { next: null, results: items }, `correct it${orTotals}`],
    [
      'a total of another form',
      drf,
      { count: -1, next: null, results: items },
      'correct it, or leave it out there',
    ],
    [
      'a missing number',
      laravel,
      { meta: { total: 2, last_page: 1 }, data: items },
      'correct it, or make it optional there',
    ],
    ['a missing next page', drf, { count: 2, results: items }, 'correct it, or make it optional there'],
    ['a next page of another form', drf, { count: 2, next: 2, results: items }, 'correct it there'],
    ['what says whether more follow', more, { results: items }, 'correct it there'],
  ])('a message about %s says what to do', (_what, family, body, advice) => {
    const url = 'https://api.test/orders';
    const { places } = createWire(readFamily(family)).readPage(body, new Headers(), url);
    const message = places?.missingNext ?? places?.missingNumber;
    expect(message?.replace(/.*family\(\) names; /, '')).toBe(advice);
  });

  test('a place that a page may lack has a number, or nothing', () => {
    const missingOf = (total: string) => read(gitlab, items, { 'X-Total': total }).missing;
    expect(missingOf('1,234')).toBe('a number of digits alone in the header X-Total');
    expect(missingOf('')).toBeUndefined();
    const optional = {
      items: 'data',
      next: 'number',
      totalCount: { body: 'total', optional: true },
    } as const;
    expect(read({ list: optional }, { data: items, total: null }).missing).toBeUndefined();
    expect(read({ list: optional }, { data: items, total: 'many' }).missing).toContain('`total` of the body');
  });

  test('an object that cannot be a string is no number, and no sign of a failure', () => {
    const hostile: unknown = JSON.parse('{"toString": null}');
    const list = { items: 'data', next: 'number', totalCount: { body: 'total' } } as const;
    expect(read({ list }, { data: items, total: hostile }).missing).toContain('`total` of the body');
    expect(read({ list }, { total: 0, status: hostile }).items).toStrictEqual([]);
  });

  test('a header that a proxy added a second time is one number', () => {
    const headers = { 'X-WP-Total': '9, 9', 'X-WP-TotalPages': '5,5' };
    expect(read(wordpress, items, headers)).toMatchObject({ totalCount: 9, totalPages: 5 });
  });

  test('a body of another form has no records', () => {
    expect(read(drf, items).items).toBeUndefined();
    expect(read(drf, 'results').items).toBeUndefined();
  });
});
