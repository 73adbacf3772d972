import { fileURLToPath } from 'node:url';
import { createMock, serve } from 'restkin/mocks';
import { expect, onTestFinished, test } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { tracker } from '../support/tracker.ts';
import { apiFile, runHere, startHere, writeTemporary } from './run-here.ts';

const file = fileURLToPath(new URL('../support/tracker.ts', import.meta.url));
const field = 'X-Api-Key: s3cret-of-ada';

const serveTracker = async (isAllowed: (headers: Headers) => boolean) => {
  const authorize = ({ headers }: Request): boolean => isAllowed(headers);
  const server = await serve(createMock(tracker, { generate: 3, authorize }));
  onTestFinished(() => server.close());
  return `--base-url=${server.url}`;
};

const wantsKey = (headers: Headers): boolean => headers.get('x-api-key') === 's3cret-of-ada';

test('get reads an API with a scheme of its own with --header', async () => {
  const read = await runHere(['get', file, 'issues', await serveTracker(wantsKey), '--header', field]);
  expect(read).toMatchObject({ code: 0, stderr: '' });
  expect(read.stdout.trimEnd().split('\n')).toHaveLength(3);
});

test('get reads an open API without --header', async () => {
  const open = await runHere(['get', file, 'issues/2', await serveTracker(() => true)]);
  expect(open).toMatchObject({ code: 0, stderr: '' });
});

test('--header stands for the login of an API that takes tokens', async () => {
  const seen: (string | null)[] = [];
  const mock = createMock(ordering, { generate: { companies: 1, orders: 2 } });
  const server = await serve({
    respond: async (request) => {
      seen.push(request.headers.get('authorization'));
      return mock.respond(request);
    },
  });
  onTestFinished(() => server.close());
  const args = [
    'get',
    apiFile,
    'orders',
    `--base-url=${server.url}`,
    '--header',
    'Authorization: Bearer a-token',
  ];
  const { code, stderr } = await runHere(args);
  expect(code).toBe(3);
  expect(stderr).toContain('\n  check --header, or RESTKIN_USERNAME and RESTKIN_PASSWORD\n');
  expect(stderr).not.toContain('give --header');
  expect(new Set(seen)).toEqual(new Set(['Bearer a-token']));
});

test.each(['get', 'doctor'])(
  '--header stands for a login, so that %s refuses --auth-url beside it',
  async (name) => {
    const args = name === 'get' ? [name, apiFile, 'orders'] : [name, apiFile];
    const urls = ['--base-url=http://127.0.0.1:9', '--auth-url=http://127.0.0.1:9'];
    const { code, stderr } = await runHere([...args, ...urls, '--header', field]);
    expect([code, stderr]).toEqual([
      2,
      'restkin: --header stands for a login, so that --auth-url would be ignored: leave one of them out\n',
    ]);
  },
);

test('a header that is given twice is refused, and its value is not shown', async () => {
  const twice = ['--header', field, '--header', 'x-api-key: another-s3cret'];
  const { code, stderr } = await runHere(['get', file, 'issues', '--base-url=http://127.0.0.1:9', ...twice]);
  expect([code, stderr]).toEqual([2, 'restkin: --header has "x-api-key" more than once\n']);
});

test.each([
  ['get', [file, 'issues']],
  ['recognise', []],
])('a 401 to %s says how to give credentials', async (name, args) => {
  const url = await serveTracker(wantsKey);
  const where = name === 'get' ? url : `${url.replace('--base-url=', '')}/issues`;
  const { code, stderr } = await runHere([name, ...args, where]);
  expect(code).toBe(3);
  expect(stderr).toContain(': 401 Unauthorized');
  expect(stderr).toContain('\n  give --header "X-Api-Key: …", or set RESTKIN_USERNAME and RESTKIN_PASSWORD');
});

const serveStatus = async (status: number, headers: Readonly<Record<string, string>> = {}) => {
  const server = await serve({ respond: async () => new Response('<p>Sign in</p>', { status, headers }) });
  onTestFinished(() => server.close());
  return `${server.url}/posts`;
};

test.each([401, 403])(
  'recognise shows a whole example where no credentials were given: %d',
  async (status) => {
    const url = await serveStatus(status);
    const { stderr } = await runHere(['recognise', url]);
    expect(stderr).toContain(
      `; no credentials were given: npx restkin recognise ${url} --header "X-Api-Key: …"`,
    );
  },
);

test.each([401, 403])('recognise names the scheme that a server asks for: %d', async (status) => {
  const asked = await serveStatus(status, { 'www-authenticate': 'Bearer realm="posts"' });
  expect((await runHere(['recognise', asked])).stderr).toContain('--header "Authorization: Bearer …"');
});

