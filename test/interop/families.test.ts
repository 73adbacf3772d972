import { createClient, customAuth, family, isValidationError, NotFoundError } from 'restkin';
import { drf, jsonServer, nestjsPaginate, spring } from 'restkin/families';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { runHere } from '../cli/run-here.ts';
import { type StartedServer, startDjango, startJsonServer, startNest, startSpring } from './start-server.ts';

// Servers that others wrote, with 250 books each, declared by a preset alone.

const records = 250;
const everyId = Array.from({ length: records }, (_, index) => index + 1);

const shape = { title: z.string(), pages: z.int(), genre: z.string() };

interface NewBook {
  readonly title: string;
  readonly pages: number;
  readonly genre: string;
}

interface Book extends NewBook {
  readonly id: number;
}

interface Query {
  readonly perPage?: number;
  readonly concurrency?: number;
  readonly sort?: readonly ('id' | '-pages')[];
  readonly from?: string | undefined;
}

/** The collection of a server, as far as all servers have it. */
interface Books {
  list(query?: Query): PromiseLike<{
    readonly items: readonly Book[];
    readonly next: string | undefined;
    readonly totalCount: number | undefined;
  }> & { toArray(): Promise<readonly Book[]> };
  get(id: number): Promise<Book>;
  find(id: number): Promise<Book | undefined>;
  create(body: NewBook): Promise<Book>;
  replace(id: number, body: NewBook): Promise<unknown>;
  update(id: number, body: Partial<NewBook>): Promise<unknown>;
  delete(id: number): Promise<unknown>;
}

interface Server {
  readonly books: Books;
  /** The books of the genre "odd", by a parameter of the server's own. */
  readonly odd: () => Promise<readonly Book[]>;
}

const clientOf = (baseUrl: string) =>
  createClient({ baseUrl, auth: customAuth(() => ({ 'x-api-key': 'k-1234' })), retry: false });

const openDjango = (url: string): Server => {
  const { resource, collection, defineApi } = family(drf);
  const params = z.object({ genre: z.optional(z.string()) });
  const declared = collection('books', resource(shape), { sort: true, paging: { maxPerPage: 100 }, params });
  const api = defineApi({ name: 'django', auth: 'custom', collections: { books: declared } });
  const { books } = clientOf(url).api(api);
  return { books, odd: () => books.list({ params: { genre: 'odd' } }).toArray() };
};

const openJsonServer = (url: string): Server => {
  const { resource, collection, defineApi } = family(jsonServer);
  const params = z.object({ genre: z.optional(z.string()) });
  const declared = collection('books', resource(shape), { sort: true, paging: true, params });
  const api = defineApi({ name: 'json-server', auth: 'custom', collections: { books: declared } });
  const { books } = clientOf(url).api(api);
  return { books, odd: () => books.list({ params: { genre: 'odd' } }).toArray() };
};

const openNest = (url: string): Server => {
  const { resource, collection, defineApi } = family(nestjsPaginate);
  const params = z.object({ 'filter.genre': z.optional(z.string()) });
  const options = { sort: true, fields: true, paging: { maxPerPage: 100 }, params } as const;
  const declared = collection('books', resource(shape), options);
  const api = defineApi({ name: 'nest', auth: 'custom', collections: { books: declared } });
  const { books } = clientOf(url).api(api);
  return { books, odd: () => books.list({ params: { 'filter.genre': 'odd' } }).toArray() };
};

const openSpring = (url: string): Server => {
  const { resource, collection, defineApi } = family(spring);
  const params = z.object({ genre: z.optional(z.string()) });
  const declared = collection('books', resource(shape), { sort: true, paging: true, params });
  const api = defineApi({ name: 'spring', auth: 'custom', collections: { books: declared } });
  const { books } = clientOf(url).api(api);
  return { books, odd: () => books.list({ params: { genre: 'odd' } }).toArray() };
};

