import { endpoint, family } from 'restkin';
import { type Diagnosis, diagnose } from 'restkin/doctor';
import * as presets from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Family, ListForm, Place, WholeFamily } from '../../../src/families/family.ts';
import { describePlace } from '../../../src/families/list-form.ts';
import { readFamily } from '../../../src/families/read-family.ts';
import { isObject } from '../../../src/options.ts';
import { type Break, breakServer, findingOf, login, type Reply, reach, type Seen } from './server.ts';

const headers = { 'x-api-key': 'k-12345678' };

/** A library of a family, with each part of a query that it has a name for. */
const declareLibrary = (given: Family, hasTotals: boolean) => {
  const { resource, expandable, collection, defineApi } = family(given);
  const { sort, fields, expand } = readFamily(given).query;
  const Author = resource({ name: z.string(), city: z.string() });
  const Book = resource({ title: z.string(), pages: z.int(), author: expandable(Author) });
  const books = collection('books', Book, {
    ...(sort !== undefined && { sort: ['id', 'title', 'pages'] }),
    ...(fields !== undefined && { fields: true }),
    ...(expand !== undefined && { expand: ['author'] }),
    paging: { defaultPerPage: 9, maxPerPage: 20, totals: hasTotals },
  } as object);
  const authors = collection('authors', Author, { paging: true });
  const endpoints = { status: endpoint('GET', 'status') };
  return defineApi({
    name: 'library',
    version: 1,
    auth: 'custom',
    collections: { books, authors },
    endpoints,
  });
};

const authors = ['Ada', 'Bo', 'Cy'].map((name, index) => ({ id: index + 1, name, city: 'Oslo' }));
const books = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  title: `Title ${(index * 7) % 20}`,
  pages: 100 + ((index * 11) % 20),
  author: { id: (index % 3) + 1 },
}));

type Book = (typeof books)[number];

const examine = (
  given: Family,
  change: Break = (seen, next) => next(seen),
  hasTotals = true,
  rows = books,
): Promise<Diagnosis> => {
  const api = declareLibrary(given, hasTotals);
  const mock = createMock(api, { data: { books: rows, authors } as never });
  const { fetch } = reach(breakServer(mock.respond, change));
  return diagnose(api, { baseUrl: 'https://api.test', headers, fetch, allowWrites: true });
};

const isList = ({ method, url }: Seen): boolean => method === 'GET' && /\/books\/?$/.test(url.pathname);

/** A body with another value at a dotted path; without one, where it is undefined. */
const withValue = (body: unknown, path: string, value: unknown): unknown => {
  if (path === '') return value;
  const [name = '', ...more] = path.split('.');
  const object = isObject(body) ? body : {};
  return { ...object, [name]: withValue(object[name], more.join('.'), value) };
};

const withPlace = (reply: Reply, place: Place, value: number | undefined): Reply => {
  if ('body' in place)
    return { ...reply, body: JSON.stringify(withValue(JSON.parse(reply.body), place.body, value)) };
  const fields = new Headers(reply.headers);
  if (value === undefined) fields.delete(place.header);
  else fields.set(place.header, String(value));
  return { ...reply, headers: fields };
};

/** The parts of a query that have a name, with their rules, and what precedes that name in a finding. */
const shownIn = ({ query, unexpanded }: WholeFamily) =>
  (
    [
      ['perPage', '§4.4 perPage', 'records with'],
      ['sort', '§4.4 sort', 'the order of'],
      ['fields', '§4.4 fields', 'with'],
      ['expand', '§4.4 expand', 'with'],
    ] as const
  ).filter(([part]) => query[part] !== undefined && (part !== 'expand' || unexpanded === 'reference'));

const failedIn = ({ findings }: Diagnosis) => findings.filter(({ outcome }) => outcome === 'fail');
const families: readonly (readonly [string, Family])[] = Object.entries(presets);

