import { family } from 'restkin';
import { diagnose } from 'restkin/doctor';
import * as presets from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Family } from '../../../src/families/family.ts';
import { type Break, breakServer, findingOf, reach } from './server.ts';

const declare = (given: Family) => {
  const { resource, collection, defineApi } = family(given);
  const User = resource({ login: z.string(), name: z.string() });
  const Issue = resource({ number: z.int(), title: z.string() });
  const users = collection('users', User, { key: 'login', paging: true });
  const bodies = { create: z.object({ title: z.string() }), update: z.object({ title: z.string() }) };
  const issues = collection('users/:login/issues', Issue, { key: 'number', bodies });
  return defineApi({ name: 'tracker', version: 1, auth: 'custom', collections: { users, issues } });
};

const users = ['ada', 'bob', 'eve'].map((login, index) => ({
  id: index + 71,
  login,
  name: `Name of ${login}`,
}));
const issues = [5, 6, 7].map((number) => ({ id: number + 900, number, title: `Issue ${number}` }));

const examine = async (given: Family, change: Break = (seen, next) => next(seen)) => {
  const api = declare(given);
  const mock = createMock(api, { data: { users, issues } as never });
  const { fetch } = reach(breakServer(mock.respond, change));
  const headers = { 'x-api-key': 'k-12345678' };
  const diagnosis = await diagnose(api, { baseUrl: 'https://api.test', headers, fetch, allowWrites: true });
  return { diagnosis, mock };
};

describe('a collection with a `key`', () => {
  test.each(Object.entries<Family>(presets))('is examined, also for writes: %s', async (_, given) => {
    const { diagnosis, mock } = await examine(given);
    const failed = diagnosis.findings.filter(({ outcome }) => outcome === 'fail');
    expect(failed).toEqual([]);
    for (const where of ['users', 'issues'])
      expect(findingOf(diagnosis, '§4.2 GET', where)?.outcome).toBe('pass');
    expect(findingOf(diagnosis, '§4.2 PATCH', 'users')?.outcome).toBe('pass');
    expect(findingOf(diagnosis, '§4.2 POST', 'issues')).toMatchObject({ outcome: 'pass' });
    expect(mock.state.rows('users')).toEqual(users);
    expect(mock.state.rows('issues')).toEqual(issues);
    expect(diagnosis.leftBehind).toEqual([]);
  });

  test('fails where a server finds its resources by their id', async () => {
    const { diagnosis } = await examine(presets.conventions, (seen, next) => {
      seen.url.pathname = seen.url.pathname.replace(/users\/ada$/, 'users/71');
      return next(seen);
    });
    expect(findingOf(diagnosis, '§4.2 GET', 'users')?.outcome).toBe('fail');
  });
});