const idsOf = (books: readonly Book[]): readonly number[] => books.map(({ id }) => id);

describe.for([
  {
    name: 'Django REST framework',
    preset: 'drf',
    slash: '/',
    start: startDjango,
    open: openDjango,
    checksFields: true,
  },
  {
    name: 'json-server',
    preset: 'jsonServer',
    slash: '',
    start: startJsonServer,
    open: openJsonServer,
    checksFields: false,
  },
  {
    name: 'nestjs-paginate',
    preset: 'nestjsPaginate',
    slash: '',
    start: startNest,
    open: openNest,
    checksFields: true,
  },
  {
    name: 'the form of Spring Data',
    preset: 'spring',
    slash: '',
    start: startSpring,
    open: openSpring,
    checksFields: true,
  },
])('$name', ({ preset, slash, start, open, checksFields }) => {
  let started: StartedServer;
  let server: Server;
  beforeAll(async () => {
    started = await start(records);
    server = open(started.url);
  }, 60_000);
  afterAll(() => started[Symbol.asyncDispose]());

  test('a page has its records, its total and a next page', async () => {
    const page = await server.books.list({ perPage: 10 });
    expect(idsOf(page.items)).toEqual(everyId.slice(0, 10));
    expect(page.totalCount).toBe(records);
    expect(page.next).toContain(preset === 'spring' ? 'page=1' : 'page=2');
  });

  test.for([1, 7, 100].flatMap((perPage) => [1, 8].map((concurrency) => ({ perPage, concurrency }))))(
    'each record is given once with $perPage on a page and $concurrency in flight',
    async (query) => {
      expect(idsOf(await server.books.list(query).toArray())).toEqual(everyId);
    },
  );

  test('a list is sorted by two fields', async () => {
    const all = await server.books.list({ sort: ['-pages', 'id'], perPage: 100 }).toArray();
    const sorted = all.toSorted((one, other) => other.pages - one.pages || one.id - other.id);
    expect(all).toHaveLength(records);
    expect(all).toEqual(sorted);
  });

  test('a list is filtered by a parameter of the server', async () => {
    expect(idsOf(await server.odd())).toEqual(everyId.filter((id) => id % 2 === 1));
  });

  test('restkin recognise names its preset', async () => {
    const { code, stdout, stderr } = await runHere(['recognise', `${started.url}/books${slash}`]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`The nearest preset is ${preset};`)]);
    expect(stdout).toContain(`family(${preset})`);
  });

  test('a list continues from the next of a page', async () => {
    const { next } = await server.books.list({ perPage: 100 });
    expect(idsOf(await server.books.list({ from: next }).toArray())).toEqual(everyId.slice(100));
  });

  test('a book is created, updated, replaced, read and deleted', async () => {
    const { id } = await server.books.create({ title: 'New', pages: 3, genre: 'odd' });
    expect(await server.books.update(id, { pages: 4 })).toEqual({ id, title: 'New', pages: 4, genre: 'odd' });
    const replacement = { title: 'Other', pages: 5, genre: 'even' };
    expect(await server.books.replace(id, replacement)).toEqual({ id, ...replacement });
    expect(await server.books.get(id)).toEqual({ id, ...replacement });
    await server.books.delete(id);
    expect(await server.books.find(id)).toBeUndefined();
  });

  test('a missing book is a NotFoundError, and undefined for find', async () => {
    await expect(server.books.get(9_999)).rejects.toThrow(NotFoundError);
    expect(await server.books.find(9_999)).toBeUndefined();
  });

  test.runIf(checksFields)('an invalid field is in fieldErrors', async () => {
    const error: unknown = await server.books
      .create({ title: '', pages: 1, genre: 'odd' })
      .catch((thrown: unknown) => thrown);
    if (!isValidationError(error)) throw error;
    expect(error.at('title')).toHaveLength(1);
    expect(error.at('genre')).toEqual([]);
  });
});
