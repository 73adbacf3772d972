import { createClient, customAuth, family, PagingError, RestkinError } from 'restkin';
import type { Family } from 'restkin/families';
import * as presets from 'restkin/families';
import { createMock, type MockRow } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import fc from '../../support/random.ts';
import { isFullRun } from '../../support/runs.ts';

// The client and the mock of each family: every record of a list once, or an error. Never a silent end.

const timeoutMs = 240_000;
const origin = 'https://api.test';
const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));

interface List {
  readonly records: number;
  readonly perPage: number | undefined;
  readonly most: number;
  readonly totals: boolean;
  /** Whether the client knows the most records that the server gives at once. */
  readonly isMostDeclared: boolean;
  /** The page that the list begins with, in a family of numbered pages. */
  readonly page: number;
  readonly concurrency: number;
  readonly deleted: readonly number[];
}

const anyList: fc.Arbitrary<List> = fc.record({
  records: fc.integer({ min: 0, max: 40 }),
  perPage: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  most: fc.integer({ min: 1, max: 12 }),
  totals: fc.boolean(),
  isMostDeclared: fc.boolean(),
  page: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.integer({ min: 1, max: 6 }),
  deleted: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
});

/** A full page of a lowered size, as long as what would be left behind pages of the requested size. */
const fullAsRest = anyList.map((list) => {
  const { perPage = 5, most, page } = list;
  return { ...list, records: (page - 1) * perPage + most };
});

const lists = fc.oneof(anyList, fullAsRest);

const defaultSizeOf = ({ most }: List): number => Math.min(5, most);

const declare = (declared: Family, list: List, isMostDeclared: boolean) => {
  const { resource, collection, defineApi } = family(declared);
  const { most: maxPerPage, totals } = list;
  const paging = { defaultPerPage: defaultSizeOf(list), totals, ...(isMostDeclared && { maxPerPage }) };
  const items = collection('items', resource({ name: z.string() }), { paging });
  return defineApi({ name: 'random', version: 1, auth: 'custom', collections: { items } });
};

/** Reads a list of which records are deleted while its pages arrive. */
const readList = async (declared: Family, list: List) => {
  const { clampsSize = false, query } = declared;
  const api = declare(declared, list, clampsSize);
  const rows = Array.from({ length: list.records }, (_, index) => ({ id: index + 1, name: `n${index}` }));
  const mock = createMock(api, { data: { items: rows } });
  const pending = [...list.deleted];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await mock.fetch(input, init);
    const gone = pending.shift();
    if (gone !== undefined)
      mock.state.setRows(
        'items',
        mock.state.rows('items').filter((row: MockRow) => row.id !== gone),
      );
    return response;
  };
  const { items } = createClient({ baseUrl: origin, auth, fetch, retry: false }).api(
    declare(declared, list, list.isMostDeclared),
  );
  const { perPage, most, concurrency, page } = list;
  const isAsked = perPage !== undefined && query?.perPage !== undefined;
  // The client asks for more than the server gives, where the server lowers the size.
  const mayAskMore = clampsSize && !list.isMostDeclared;
  const size = isAsked ? { perPage: mayAskMore ? perPage : Math.min(perPage, most) } : {};
  const start = query?.page === undefined ? {} : { page };
  const first = query?.page === undefined ? 1 : page;
  const before = (first - 1) * Math.min(size.perPage ?? defaultSizeOf(list), most);
  const read: unknown[] = [];
  try {
    for await (const { id } of items.list({ ...size, ...start, concurrency })) read.push(id);
    const stays = mock.state.rows('items').map(({ id }: MockRow) => id);
    return { read, stays: stays.slice(before), error: undefined };
  } catch (error) {
    return { read, stays: [], error };
  }
};

/** Whether something in a response says where the list ends. */
const tellsEnd = ({ list: form = {} }: Family, { totals }: List): boolean => {
  const { next, totalCount, totalPages } = form;
  const isTotalSaid = totals && (totalCount ?? totalPages) !== undefined;
  if (next === 'untilEmpty') return true;
  return next === 'number' ? isTotalSaid : totals;
};

type Next = NonNullable<NonNullable<Family['list']>['next']>;

/** Whether a family asks for its pages by number, and not by a cursor, an offset or an id. */
const isNumbered = (next: Next): boolean =>
  typeof next !== 'object' || !('parameter' in next || 'offset' in next || 'lastId' in next);

const isAfterLast = ({ list: form = {} }: Family): boolean =>
  typeof form.next === 'object' && 'lastId' in form.next;

const checkList = async (declared: Family, list: List): Promise<void> => {
  const { read, stays, error } = await readList(declared, list);
  expect(new Set(read).size).toBe(read.length);
  if (error !== undefined) {
    // A page that begins behind a record which is deleted is refused.
    const isBehindDeleted = isAfterLast(declared) && list.deleted.length > 0;
    expect(error).toBeInstanceOf(isBehindDeleted ? RestkinError : PagingError);
    // Without deletions, only a list whose end nothing tells may fail.
    if (list.deleted.length === 0) expect(tellsEnd(declared, list)).toBe(false);
    return;
  }
  // A record that moves to a page that was read before is missed by every client of numbered pages.
  if (list.deleted.length === 0) expect(read).toEqual(stays);
};

const families: readonly (readonly [string, Family])[] = Object.entries(presets);

describe('a random list gives every record once, or an error', () => {
  test.each(families)(
    '%s',
    async (_, declared) => {
      await fc.assert(
        fc.asyncProperty(lists, (list) => checkList(declared, list)),
        { numRuns: isFullRun ? 2_000 : 50 },
      );
    },
    timeoutMs,
  );

  const place = fc.constantFrom(
    undefined,
    { header: 'X-A' },
    { header: 'X-B' },
    { body: 'page.a' },
    { body: 'page.b' },
  );
  const random: fc.Arbitrary<Family> = fc
    .record({
      path: fc.constantFrom('', 'api', 'api/v{version}'),
      trailingSlash: fc.boolean(),
      clampsSize: fc.boolean(),
      firstPage: fc.constantFrom(0 as const, 1 as const),
      next: fc.constantFrom<Next>(
        'link',
        'number',
        'untilEmpty',
        { body: 'links.next' },
        { body: 'links.next', parameter: 'after' },
        { body: 'links.next', parameter: 'after', more: 'page.more' },
        { more: 'page.more' },
        { offset: 'skip' },
        { lastId: 'after' },
        { lastId: 'after', more: 'page.more' },
      ),
      items: fc.constantFrom('data', 'page.rows'),
      places: fc.tuple(place, place, place, place),
      page: fc.constantFrom('page', 'p', 'page[number]'),
      perPage: fc.constantFrom({ perPage: 'n' }, {}),
    })
    .map(({ next, items, places, page, perPage, ...parts }) => {
      const [totalCount, totalPages, number, size] = [...new Set(places)];
      const given = Object.entries({ totalCount, totalPages, number, size }).filter(([, value]) => value);
      return {
        ...parts,
        query: { ...perPage, ...(isNumbered(next) && { page }) },
        list: { items, next, ...Object.fromEntries(given) },
        identity: ['id'] as const,
      };
    });

  test(
    'of a random family',
    async () => {
      await fc.assert(
        fc.asyncProperty(random, lists, (declared, list) => checkList(declared, list)),
        { numRuns: isFullRun ? 2_000 : 100 },
      );
    },
    timeoutMs,
  );
});
