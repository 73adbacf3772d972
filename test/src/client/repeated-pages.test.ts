import { createClient, customAuth, family, type ItemList, PagingError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { json, type Reply, record } from '../../support/recording-server.ts';

// A page with the records of the page before it: others were inserted in front of them meanwhile, or the
// server ignores the page number.

const { resource, collection, defineApi } = family({ path: '', identity: ['id'] });
const books = collection('books', resource({}), { paging: true });
const api = defineApi({ name: 'books', auth: 'custom', collections: { books } });

interface Seen {
  readonly page: number;
  readonly perPage: number;
}

/** A server of these ids for each page, which it links until there are no more. */
const serve = (
  idsAt: (seen: Seen) => readonly number[],
  headersAt: (ids: readonly number[], seen: Seen) => Reply['headers'] = () => ({}),
) =>
  record(({ url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const seen = {
      page: Number(searchParams.get('page') ?? 1),
      perPage: Number(searchParams.get('perPage')),
    };
    const ids = idsAt(seen);
    const { page, perPage } = seen;
    const link = `</books?perPage=${perPage}&page=${page + 1}>; rel="next"`;
    const rows = ids.slice((page - 1) * perPage, page * perPage).map((id) => ({ id }));
    return json(rows, 200, { ...(page * perPage < ids.length && { link }), ...headersAt(ids, seen) });
  });

const listOf = ({ url }: { readonly url: string }, perPage: number) =>
  createClient({ baseUrl: url, auth: customAuth(() => ({})) })
    .api(api)
    .books.list({ perPage, concurrency: 1 });

/** The ids of what is read before the list fails, with the error. */
const readIds = async (list: ItemList<{ readonly id: number }>) => {
  const ids: number[] = [];
  try {
    for await (const { id } of list) ids.push(id);
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error };
  }
};

const six = [6, 5, 4, 3, 2, 1];

describe('records that are inserted between two pages', () => {
  test.each([1, 2, 3])('as many as a page has, %i, are no error without totals', async (perPage) => {
    const inserted = [9, 8, 7].slice(-perPage);
    await using server = await serve(({ page }) => (page === 1 ? six : [...inserted, ...six]));
    expect(await readIds(listOf(server, perPage))).toEqual({ ids: six, error: undefined });
  });

  test('are no error again, on a later page', async () => {
    await using server = await serve(({ page }) => {
      const inserted = page < 2 ? [] : [7];
      return [...(page < 4 ? inserted : [8, 7]), ...six];
    });
    expect(await readIds(listOf(server, 1))).toEqual({ ids: six, error: undefined });
  });

  test.each(['x-pagination-total-count', 'x-pagination-total-pages'])(
    'are no error where %s has grown',
    async (total) => {
      await using server = await serve(
        ({ page }) => (page === 1 ? [2, 1] : [3, 2, 1]),
        (ids) => ({ [total]: String(ids.length) }),
      );
      expect(await readIds(listOf(server, 1))).toEqual({ ids: [2, 1], error: undefined });
    },
  );
});

describe('a server that ignores the page number', () => {
  const ignoring = (size: number) => () => Array.from({ length: size * 9 }, (_, index) => (index % size) + 1);

  test.each([1, 3])('is an error without totals after one page more (%i records)', async (size) => {
    await using server = await serve(ignoring(size));
    const { ids, error } = await readIds(listOf(server, size));
    expect(ids).toEqual(Array.from({ length: size }, (_, index) => index + 1));
    expect(error).toBeInstanceOf(PagingError);
    expect(String(error)).toContain(
      'the same records as the page before it: the server ignores the page number',
    );
    expect(server.requests).toHaveLength(3);
  });

  test.each(['x-pagination-total-count', 'x-pagination-total-pages'])(
    'is an error at once where %s is as before',
    async (total) => {
      await using server = await serve(ignoring(1), () => ({ [total]: '9' }));
      const { error } = await readIds(listOf(server, 1));
      expect(error).toBeInstanceOf(PagingError);
      // As many may have been deleted behind it.
      expect(String(error)).toContain('or as many records were inserted before it');
      expect(server.requests).toHaveLength(2);
    },
  );

  test('is an error at once where no page follows, and the error says what else it may be', async () => {
    await using server = await serve(({ page }) => (page === 1 ? [1, 2] : [1, 1]));
    const { ids, error } = await readIds(listOf(server, 1));
    expect(ids).toEqual([1]);
    expect(String(error)).toContain('or as many records were inserted before it');
  });
});
