import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { apiFile, runHere, startHere, writeTemporary } from './run-here.ts';

const endpointsFile = fileURLToPath(new URL('../support/endpoints.ts', import.meta.url));

/** Starts the mock and waits until it listens. */
const startMock = async (
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  file = apiFile,
) => {
  const running = startHere(['mock', file, '--port=0', ...args], env);
  const text = await running.written('Stop with Ctrl-C.\n');
  return { ...running, url: /Token endpoint: POST (\S+)\/auth\/token/.exec(text)?.[1] ?? '', text };
};

const requestToken = (url: string, username: string, password: string): Promise<Response> =>
  fetch(`${url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username, password }),
  });

const companies = () =>
  writeTemporary('data.json', JSON.stringify({ companies: [{ id: 7, name: 'Acme', city: 'Oslo' }] }));

describe('restkin mock', () => {
  test('prints where the token endpoint is, and a signal ends it with 0', async () => {
    const { text, url, stop, finished } = await startMock();
    expect(text.split('\n')).toEqual([
      `ordering v1 at ${url}`,
      'Collections: orders, companyOrders, companies, feed',
      '',
      `Token endpoint: POST ${url}/auth/token`,
      'User: any, for example RESTKIN_USERNAME=ada RESTKIN_PASSWORD=lovelace in the environment',
      `Try: npx restkin get ${apiFile} orders --base-url=${url} --auth-url=${url}`,
      'Stop with Ctrl-C.',
      '',
    ]);
    stop();
    expect(await finished).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('accepts the field of --header in place of a login', async () => {
    const options = ['--generate=companies=2', '--header=Authorization: Bearer fixed'];
    const { url, text } = await startMock(options);
    expect(text).toContain('in the environment; or the fields of --header\n');
    const statusOf = async (authorization: string) =>
      (await fetch(`${url}/v1/companies`, { headers: { authorization } })).status;
    expect(await statusOf('Bearer fixed')).toBe(200);
    expect(await statusOf('Bearer other')).toBe(401);
    const { access_token: token } = await (await requestToken(url, 'a', 'b')).json();
    expect(await statusOf(`Bearer ${token}`)).toBe(200);
  });

  const getFrom = (url: string, path: string) => {
    const args = ['get', apiFile, path, `--base-url=${url}`, `--auth-url=${url}`];
    return runHere(args, { RESTKIN_USERNAME: 'a', RESTKIN_PASSWORD: 'b' });
  };

  test('says once that a parameter without a field of its name selects every row', async () => {
    const { url, stop, finished } = await startMock(['--generate', 'feed=2']);
    const { access_token: token } = await (await requestToken(url, 'a', 'b')).json();
    for (const since of ['1', '2']) {
      const response = await fetch(`${url}/v1/feed?since=${since}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await response.json()).toHaveLength(2);
    }
    stop();
    const { stderr } = await finished;
    expect(stderr).toMatch(/^Warning: feed: the parameter since selects every row, [^\n]+filter[^\n]+\n$/);
  });

  test('serves the rows of --data to the command', async () => {
    const { url } = await startMock(['--data', await companies()]);
    expect(JSON.parse((await getFrom(url, 'companies/7')).stdout)).toMatchObject({ id: 7, name: 'Acme' });
  });

  test('serves the rows of --generate beside those of --data', async () => {
    const { url } = await startMock(['--data', await companies(), '--generate', 'orders=5']);
    expect((await getFrom(url, 'orders')).stdout.trimEnd().split('\n')).toHaveLength(5);
  });

  test('its links name the URL of --base-url, behind a proxy', async () => {
    const { url } = await startMock(['--generate=2', '--base-url=https://api.example.com']);
    const { access_token: token } = JSON.parse(await (await requestToken(url, 'a', 'b')).text());
    const response = await fetch(`${url}/v1/companies/1`, { headers: { authorization: `Bearer ${token}` } });
    expect(await response.json()).toMatchObject({ self: 'https://api.example.com/v1/companies/1' });
  });

  test('prints the URL of --base-url', async () => {
    const { text } = await startMock(['--base-url=https://api.example.com']);
    expect(text).toContain('Public URL, which links and `self` begin with: https://api.example.com\n');
  });

  test('suggests a collection that has rows', async () => {
    const { text } = await startMock(['--data', await companies()]);
    expect(text).toContain(`Try: npx restkin get ${apiFile} companies `);
  });

  test('names the endpoints, and then the actions', async () => {
    const { text } = await startMock([], {}, endpointsFile);
    expect(text).toContain('\nEndpoints: settings, ');
    expect(text).toContain(', latestOrder, orders.cancel, orders.history, ');
  });

  test('names the collections before the endpoints, and of many the first', async () => {
    const index = new URL('../../src/index.ts', import.meta.url).href;
    const file = await writeTemporary(
      'large.ts',
      `import { collection, defineApi, endpoint, resource } from '${index}';
      const many = (letter: string, make: (path: string) => unknown) =>
        Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [letter + at, make(letter + at)])) as never;
      const endpoints = many('e', (path) => endpoint('GET', path));
      const collections = many('c', (path) => collection(path, resource({})));
      export const large = defineApi({ name: 'large', version: 1, auth: 'basic', collections, endpoints });`,
    );
    const { text } = await startMock([], {}, file);
    const namesOf = (letter: string) => Array.from({ length: 20 }, (_, at) => letter + at).join(', ');
    const lines = [`Collections: ${namesOf('c')}, and 980 more`, `Endpoints: ${namesOf('e')}, and 980 more`];
    expect(text).toContain(`\n${lines.join('\n')}\n`);
  });

  test('suggests an endpoint that is read without parameters where there is no collection', async () => {
    const index = new URL('../../src/index.ts', import.meta.url).href;
    const file = await writeTemporary(
      'office.ts',
      `import { defineApi, endpoint } from '${index}';
      const endpoints = { save: endpoint('PUT', 'settings'), audio: endpoint('GET', 'audio/:id'), status: endpoint('GET', 'status') };
      export const office = defineApi({ name: 'office', version: 1, auth: 'basic', collections: {}, endpoints });`,
    );
    const { text } = await startMock([], {}, file);
    expect(text).toContain('\nEndpoints: save, audio, status\n');
    expect(text).toContain(`Try: npx restkin get ${file} status `);
  });

  test('suggests a path with a space so that a shell takes it for one argument', async () => {
    const ordering = new URL('../support/ordering.ts', import.meta.url).href;
    const file = await writeTemporary('my api.ts', `export { ordering } from '${ordering}';`);
    const { text } = await startMock([], {}, file);
    expect(text).toContain(`Try: npx restkin get "${file}" orders `);
  });

  test('says what it makes, where that takes seconds', async () => {
    const { stop, finished } = await startMock(['--generate', 'companies=10000']);
    stop();
    expect(await finished).toMatchObject({ code: 0, stderr: 'Making 10000 rows …\n' });
  });

  const user = { RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'p4ssw0rd' };

  test.each([
    ['takes the user of the environment', 'p4ssw0rd', 200],
    ['refuses another password', 'x', 401],
  ])('%s', async (_, password, status) => {
    const { url } = await startMock([], user);
    expect((await requestToken(url, 'ada', password)).status).toBe(status);
  });

  test('does not print the password of the environment', async () => {
    expect((await startMock([], user)).text).not.toContain('p4ssw0rd');
  });

  test('serves the token endpoint at RESTKIN_TOKEN_PATH, as `get` expects it', async () => {
    const env = { ...user, RESTKIN_TOKEN_PATH: '/oauth/token' };
    const running = startHere(['mock', apiFile, '--port=0', '--generate=2'], env);
    const text = await running.written('Stop with Ctrl-C.\n');
    const [, url] = /\nToken endpoint: POST (\S+)\/oauth\/token\n/.exec(text) ?? [];
    const args = ['get', apiFile, 'companies/1', `--base-url=${url}`, `--auth-url=${url}`];
    expect(await runHere(args, env)).toMatchObject({ code: 0, stderr: '' });
    await fetch(`${url}/oauth/token?password=p4ssw0rd`, { method: 'POST' });
    expect(await running.written('POST /oauth/token 415')).not.toContain('p4ssw0rd');
  });

  test('keeps --api in its suggestion', async () => {
    const { url, text } = await startMock(['--api=ordering']);
    expect(text).toContain(` orders --api=ordering --base-url=${url} `);
  });

  test('writes a line for each request, without the query of a token request', async () => {
    const { url, written } = await startMock();
    await fetch(`${url}/v1/companies?perPage=5`);
    await fetch(`${url}/auth/token?password=p4ssw0rd`, { method: 'POST' });
    await written('POST /auth/token 415');
    expect(await written('GET /v1/companies?perPage=5 401')).not.toContain('p4ssw0rd');
  });

  test('--delay holds a response back, but not one to a preflight', async () => {
    const { url, stop } = await startMock(['--delay=3600000']);
    const delayed = fetch(`${url}/v1/companies`).then(({ status }) => `status ${status}`, String);
    const preflight = { origin: 'https://app.test', 'access-control-request-method': 'GET' };
    for (let count = 0; count < 20; count++) {
      const { status } = await fetch(`${url}/v1/companies`, { method: 'OPTIONS', headers: preflight });
      expect(status).toBe(204);
    }
    stop();
    expect(await delayed).toContain('fetch failed');
  });

  test('--delay ends, and the response arrives', async () => {
    const { url, written } = await startMock(['--delay=20']);
    expect((await fetch(`${url}/v1/companies`)).status).toBe(401);
    expect(await written('GET /v1/companies 401')).toMatch(/401 \d+ ms\n/);
  });

  test('a port in use is reported', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, stderr } = await runHere(['mock', apiFile, `--port=${port}`]);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^restkin: [^\n]+ in use [^\n]+; choose another port with --port\n$/);
  });

  test.for<readonly [string, string]>([
    ['{"password":s3cret}', 'is not JSON: Unexpected token'],
    ['{"companies":[{"name":"A","city":5}]}', 'data.companies[0]'],
    ['{"compannies":[]}', 'compannies'],
  ])('data that cannot be used ends with 2: %s', async ([text, message]) => {
    const file = await writeTemporary('rows.json', text);
    const { code, stdout, stderr } = await runHere(['mock', apiFile, '--port=0', '--data', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('s3cret');
    expect(stderr).toMatch(/^restkin: [^\n]+\n$/);
  });
});