describe.each(families)('a server of the family %s', (_, given) => {
  const whole = readFamily(given);
  const { totalCount, items = '' }: ListForm = whole.list;

  test('that is right has no failure', async () => {
    const diagnosis = await examine(given);
    expect(failedIn(diagnosis)).toEqual([]);
    expect(diagnosis).toMatchObject({ isOfFamily: true, works: true, leftBehind: [] });
    const rules = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `§4.2 ${method}`);
    for (const rule of [...rules, '§4.4 page', '§4.4 perPage', '§7.2.3'])
      expect(findingOf(diagnosis, rule, 'books')).toMatchObject({ outcome: 'pass' });
  });

  test('that withholds the records after the second page', async () => {
    const diagnosis = await examine(given, async (seen, next) => {
      const reply = await next(seen);
      const page = Number(seen.url.searchParams.get(whole.query.page ?? ''));
      if (!isList(seen) || page - whole.firstPage < 2) return reply;
      return { ...reply, body: JSON.stringify(withValue(JSON.parse(reply.body), items, [])) };
    });
    expect(failedIn(diagnosis)).toContainEqual(
      expect.objectContaining({ rule: expect.stringMatching(/^§4.5/), where: 'books', isFatal: true }),
    );
  });

  test.runIf(totalCount)('whose total is too large, or missing', async () => {
    const change = (total: number | undefined) =>
      examine(given, async (seen, next) => {
        const reply = await next(seen);
        return isList(seen) ? withPlace(reply, totalCount as Place, total) : reply;
      });
    const large = findingOf(await change(23), '§4.5 X-Pagination-Total-Count', 'books');
    const name = describePlace(totalCount as Place);
    expect(large).toMatchObject({ outcome: 'fail', isFatal: true, found: `${name}: 23` });
    const optional = totalCount?.optional === true;
    const missing = findingOf(await change(undefined), '§4.5.1', 'books');
    expect(missing?.outcome).toBe(optional ? 'pass' : 'fail');
  });

  test('that has no totals, as declared', async () => {
    const failed = failedIn(await examine(given, undefined, false));
    // Numbers alone do not say where such a list ends, so that the client cannot read it.
    const rules = whole.list.next === 'number' ? ['§4.5.1'] : [];
    expect(failed.filter(({ where }) => where === 'books').map(({ rule }) => rule)).toEqual(rules);
  });

  test('that responds to POST with another status', async () => {
    const diagnosis = await examine(given, async (seen, next) => {
      const reply = await next(seen);
      return seen.method === 'POST' && reply.status < 300 ? { ...reply, status: 203 } : reply;
    });
    expect(findingOf(diagnosis, '§4.2 POST', 'books')).toMatchObject({
      outcome: 'fail',
      expected: `${whole.created.join(' or ')} or 202`,
      found: '203',
      isFatal: true,
    });
    expect(diagnosis.leftBehind).toEqual([]);
  });

  test.runIf(whole.written === 'resource')('that responds to PATCH without the resource', async () => {
    const diagnosis = await examine(given, async (seen, next) => {
      const reply = await next(seen);
      return seen.method === 'PATCH' ? { ...reply, status: 204, body: '' } : reply;
    });
    expect(findingOf(diagnosis, '§4.2 PATCH', 'books')).toMatchObject({
      expected: '200 with the resource or 202',
      found: '204',
      isFatal: true,
    });
  });

  const { statuses } = whole.invalid;
  const [refused] = statuses;
  const expected = statuses.join(' or ');

  test('that takes a body without its required fields', async () => {
    let whole = '';
    const diagnosis = await examine(given, async (seen, next) => {
      const reply = await next(seen);
      if (seen.method !== 'POST') return reply;
      whole ||= seen.body;
      const body = JSON.stringify({ ...JSON.parse(whole), ...JSON.parse(seen.body) });
      return reply.status === refused ? next({ ...seen, body }) : reply;
    });
    const finding = findingOf(diagnosis, '§7.2.3', 'books');
    expect(finding).toMatchObject({ outcome: 'fail', found: expect.stringMatching(/^20[01]$/) });
    expect(finding).toHaveProperty(
      'expected',
      expect.stringMatching(`^${expected} for a body without pages`),
    );
  });

  test('that refuses such a body with another status', async () => {
    const diagnosis = await examine(given, async (seen, next) => {
      const reply = await next(seen);
      return reply.status === refused ? { ...reply, status: 409 } : reply;
    });
    expect(findingOf(diagnosis, '§7.2.1', 'library')).toMatchObject({
      outcome: 'fail',
      expected: `${expected} for invalid input`,
      found: '409',
    });
  });

  test('that refuses the copy of a resource', async () => {
    const diagnosis = await examine(given, async (seen, next) => {
      const reply = await next(seen);
      return seen.method === 'POST' ? { ...reply, status: refused, body: '{"error":"no"}' } : reply;
    });
    expect(findingOf(diagnosis, '§4.2 POST', 'books')).toMatchObject({
      outcome: 'cannotTell',
      reason: expect.stringContaining(`a copy of a resource got ${refused};`),
    });
  });

  test('that refuses its lists and an endpoint', async () => {
    const diagnosis = await examine(given, async (seen, next) =>
      seen.method === 'GET'
        ? { status: refused ?? 0, headers: new Headers(), body: '{"error":"no"}' }
        : next(seen),
    );
    const reason = expect.stringMatching(new RegExp(`books[^ ]* got ${refused}$`));
    expect(findingOf(diagnosis, '§4.2 bare arrays', 'books')).toMatchObject({
      outcome: 'cannotTell',
      reason,
    });
    const ofEndpoint = findingOf(diagnosis, '§2.1 specific fields', 'status');
    expect(ofEndpoint).toMatchObject({ outcome: 'fail', found: `${refused}` });
  });

  test.runIf(whole.query.sort !== undefined)('that refuses to sort', async () => {
    const diagnosis = await examine(given, async (seen, next) => {
      const reply = await next(seen);
      const isSorted = seen.url.searchParams.has(whole.query.sort ?? '');
      return isSorted ? { ...reply, status: refused, body: '{"error":"no"}' } : reply;
    });
    expect(findingOf(diagnosis, '§4.4 sort', 'books')).toMatchObject({
      outcome: 'fail',
      expected: expect.stringContaining(`200 with \`${whole.query.sort}=`),
      found: `${refused}`,
    });
  });

  test.each(shownIn(whole))('that ignores %s, whose name a finding has', async (part, rule, before) => {
    const name = whole.query[part] ?? '';
    const diagnosis = await examine(given, async (seen, next) => {
      seen.url.searchParams.delete(name);
      return next(seen);
    });
    const finding = findingOf(diagnosis, rule, 'books');
    expect(finding).toMatchObject({ outcome: 'fail', expected: expect.stringContaining(`${before} \``) });
    // A family may have more in each query, such as the number of the page.
    expect(finding).toHaveProperty('expected', expect.stringContaining(`${name}=`));
  });

  test('that does not name the invalid fields', async () => {
    const diagnosis = await examine(given, async (seen, next) => {
      const reply = await next(seen);
      return reply.status === whole.invalid.statuses[0] ? { ...reply, body: '{"error":"no"}' } : reply;
    });
    expect(findingOf(diagnosis, '§7.2.3', 'books')).toMatchObject({ outcome: 'fail', found: 'no `errors`' });
  });
});

