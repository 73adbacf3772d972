import { type ApiDeclaration, createClient, customAuth } from 'restkin';
import { serve } from 'restkin/mocks';
import { expect, onTestFinished, test } from 'vitest';
import { apisOf } from '../support/import-document.ts';
import { runHere } from './run-here.ts';

// Lists of records without an `id`, which no collection can have.

const all = [1, 2, 3, 4, 5].map((number) => ({ code: `a${number}`, title: `Title ${number}` }));

type Read = (call: { readonly query: object }) => Promise<unknown>;

/** Recognises a server that has these pages of open posts, and reads one by what is printed. */
const recognisePosts = async (respond: (query: URLSearchParams) => unknown, path = '/api/posts') => {
  const server = await serve({
    respond: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const isList = pathname === path && searchParams.get('status') === 'open';
      return isList ? Response.json(respond(searchParams)) : Response.json({}, { status: 404 });
    },
  });
  onTestFinished(() => server.close());
  const { code, stdout, stderr } = await runHere(['recognise', `${server.url}${path}?status=open`]);
  expect(code).toBe(0);
  const declarations = stdout.replaceAll(/^import .*\n/gm, '');
  const [api] = apisOf({ imports: '', declarations, summary: '', unfit: [] });
  const client = createClient({ baseUrl: server.url, auth: customAuth(() => ({})), retry: false });
  const { posts } = client.api(api as ApiDeclaration) as unknown as { readonly posts: Read };
  return { stdout, stderr, read: (query: object) => posts({ query: { status: 'open', ...query } }) };
};

const pageIn = (query: URLSearchParams) => {
  const page = Number(query.get('page') ?? 1);
  const limit = Number(query.get('limit') ?? 2);
  return { data: all.slice((page - 1) * limit, page * limit), total: all.length, page, limit };
};

test.each(['/api/posts', '/api/posts/'])(
  'a list of records without an `id` is an endpoint that reads its pages: %s',
  async (path) => {
    const { stdout, stderr, read } = await recognisePosts(pageIn, path);
    expect(stderr).toContain(
      'The list is an endpoint, which reads one page at a time; for a collection, name the field in idField of family()\n',
    );
    expect(stderr.match(/Not known/g)).toHaveLength(1);
    expect(stdout).not.toContain('resource(');
    const second = { data: all.slice(2, 4), total: 5, page: 2, limit: 2 };
    expect(await read({ page: 2, limit: 2 })).toEqual(second);
  },
);

test('it takes the cursor that leads on', async () => {
  const { stdout, read } = await recognisePosts((query) => {
    const start = Number(query.get('cursor') ?? 0);
    const size = Number(query.get('limit') ?? 2);
    const next = start + size < all.length ? String(start + size) : null;
    return { data: all.slice(start, start + size), next_cursor: next };
  });
  expect(stdout).toContain('cursor: z.optional(z.string())');
  expect(await read({ cursor: '2', limit: 2 })).toEqual({ data: all.slice(2, 4), next_cursor: '4' });
});

test('it takes no parameter that had no effect', async () => {
  const { stdout, read } = await recognisePosts(() => ({ data: all }));
  expect(stdout.replace(/\s+/g, ' ')).toContain('query: z.object({ status: z.string() })');
  expect(await read({})).toEqual({ data: all });
});
