import { fileURLToPath } from 'node:url';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { office } from '../support/endpoints.ts';
import { runHere } from './run-here.ts';

const file = fileURLToPath(new URL('../support/endpoints.ts', import.meta.url));

const get = async (...argv: readonly string[]) => {
  await using server = await serve(createMock(office, { generate: { companies: 1, orders: 1 } }));
  const env = { RESTKIN_BASE_URL: server.url, RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
  return await runHere(['get', file, ...argv], env);
};

test('get prints the JSON of an endpoint, selected as it is declared', async () => {
  expect(JSON.parse((await get('settings')).stdout)).toHaveProperty('currency');
  const latest = JSON.parse((await get('latestOrder', '--fields=status')).stdout);
  expect(Object.keys(latest).toSorted()).toEqual(['id', 'self', 'status']);
});

test('get writes text and bytes as they are', async () => {
  expect((await get('transcript', '--param=id=3')).stdout).toBe('transcript\n');
  expect((await get('audio', '--param=id=3')).stdout).toBe('audio\n');
});

test.each([
  [['report'], 'The endpoint report is POST reports, and restkin get sends GET alone'],
  [['settings', '--sort=id'], 'an endpoint, which takes --param, --fields and --expand only'],
  [['audio'], 'audio: id must be a string or an integer'],
  [['settings', '--param=nope=1'], 'settings has no option "query"'],
])('get %j is refused', async (argv, problem) => {
  expect((await get(...argv)).stderr).toContain(problem);
});