test('a server that sorts by one field is not asked to sort by two', async () => {
  const api = declareLibrary(presets.github, true);
  // Several have the same title.
  const tied = books.map((book, index) => ({ ...book, title: `Title ${index % 4}` }));
  const { fetch } = createMock(api, { data: { books: tied, authors } as never });
  const diagnosis = await diagnose(api, { baseUrl: 'https://api.test', headers, fetch });
  expect(findingOf(diagnosis, '§4.4 sort', 'books')).toMatchObject({ outcome: 'pass' });
});

describe('a server that counts its pages from another number than its family says', () => {
  const numbered = {
    path: '',
    query: { page: 'page', perPage: 'limit' },
    list: { items: 'items', next: 'number', totalCount: { body: 'total' } },
    identity: ['id'],
  } as const satisfies Family;

  test.each([
    [0, 1],
    [1, 0],
  ] as const)('from %i, and not from %i', async (served, declared) => {
    const api = declareLibrary({ ...numbered, firstPage: served }, true);
    const mock = createMock(api, { data: { books, authors } as never });
    // A page 0 that the server does not have is an empty one.
    const fetch: typeof mock.fetch = (url, init) =>
      mock.fetch(served === 1 ? String(url).replace('page=0', 'page=999') : url, init);
    const examined = declareLibrary({ ...numbered, firstPage: declared }, true);
    const diagnosis = await diagnose(examined, { baseUrl: 'https://api.test', headers, fetch });
    const finding = findingOf(diagnosis, '§4.4 page', 'books');
    expect(finding).toMatchObject({ outcome: 'fail', isFatal: true });
    expect(JSON.stringify(finding)).toContain('firstPage');
    expect(diagnosis.works).toBe(false);
  });
});

