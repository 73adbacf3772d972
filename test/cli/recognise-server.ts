import { createClient, customAuth } from 'restkin';
import { serve } from 'restkin/mocks';
import { expect, onTestFinished } from 'vitest';
import { apisOf } from '../support/import-document.ts';
import { runHere } from './run-here.ts';

export type Query = URLSearchParams;

/** Records of a server. */
export const posts = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Title ${id}` }));

export const everyId = [1, 2, 3, 4, 5];

export const sliceFrom = (start: number, size: number) => posts.slice(start, start + size);

/** A page of the query, in the names of a server. */
export const pageIn = (query: Query, pageName: string, sizeName: string) => {
  const page = Number(query.get(pageName) ?? 1);
  const size = Number(query.get(sizeName) ?? 2);
  const pages = Math.ceil(posts.length / size);
  return { page, size, pages, rows: sliceFrom((page - 1) * size, size) };
};

interface ListQuery {
  readonly perPage?: number;
  readonly params?: Readonly<Record<string, string>>;
}

/**
 * Recognises a server, and gives what is printed with a client of the declaration.
 *
 * @param respond - makes the response to a request for the list
 * @param wrap - makes the response to a request for one record
 */
export const recogniseServer = async (
  respond: (query: Query, url: string) => unknown,
  query = '',
  wrap: (post: unknown) => unknown = (post) => post,
) => {
  const server = await serve({
    respond: async (request) => {
      const { pathname, searchParams, origin } = new URL(request.url);
      const [, id] = /\/(\d+)\/?$/.exec(pathname) ?? [];
      const body =
        id === undefined ? respond(searchParams, `${origin}${pathname}`) : wrap(posts[Number(id) - 1]);
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
    Record<string, { list(query?: ListQuery): { toArray(): Promise<readonly { readonly id: number }[]> } }>
  >;
  const readIds = async (given?: ListQuery) => {
    const read = await collections.posts?.list(given).toArray();
    return read?.map(({ id }) => id);
  };
  return { stdout, stderr, readIds };
};
