import { createClient, customAuth } from 'restkin';
import { serve } from 'restkin/mocks';
import { expect, onTestFinished, test } from 'vitest';
import { apisOf } from '../support/import-document.ts';
import { everyId, pageIn } from './recognise-server.ts';
import { runHere } from './run-here.ts';

interface Posts {
  list(): { toArray(): Promise<readonly { readonly id: number }[]> };
  get(id: number): Promise<{ readonly title: string }>;
}

/** Recognises a server that redirects every path with another end, and reads it with what is printed. */
const readRecognised = async (isRight: (path: string) => boolean) => {
  const server = await serve({
    respond: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (!isRight(pathname)) return new Response(null, { status: 307, headers: { location: '/other' } });
      const [, id] = /\/(\d+)\/?$/.exec(pathname) ?? [];
      const { page, size, pages, rows } = pageIn(searchParams, 'page', 'size');
      const list = { items: rows, total: everyId.length, page, size, pages };
      return Response.json(id === undefined ? list : { id: Number(id), title: `Title ${id}` });
    },
  });
  onTestFinished(() => server.close());
  const { stdout } = await runHere(['recognise', `${server.url}/posts/`]);
  const declarations = stdout.replaceAll(/^import .*\n/gm, '');
  const [api] = apisOf({ imports: '', declarations, summary: '', unfit: [] });
  const client = createClient({ baseUrl: server.url, auth: customAuth(() => ({})), retry: false });
  const { posts } = client.api(api as never) as unknown as { readonly posts: Posts };
  const read = await posts.list().toArray();
  return { stdout, ids: read.map(({ id }) => id), title: (await posts.get(2)).title };
};

const whole = { ids: everyId, title: 'Title 2' };

test('a list whose path ends with a slash beside records without one is declared so, as in FastAPI', async () => {
  const read = await readRecognised((path) => /\/posts\/$|\/posts\/\d+$/.test(path));
  expect(read).toMatchObject(whole);
  expect(read.stdout).toContain('{ paging: true, trailingSlash: true }');
});

test('a slash at the end of both is that of the family', async () => {
  const read = await readRecognised((path) => path.endsWith('/'));
  expect(read).toMatchObject(whole);
  expect(read.stdout).toContain('{ paging: true }');
});