describe('a family that has its total where the server has the number of records of a page', () => {
  const counted = {
    path: '',
    query: { page: 'page', perPage: 'limit' },
    list: { items: 'data', next: 'number', totalCount: { body: 'meta.itemCount' } },
    identity: ['id'],
  } as const satisfies Family;
  const rowsOf = (length: number) =>
    Array.from({ length }, (_, index) => ({ ...(books[index % books.length] as Book), id: index + 1 }));

  const change: Break = async (seen, next) => {
    seen.url.searchParams.delete('unknownToServer');
    const reply = await next(seen);
    if (!isList(seen)) return reply;
    const { data } = JSON.parse(reply.body) as { readonly data: readonly unknown[] };
    return withPlace(reply, counted.list.totalCount, data.length);
  };
  const total = '`meta.itemCount` of the body';

  test.each([
    [20, counted.query, 3],
    [45, counted.query, 3],
    [45, { page: 'page' }, 9],
    [45, { page: 'page', perPage: 'unknownToServer' }, 9],
  ])('a list of %i records ends early, with %o', async (length, query, found) => {
    const diagnosis = await examine({ ...counted, query }, change, true, rowsOf(length));
    expect(diagnosis.works).toBe(false);
    expect(findingOf(diagnosis, '§4.5 X-Pagination-Total-Count', 'books')).toMatchObject({
      outcome: 'fail',
      isFatal: true,
      expected: `${total}: more than ${found}, as page 2 has records`,
      found: `${total}: ${found}, where the list ends; correct list.totalCount of family(), or leave it out and declare list.next: 'untilEmpty' if a page behind the last one is empty`,
    });
  });

  test('a list ends early at the number of the page in place of the number of pages', async () => {
    const totalPages = { body: 'meta.page' };
    const list = { items: 'data', next: 'number', totalPages } as const;
    const ofPage: Break = async (seen, next) => {
      const reply = await next(seen);
      return isList(seen)
        ? withPlace(reply, totalPages, Number(seen.url.searchParams.get('page') ?? 1))
        : reply;
    };
    const diagnosis = await examine({ ...counted, list }, ofPage, true, rowsOf(45));
    expect(findingOf(diagnosis, '§4.5 X-Pagination-Total-Pages', 'books')).toMatchObject({
      outcome: 'fail',
      isFatal: true,
      expected: '`meta.page` of the body: more than 1, as page 2 has records',
      found: expect.stringContaining('correct list.totalPages of family()'),
    });
  });

  test('a list that its number of pages continues is whole', async () => {
    const list = { ...counted.list, totalPages: { body: 'meta.pages' } };
    const diagnosis = await examine({ ...counted, list }, change, true, rowsOf(45));
    expect(diagnosis.works).toBe(true);
    expect(findingOf(diagnosis, '§4.5 X-Pagination-Total-Count', 'books')).toMatchObject({
      outcome: 'fail',
      isFatal: false,
      found: `${total}: 3; correct list.totalCount of family(), or leave it out`,
    });
  });

  test.each([
    [2, counted.query],
    [3, counted.query],
    [45, counted.query],
    [3, { page: 'page' }],
    [45, { page: 'page' }],
  ])('a list that has %i records in total is right, with %o', async (length, query) => {
    const diagnosis = await examine({ ...counted, query }, undefined, true, rowsOf(length));
    expect(failedIn(diagnosis)).toEqual([]);
    expect(diagnosis.works).toBe(true);
  });
});

test('a finding shows the request that was sent, and no credential', async () => {
  const diagnosis = await examine(presets.github, async (seen, next) => {
    const reply = await next(seen);
    return seen.url.searchParams.get('page') === '2' ? { ...reply, body: '[]' } : reply;
  });
  const finding = findingOf(diagnosis, '§4.4 page', 'books');
  expect(finding).toMatchObject({ outcome: 'fail' });
  expect(JSON.stringify(finding)).toContain('GET https://api.test/books?page=2&per_page=3');
  expect(JSON.stringify(diagnosis)).not.toContain(headers['x-api-key']);
});

describe.each([
  ['a link', { ...presets.github, query: {} }],
  ['a number', { ...presets.laravel, query: { page: 'page' } }],
  ['an offset', { path: '', query: {}, list: { items: 'data', next: { offset: 'skip' } }, identity: ['id'] }],
] satisfies [string, Family][])(
  'a server of a family without a name for sizes, whose lists %s continues',
  (_, given) => {
    test('that is right has no failure', async () => {
      const diagnosis = await examine(given);
      expect(failedIn(diagnosis)).toEqual([]);
      expect(diagnosis).toMatchObject({ isOfFamily: true, works: true, leftBehind: [] });
    });

    test.runIf(readFamily(given).list.next !== 'number')('that gives page 1 for each page', async () => {
      const diagnosis = await examine(given, async (seen, next) => {
        if (isList(seen)) for (const name of ['cursor', 'skip']) seen.url.searchParams.delete(name);
        return next(seen);
      });
      const rule = '§4.5 Link';
      expect(failedIn(diagnosis)).toContainEqual(
        expect.objectContaining({ rule, where: 'books', isFatal: true }),
      );
    });
  },
);

