import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/runs.ts';
import { startTokenServer } from './token-server.ts';

const urlOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

const script = (url: string, store: string): string => `
  const { createClient, tokenAuth, memoryStore } = await import(${urlOf('../../src/index.ts')});
  const { sqliteStore } = await import(${urlOf('../../src/adapters/sqlite.ts')});
  const auth = tokenAuth({ authUrl: '${url}', username: 'ada', password: 'lovelace', store: ${store} });
  const client = createClient({ baseUrl: '${url}', auth });
  const call = () => client.request({ method: 'GET', path: 'v1/things' });
  await Promise.all([call(), call()]);
  console.log(JSON.stringify(await call()));
`;

const run = (
  code: string,
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code],
      { timeout: 20_000, cwd: fileURLToPath(new URL('.', import.meta.url)) },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr }),
    );
  });

test.each([
  ['the store in memory', () => 'memoryStore()', ''],
  ['SQLite', (folder: string) => `sqliteStore({ path: ${JSON.stringify(join(folder, 'tokens.db'))} })`, ''],
  [
    'a store that hangs',
    () => `{ read: () => new Promise(() => {}), swap: async () => false }`,
    'restkin: the token store failed (TimeoutError); only a password login continues\n',
  ],
])('a script with %s ends by itself', { timeout: 30_000 }, async (_name, storeIn, stderr) => {
  await using server = await startTokenServer();
  const program = script(server.url, storeIn(temporaryFolder()));
  expect(await run(program)).toEqual({ code: 0, stdout: '[]\n', stderr });
  expect(server.tokenRequests).toEqual(['password']);
});
