import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Environment, run, start } from './run-command.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
  await workspace.write('data.json', JSON.stringify({ companies: [{ id: 7, name: 'Acme', city: 'Oslo' }] }));
});
afterAll(() => workspace.remove());

/** Starts the mock and waits until it listens. */
const startMock = async (args: readonly string[] = [], env?: Environment) => {
  const running = start(['mock', './api.ts', '--port=0', ...args], workspace.folder, env);
  let text = '';
  running.child.stdout?.on('data', (part: string) => {
    text += part;
  });
  await running.written('Stop with Ctrl-C.\n');
  const url = /Token endpoint: POST (\S+)\/auth\/token/.exec(text)?.[1] ?? '';
  return { ...running, url, text };
};

const tokenOf = (url: string, username: string, password: string): Promise<Response> =>
  fetch(`${url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username, password }),
  });

describe('restkin mock', () => {
  test('prints its routes and where the token endpoint is', async () => {
    const { text, url } = await startMock();
    expect(text.split('\n')).toEqual([
      `ordering v1 at ${url}`,
      '',
      'METHODS               PATH                                 QUERY',
      '--------------------  -----------------------------------  -------------------------------',
      'GET POST              /v1/orders                           sort fields expand page perPage',
      'GET PUT PATCH DELETE  /v1/orders/:id                       fields expand',
      'GET POST              /v1/companies/:companyId/orders      page perPage',
      'GET PUT PATCH DELETE  /v1/companies/:companyId/orders/:id',
      'GET POST              /v1/companies                        sort page perPage',
      'GET PUT PATCH DELETE  /v1/companies/:id',
      'GET                   /v1/feed                             page perPage and its own',
      '',
      `Token endpoint: POST ${url}/auth/token`,
      'User: any username and password that are not empty',
      `Try: npx restkin get ./api.ts orders --base-url=${url} --auth-url=${url}`,
      'Stop with Ctrl-C.',
      '',
    ]);
  });

  test('serves the rows of --data to the command', async () => {
    const { url } = await startMock(['--data', 'data.json']);
    const args = ['get', './api.ts', 'companies/7', `--base-url=${url}`, `--auth-url=${url}`];
    const { stdout } = await run(args, workspace.folder, { RESTKIN_USERNAME: 'a', RESTKIN_PASSWORD: 'b' });
    expect(JSON.parse(stdout)).toMatchObject({ id: 7, name: 'Acme' });
  });

  test('serves as many rows as --generate says', async () => {
    const { url } = await startMock(['--generate', 'companies=5', '--seed=3']);
    const { access_token } = (await (await tokenOf(url, 'a', 'b')).json()) as { access_token: string };
    const answer = await fetch(`${url}/v1/companies`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(await answer.json()).toHaveLength(5);
  });

  test('takes its user from the environment, and does not print the password', async () => {
    const env = { RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'p4ssw0rd' };
    const { url, text } = await startMock([], env);
    expect(text).not.toContain('p4ssw0rd');
    const [right, wrong] = await Promise.all([tokenOf(url, 'ada', 'p4ssw0rd'), tokenOf(url, 'ada', 'x')]);
    expect([right.status, wrong.status]).toEqual([200, 401]);
  });

  test('writes a line for each request, without the query of a token request', async () => {
    const { url, written } = await startMock(['--data', 'data.json']);
    await fetch(`${url}/v1/companies?perPage=5`);
    await fetch(`${url}/auth/token?password=p4ssw0rd`, { method: 'POST' });
    await written('POST /auth/token 415');
    await written('GET /v1/companies?perPage=5 401');
  });

  test('--fail makes a part of the requests fail, --delay makes all of them slow', async () => {
    const { url } = await startMock(['--fail=503=1', '--delay=20']);
    const startedAt = performance.now();
    expect((await fetch(`${url}/v1/companies`)).status).toBe(503);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19);
    expect((await tokenOf(url, 'a', 'b')).status).toBe(200);
  });

  test.for(['503', '503=2', '200=0.5', 'x=0.5'])('--fail=%s is refused', async (fail) => {
    expect(await run(['mock', './api.ts', '--port=0', `--fail=${fail}`], workspace.folder)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'restkin: --fail must be a status and a rate from 0 to 1: --fail 503=0.1\n',
    });
  });

  test.for(['SIGINT', 'SIGTERM'] as const)(
    '%s stops it, also while a connection is kept alive',
    async (signal) => {
      const { child, finished, url } = await startMock();
      await (await tokenOf(url, 'a', 'b')).text();
      child.kill(signal);
      expect(await finished).toMatchObject({ code: 0, stderr: '' });
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
  );

  test('continues after the reader of its log is gone', async () => {
    const { child, finished, url } = await startMock();
    child.stdout?.destroy();
    for (const username of ['a', 'b', 'c']) expect((await tokenOf(url, username, 'x')).status).toBe(200);
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({ code: 0, stderr: '' });
  });

  test('a port in use is reported', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    try {
      expect(await run(['mock', './api.ts', `--port=${port}`], workspace.folder)).toEqual({
        code: 1,
        stdout: '',
        stderr: `restkin: Cannot listen on port ${port} of 127.0.0.1: it is in use\n`,
      });
    } finally {
      other.close();
    }
  });

  test.for<readonly [string, string | undefined, string]>([
    ['missing.json', undefined, 'missing.json does not exist'],
    ['text.json', '{"orders":[],}', 'text.json is not JSON: Expected double-quoted property name'],
    ['secret.json', '{"password":s3cret}', 'secret.json is not JSON: Unexpected token'],
    ['list.json', '[]', 'list.json must hold an object with a list of rows for each collection key'],
    ['row.json', '{"companies":[{"name":"A","city":5}]}', 'data.companies[0]'],
    ['key.json', '{"compannies":[]}', 'compannies'],
  ])('data that cannot be used ends with 2: %s', async ([name, text, message]) => {
    if (text !== undefined) await workspace.write(name, text);
    const { code, stdout, stderr } = await run(
      ['mock', './api.ts', '--port=0', '--data', name],
      workspace.folder,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('s3cret');
    expect(stderr).toMatch(/^restkin: [^\n]+\n$/);
  });

  test('a file that declares nothing ends with 2', async () => {
    await workspace.write('nothing.ts', 'export default {};');
    const { code, stderr } = await run(['mock', './nothing.ts', '--port=0'], workspace.folder);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'restkin: ./nothing.ts declares no API: it must export what defineApi returns\n',
    });
  });
});