test('a server of a family may have any tokens of OAuth (RFC 6749)', async () => {
  const { resource, collection, defineApi } = family(presets.github);
  const books = collection('books', resource({ title: z.string() }), { paging: true });
  const api = defineApi({ name: 'library', auth: 'token', collections: { books } });
  const mock = createMock(api, { data: { books: [{ title: 'a' }] }, users: [login] });
  let token = '';
  const respond = breakServer(mock.respond, async (seen, next) => {
    const isOfTokens = seen.url.pathname.endsWith('/auth/token');
    if (!isOfTokens && seen.headers.get('authorization') === 'Bearer opaque')
      seen.headers.set('authorization', `Bearer ${token}`);
    const reply = await next(seen);
    if (isOfTokens && reply.status === 401)
      return { ...reply, status: 400, body: '{"error":"invalid_grant"}' };
    if (!isOfTokens || reply.status !== 200) return reply;
    token = JSON.parse(reply.body).access_token;
    const body = { access_token: 'opaque', token_type: 'Bearer', expires_in: 3_600 };
    return { ...reply, body: JSON.stringify(body) };
  });
  const diagnosis = await diagnose(api, reach(respond));
  expect(failedIn(diagnosis)).toEqual([]);
  expect(diagnosis.works).toBe(true);
});

test.each<[string, ListForm['items'], unknown, string]>([
  [
    'another place than the declared one',
    'rows',
    { items: books },
    'no list at `rows`, where the family of the API has it, and one at `items`: correct list.items of family()',
  ],
  [
    'a place below another name',
    'rows',
    { data: { items: books } },
    'no list at `rows`, where the family of the API has it, and one at `data.items`: correct list.items of family()',
  ],
  [
    'the body itself',
    'rows',
    books,
    'no list at `rows`, where the family of the API has it: the response is the list itself; correct list.items of family(), or declare pageRequired',
  ],
  [
    'a place that is not declared',
    undefined,
    { items: books },
    "an object with the list at `items`: declare family({ list: { items: 'items' } })",
  ],
])('a list that is in %s is an error of the declaration, not of the URL', async (_, items, body, found) => {
  const list = { ...(items !== undefined && { items }), next: 'link' } as const;
  const api = declareLibrary({ name: 'wrapped', path: '', list }, false);
  const fetch = async () => Response.json(body);
  const diagnosis = await diagnose(api, { baseUrl: 'https://api.test', headers, fetch });
  const [first] = failedIn(diagnosis);
  expect(diagnosis).toMatchObject({ isOfFamily: true, works: false });
  expect(first).toMatchObject({ rule: '§4.2 bare arrays', isFatal: true, found });
});

test('an object without records is no response of the API', async () => {
  const api = declareLibrary({ name: 'wrapped', path: '', list: { items: 'rows', next: 'link' } }, false);
  const fetch = async () => Response.json({ status: 'up', errors: [] });
  const { isOfFamily, server } = await diagnose(api, { baseUrl: 'https://api.test', headers, fetch });
  expect({ isOfFamily, server }).toEqual({
    isOfFamily: false,
    server: expect.stringContaining('check the base URL'),
  });
});

test.each(['', '2026-01-01 10:00:00', '2026-01-01T10:00:00+0200', 'soon'])(
  'a time that the declaration does not take, %j, is fatal: a family has no rule of times',
  async (at) => {
    const { resource, collection, defineApi } = family({ name: 'timed', path: '', list: { next: 'link' } });
    const Visit = resource({ at: z.iso.datetime({ offset: true }) });
    const visits = collection('visits', Visit, { paging: true });
    const api = defineApi({ name: 'visits', auth: 'custom', collections: { visits } });
    const fetch = async () => Response.json([{ id: 1, self: 'https://api.test/visits/1', at }]);
    const diagnosis = await diagnose(api, { baseUrl: 'https://api.test', headers, fetch });
    expect(diagnosis.works).toBe(false);
    expect(findingOf(diagnosis, '§2.1 specific fields', 'visits')).toMatchObject({
      isFatal: true,
      found: '`at` of the type string that does not fit (0.at)',
    });
  },
);
