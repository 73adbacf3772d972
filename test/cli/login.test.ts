import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../faults/fleet.ts';
import { makeStore, refusedPaths, refusedPathsOfRoot, snapshot } from '../support/store-paths.ts';
import { type Environment, run, start } from './run-command.ts';
import { login, type Served, serveOrdering } from './served.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let served: Served;
/** What answers of the token endpoint wait for. */
let held: Promise<void> | undefined;
/** Runs before the second page of a list is served. */
let beforeSecondPage: (() => Promise<void>) | undefined;

beforeAll(async () => {
  workspace = await createWorkspace();
  served = await serveOrdering((respond) => async (request) => {
    if (request.url.endsWith('/auth/token')) await held;
    if (new URL(request.url).searchParams.get('page') === '2') await beforeSecondPage?.();
    return respond(request);
  });
});
afterAll(async () => {
  await served.server.close();
  await workspace.remove();
});

// Each test has a state folder of its own.
let state: string;
let tests = 0;
beforeEach(() => {
  state = workspace.path(`state-${tests++}`);
});
afterEach(() => {
  held = undefined;
  beforeSecondPage = undefined;
  served.mock.reset();
});

const database = () => `${state}/restkin/tokens.db`;
const command = (args: readonly string[], env: Environment) =>
  run(args, workspace.folder, { ...env, XDG_STATE_HOME: state });
const logIn = (env: Environment = {}) => command(['login', './api.ts'], { ...served.env, ...env });
const get = () => command(['get', './api.ts', 'orders/2', '--fields=status'], served.where);
const logOut = () => command(['logout', './api.ts'], served.where);

const tokenRequests = (): number =>
  served.mock.requests.filter(({ path }) => path.endsWith('/auth/token')).length;

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

const bytes = async (): Promise<string> => {
  const files = await readdir(`${state}/restkin`);
  const texts = await Promise.all(files.map((name) => readFile(`${state}/restkin/${name}`, 'latin1')));
  return texts.join('');
};

test('login keeps the tokens, and not the password, in a file for its owner alone', async () => {
  expect(await logIn()).toEqual({
    code: 0,
    stdout: `Logged in as ada at ${served.url}; the tokens are in ${database()}\n`,
    stderr: '',
  });
  expect([await modeOf(`${state}/restkin`), await modeOf(database())]).toEqual(['700', '600']);
  const kept = await bytes();
  expect(kept).toContain('eyJ');
  expect(kept).not.toContain(login.password);
});

test('login sends requests to the token endpoint alone', async () => {
  await logIn();
  expect(served.mock.requests.map(({ path }) => path)).toEqual(['/auth/token']);
});

test('get needs no password after login, and no token request while the token is good', async () => {
  await logIn();
  const { code, stdout, stderr } = await get();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ id: 2, status: 'open' });
  expect(tokenRequests()).toBe(1);
});

test('get renews the login with its refresh token, repeatedly', async () => {
  await logIn();
  for (let times = 1; times <= 2; times++) {
    served.mock.clock.advance({ minutes: 11 });
    expect(await get()).toMatchObject({ code: 0, stderr: '' });
    expect(tokenRequests()).toBe(1 + times);
  }
});

test('a login that has ended is reported, with exit code 3', async () => {
  await logIn();
  served.mock.reset();
  expect(await get()).toEqual({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(
      /^restkin: POST \S+\/auth\/token: The login of ada has ended: log in again with "restkin login"\n$/,
    ),
  });
  expect(await logIn()).toMatchObject({ code: 0 });
  expect(await get()).toMatchObject({ code: 0 });
});

test('a wrong password leaves the kept login alone', async () => {
  await logIn();
  expect(await logIn({ RESTKIN_PASSWORD: 'wrong' })).toMatchObject({ code: 3, stdout: '' });
  expect(await get()).toMatchObject({ code: 0 });
});

