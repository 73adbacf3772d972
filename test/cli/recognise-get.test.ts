import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { serve } from 'restkin/mocks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runHere, writeTemporary } from './run-here.ts';

// The last line that recognise prints, which reads the list with the declaration that it wrote.

const ada = { RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace-1815' };

/** Recognises a list, and gives the command that is printed for it. */
const recognise = async (
  path: string,
  {
    options = [],
    env = {},
    name = 'posts.ts',
    rows = [{ id: 1 }, { id: 2 }],
  }: {
    readonly options?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly name?: string;
    readonly rows?: readonly object[];
  } = {},
) => {
  const server = await serve({
    respond: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/auth/token')
        return Response.json({ access_token: 'a-token-of-ada', expires_in: 600, token_type: 'bearer' });
      const [, id] = /\/(\d+)\/?$/.exec(pathname) ?? [];
      return Response.json(id === undefined ? rows : rows[Number(id) - 1]);
    },
  });
  onTestFinished(() => server.close());
  const out = join(dirname(await writeTemporary('any', '')), name);
  const given = [
    'recognise',
    `${server.url}${path}`,
    '--out',
    out,
    ...options.map((one) => one.replace('URL', server.url)),
  ];
  const { code, stderr } = await runHere(given, env);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Read it: createClient(')]);
  const [, printed] = /\nPrint it: npx restkin (get .+)\n$/.exec(stderr) ?? [];
  /** The arguments, as a shell reads them. */
  const argv = () =>
    String(execFileSync('sh', ['-c', `printf '%s\\n' ${printed}`]))
      .split('\n')
      .slice(0, -1);
  return { url: server.url, out, printed, argv };
};

test.each<[string, string, Parameters<typeof recognise>[1]]>([
  ['of an open API', '/api/v2/posts', {}],
  ['with a slash at its end', '/posts/', {}],
  ['without an `id`', '/api/posts', { rows: [{ code: 'a' }, { code: 'b' }] }],
  ['of a login by Basic', '/posts', { env: ada }],
  ['of a login with tokens', '/posts', { env: ada, options: ['--auth-url=URL'] }],
  ['in a file whose name a shell would split', '/posts', { name: "ada's posts.ts" }],
])('the list %s is printed by the command as it is', async (_, path, how) => {
  const { argv } = await recognise(path, how);
  const { code, stdout, stderr } = await runHere(argv(), how?.env);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trim().split('\n')).toHaveLength(stdout.startsWith('[') ? 1 : 2);
});

describe('what may be secret is left to fill in:', () => {
  test('the value of a header field', async () => {
    const { url, out, printed } = await recognise('/posts', {
      options: ['--header', 'X-Api-Key: s3cret-of-ada'],
    });
    expect(printed).toBe(`get ${out} posts --base-url=${url} '--header=x-api-key: …'`);
  });

  test("the value of the URL's own parameter", async () => {
    const { url, out, printed } = await recognise('/posts?account_key=s3cret-of-ada');
    expect(printed).toBe(`get ${out} posts --base-url=${url} '--param=account_key=…'`);
  });
});

test('there is no command for a login beside header fields, which get does not have', async () => {
  const { printed } = await recognise('/posts', { env: ada, options: ['--header', 'X-Tenant: 7'] });
  expect(printed).toBeUndefined();
});

test('there is no command without a file', async () => {
  const server = await serve({ respond: async () => Response.json([{ id: 1 }]) });
  onTestFinished(() => server.close());
  const { stderr } = await runHere(['recognise', `${server.url}/posts`]);
  expect(stderr).toMatch(/\nRead it: .*\n$/);
});
