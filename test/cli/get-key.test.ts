import type { ApiDeclaration } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { runHere, writeTemporary } from './run-here.ts';

const text = `import { collection, defineApi, endpoint, resource } from 'restkin'; import * as z from 'zod';
  export const api = defineApi({ name: 'tracker', version: 1, auth: 'basic', collections: {
    users: collection('users', resource({ login: z.string() }), { key: 'login' }),
    issues: collection('repos/:owner/:repo/issues', resource({ number: z.int() }), {
      key: 'number',
      actions: { votes: endpoint('GET', 'votes', { response: z.object({ up: z.literal(3) }) }) } }) } });`;

test.each([
  ['a number', ['repos/ada/engine/issues/5'], { id: 905, number: 5 }],
  ['a string', ['users/ada'], { id: 71, login: 'ada' }],
  ['a number, in the path of an action', ['repos/ada/engine/issues/5/votes'], { up: 3 }],
  [
    'a number, in a parameter of an action',
    ['issues.votes', '--param=owner=ada', '--param=repo=engine', '--param=number=5'],
    { up: 3 },
  ],
])('get finds a resource by the `key` of its collection, %s', async (_, argv, expected) => {
  const file = await writeTemporary('tracker.ts', text);
  const { api } = (await import(file)) as { readonly api: ApiDeclaration };
  const data = { users: [{ id: 71, login: 'ada' }], issues: [{ id: 905, number: 5 }] };
  await using server = await serve(createMock(api, { data }));
  const env = { RESTKIN_BASE_URL: server.url, RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
  const { stdout, stderr } = await runHere(['get', file, ...argv], env);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject(expected);
});