// A terminal that closes sends SIGHUP twice: once from the shell, once from the system.
test.each([
  { signals: ['SIGINT'], code: 130 },
  { signals: ['SIGHUP', 'SIGHUP'], code: 129 },
] as const)('$signals in the middle of a renewal do not lose the login', async ({ signals, code }) => {
  await logIn();
  served.mock.clock.advance({ minutes: 11 });
  let release = (): void => undefined;
  let arrived = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  held = {
    // Told of the request when it waits.
    // biome-ignore lint/suspicious/noThenProperty: it is awaited
    then: (resolve: () => void) => {
      release = resolve;
      arrived();
    },
  } as Promise<void>;
  const args = ['get', './api.ts', 'orders/2', '--fields=status'];
  const { child, finished } = start(args, workspace.folder, { ...served.where, XDG_STATE_HOME: state });
  await asked;
  held = undefined;
  for (const signal of signals) {
    child.kill(signal);
    // Nothing shows that a signal was taken: it is given some time, so that the response comes after it.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  release();
  expect(await finished).toEqual({ code, stdout: '', stderr: '' });
  expect(await get()).toMatchObject({ code: 0, stderr: '' });
});

test.each([false, true])(
  'a login while a list is read is not lost to the process that reads it; after a logout: %s',
  async (isAfterLogout) => {
    await logIn();
    // The list begins with a renewal: its process has seen tokens that are newer than those of the first login.
    served.mock.clock.advance({ minutes: 11 });
    beforeSecondPage = async () => {
      beforeSecondPage = undefined;
      if (isAfterLogout) await logOut();
      await logIn();
      served.mock.clock.advance({ minutes: 11 });
    };
    const list = ['get', './api.ts', 'orders', '--all', '--per-page=30', '--output=ndjson'];
    expect(await command(list, served.where)).toMatchObject({ code: 0, stderr: '' });
    served.mock.clock.advance({ minutes: 11 });
    expect(await get()).toMatchObject({ code: 0, stderr: '' });
  },
);

test('logout leaves no token on this machine, and says that the tokens stay valid on the server', async () => {
  await logIn();
  const { code, stdout, stderr } = await logOut();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('they stay valid on the server until they expire');
  expect(await bytes()).not.toContain('eyJ');
  expect(await get()).toMatchObject({ code: 3, stdout: '' });
  expect(await logOut()).toMatchObject({ code: 0, stdout: `There is no login at ${served.url}\n` });
});

test('--store names the file, and a slash at the end of --auth-url does not matter', async () => {
  const store = `--store=${workspace.path('mine/login.db')}`;
  const auth = `--auth-url=${served.url}/`;
  expect(await command(['login', './api.ts', store, auth], served.env)).toMatchObject({ code: 0 });
  expect(await modeOf(workspace.path('mine/login.db'))).toBe('600');
  expect(await command(['get', './api.ts', 'orders/2', store], served.where)).toMatchObject({ code: 0 });
});

test('an API with Basic has no login to keep, and its get works', async () => {
  await workspace.write(
    'basic.ts',
    `import { ordering } from './api.ts'; export const basic = { ...ordering, auth: 'basic' };`,
  );
  expect(await command(['login', './basic.ts'], served.env)).toMatchObject({ code: 2, stdout: '' });
  const { basicOrdering } = await import('../support/basic-ordering.ts');
  const { createMock, serve } = await import('restkin/mocks');
  await using server = await serve(createMock(basicOrdering, { users: [login] }));
  const env = { ...served.env, RESTKIN_BASE_URL: server.url, RESTKIN_AUTH_URL: '' };
  const args = ['get', './basic.ts', 'orders'];
  expect(await command(args, env)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  expect(await command(args, { ...env, RESTKIN_PASSWORD: 'wrong' })).toMatchObject({ code: 3, stdout: '' });
});

test.each([
  ['logout', logOut],
  ['get', get],
])('%s reports that it has set a damaged store aside', async (_what, ask) => {
  await mkdir(`${state}/restkin`, { recursive: true });
  const bytes = await readFile(await makeStore(database()));
  await writeFile(database(), bytes.fill(0xff, 100));
  const { stderr } = await ask();
  const [, aside = ''] = /the store of logins was damaged; it is kept as (\S+)/.exec(stderr) ?? [];
  expect((await readFile(aside)).equals(bytes)).toBe(true);
});

describe('a --store that restkin did not make ends with 2 and its path, and is left as it is', () => {
  test.each([...refusedPaths, ...refusedPathsOfRoot])('$what', async ({ make }) => {
    const folder = temporaryFolder();
    const path = await make(folder);
    const before = snapshot(folder);
    const { code, stdout, stderr } = await command(['login', './api.ts', `--store=${path}`], served.env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^restkin: [^\n]+\n$/);
    expect(stderr).toContain(path);
    expect(stderr).toContain('choose another path');
    expect(snapshot(folder)).toEqual(before);
  });
});

test('login refuses the store before it prompts for a password', async () => {
  const { RESTKIN_AUTH_URL = '' } = served.env;
  const args = ['login', './api.ts', `--store=${workspace.folder}`];
  const { code, stderr } = await command(args, { RESTKIN_AUTH_URL });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('it is a directory') });
});