test('recognise says that the credentials were refused, and does not show them', async () => {
  const url = await serveStatus(401);
  const { stderr } = await runHere(['recognise', url, '--header', field]);
  expect(stderr).toContain(': 401 Unauthorized; the credentials were refused\n');
  expect(stderr).not.toContain('s3cret');
});

test('recognise says that Basic was refused, and how to get a token', async () => {
  const url = await serveStatus(401);
  const env = { RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 's3cret-words' };
  const { stderr } = await runHere(['recognise', url], env);
  expect(stderr).toContain('were sent as Basic: for tokens, set RESTKIN_AUTH_URL too');
  expect(stderr).not.toContain('s3cret');
});

test('recognise says what the response is where it is no JSON', async () => {
  const url = await serveStatus(200, { 'content-type': 'text/html; charset=utf-8' });
  const { code, stderr } = await runHere(['recognise', url]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    'the response is text/html where JSON was expected; name the URL of a list of the API',
  );
});

test('doctor examines an open API without a header', async () => {
  const open = await runHere(['doctor', file, await serveTracker(() => true)]);
  expect(open.stdout).toContain('restkin works with this server: yes, for reading');
  expect(open.stdout).toContain('\ntracker at http');
});

test('doctor names --header where it is refused', async () => {
  const refused = await runHere(['doctor', file, await serveTracker(wantsKey)]);
  expect(refused.code).toBe(3);
  expect(refused.stdout).toMatch(/First to fix: .*--header/);
});

test('mock announces what an API of another family has, and its example works', async () => {
  const mock = startHere(['mock', file, '--port=0', '--generate=3']);
  const text = await mock.written('Stop with Ctrl-C.\n');
  expect(text).toContain('tracker at http');
  expect(text).toContain('Credentials: any, or none\n');
  expect(text).not.toMatch(/oken|RESTKIN|User/);
  const [, example = ''] = /Try: npx restkin (.*)\n/.exec(text) ?? [];
  expect(await runHere(example.split(' '))).toMatchObject({ code: 0, stderr: '' });
});

test('mock accepts the field of --header alone, says so, and shows no value of it', async () => {
  const mock = startHere(['mock', file, '--port=0', '--generate=3', '--header', field]);
  const text = await mock.written('Stop with Ctrl-C.\n');
  expect(text).toContain('Credentials: the fields of --header\n');
  expect(text).not.toContain('s3cret');
  const [, example = ''] = /Try: npx restkin (.*) --header="…"\n/.exec(text) ?? [];
  expect((await runHere(example.split(' '))).code).toBe(3);
  expect(await runHere([...example.split(' '), '--header', field])).toMatchObject({ code: 0, stderr: '' });
});

test('openapi describes a scheme of its own by the name of its header', async () => {
  const { code, stdout } = await runHere(['openapi', file, '--api-key-header=X-Api-Key']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).components.securitySchemes).toEqual({
    custom: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  });
});

test('openapi names the option for a scheme of its own that it cannot describe', async () => {
  const refused = await runHere(['openapi', file]);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('--api-key-header X-Api-Key, or --no-auth if it takes no login');
  expect(refused.stderr).not.toContain('toOpenApi');
});

test('openapi describes an API without a login with --no-auth, and else as it is', async () => {
  const { code, stdout } = await runHere(['openapi', file, '--no-auth']);
  expect(code).toBe(0);
  const withKey = await runHere(['openapi', file, '--api-key-header=X-Api-Key']);
  const expected = JSON.parse(withKey.stdout, (name, value) => (name === 'security' ? [] : value));
  expected.components.securitySchemes = {};
  expect(JSON.parse(stdout)).toEqual(expected);
});

test.each(['--no-auth', '--api-key-header=X-Api-Key'])('openapi describes a key with %s', async (option) => {
  const text = `import { collection, defineApi, resource } from 'restkin'; import * as z from 'zod';
    const users = collection('users', resource({ login: z.string() }), { key: 'login' });
    export const api = defineApi({ name: 'keys', version: 1, auth: 'custom', collections: { users } });`;
  const keyed = await writeTemporary('keys.ts', text);
  const { stdout, stderr } = await runHere(['openapi', keyed, option]);
  expect(stderr).toBe('');
  const security = option === '--no-auth' ? [] : [{ custom: [] }];
  expect(JSON.parse(stdout).paths['/v1/users/{login}']).toMatchObject({
    'x-restkin-key': 'login',
    get: { security },
  });
});

test('openapi refuses a header for an API without a login', async () => {
  const refused = await runHere(['openapi', file, '--no-auth', '--api-key-header=X-Api-Key']);
  expect(refused.stderr).toContain('Give --no-auth or --api-key-header, not both');
});
