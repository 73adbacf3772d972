import { createClient, customAuth, PagingError } from 'restkin';
import { serve } from 'restkin/mocks';
import { expect, onTestFinished, test } from 'vitest';
import { apisOf } from '../support/import-document.ts';
import { runHere } from './run-here.ts';

// The forms of lists that servers of others were seen to send, each read with the declaration that is printed.

const posts = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Title ${id}` }));

type Query = URLSearchParams;

/** Recognises a server, and gives what is printed with a client of the declaration. */
const recogniseServer = async (respond: (query: Query, url: string) => unknown, query = '') => {
  const server = await serve({
    respond: async (request) => {
      const { pathname, searchParams, origin } = new URL(request.url);
      const [, id] = /\/(\d+)\/?$/.exec(pathname) ?? [];
      const body = id === undefined ? respond(searchParams, `${origin}${pathname}`) : posts[Number(id) - 1];
      return body instanceof Response ? body : Response.json(body);
    },
  });
  onTestFinished(() => server.close());
  const { code, stdout, stderr } = await runHere(['recognise', `${server.url}/posts${query}`]);
  expect(code).toBe(0);
  const declarations = stdout.replaceAll(/^import .*\n/gm, '');
  const [api] = apisOf({ imports: '', declarations, summary: '', unfit: [] });
  if (api === undefined) throw new Error(stdout);
  const client = createClient({ baseUrl: server.url, auth: customAuth(() => ({})), retry: false }).api(api);
  const collections = client as unknown as Readonly<
    Record<string, { list(): { toArray(): Promise<readonly { readonly id: number }[]> } }>
  >;
  const readIds = async () => {
    const read = await collections.posts?.list().toArray();
    return read?.map(({ id }) => id);
  };
  return { stdout, stderr, readIds };
};

const everyId = [1, 2, 3, 4, 5];

const sliceFrom = (start: number, size: number) => posts.slice(start, start + size);

test('a bare array without a sign of pages is refused after its first page, not ended', async () => {
  // As Sails blueprints and LoopBack respond.
  const { stdout, stderr, readIds } = await recogniseServer(() => sliceFrom(0, 2));
  expect(stdout).toContain("list: { next: 'number' },");
  expect(stderr).toContain('Find out whether the server takes `page` and can send a total');
  await expect(readIds()).rejects.toThrow(PagingError);
});

test.each([
  ['Sails', '?skip=0&limit=2'],
  ['LoopBack', '?filter[skip]=0&filter[limit]=2'],
  ['LoopBack, in JSON', `?filter=${encodeURIComponent('{"skip":0,"limit":2}')}`],
])('the URL shows that a server pages by offset: %s', async (_, query) => {
  const { stdout, stderr, readIds } = await recogniseServer(() => sliceFrom(0, 2), query);
  expect(stdout).toContain("next: 'number'");
  expect(stderr).toContain('\nThis server pages by offset, which restkin does not: ');
  expect(stderr).not.toContain('leads to the next one');
  await expect(readIds()).rejects.toThrow(PagingError);
});

test('the body shows that a server pages by offset, and no parameter of a preset filters it', async () => {
  // As Feathers responds, to which any other parameter is a filter.
  const { stdout, stderr, readIds } = await recogniseServer((query) => {
    const data = query.size === 0 ? sliceFrom(0, 2) : [];
    return { total: query.size === 0 ? 5 : 0, limit: 2, skip: 0, data };
  });
  expect(stderr).toContain('\nThis server pages by offset, which restkin does not: ');
  expect(stdout).toContain("list: { items: 'data', next: 'number' }");
  expect(stdout).toContain('listParameters: {}');
  await expect(readIds()).rejects.toThrow(PagingError);
});

test('links that lead on by offset are followed', async () => {
  // As LimitOffsetPagination of Django REST framework responds.
  const { stdout, stderr, readIds } = await recogniseServer((query, url) => {
    const start = Number(query.get('offset') ?? 0);
    const next = start + 2 < posts.length ? `${url}?limit=2&offset=${start + 2}` : null;
    return { count: 5, next, previous: null, results: sliceFrom(start, 2) };
  });
  expect(stdout).toContain("query: { page: 'page', perPage: 'limit', sort: 'ordering' }");
  expect(stderr).toContain('\nThis server pages by offset: restkin follows its next links');
  expect(stderr).not.toContain('whether');
  expect(await readIds()).toEqual(everyId);
});
