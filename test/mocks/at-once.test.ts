import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { ordering } from '../support/ordering.ts';

const users = [{ username: 'ada', password: 'lovelace' }];
const baseUrl = 'https://api.test';

const login = async () => {
  const mock = createMock(ordering, { users, baseUrl, authUrl: baseUrl });
  const form = new URLSearchParams({ grant_type: 'password', username: 'ada', password: 'lovelace' });
  const answer = await mock.fetch(`${baseUrl}/auth/token`, { method: 'POST', body: form });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { mock, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } };
};

test('of several concurrent requests that create the same id, one succeeds', async () => {
  const { mock, headers } = await login();
  const body = JSON.stringify({ id: 9, name: 'Acme', city: 'Utrecht' });
  const create = () => mock.fetch(`${baseUrl}/v1/companies`, { method: 'POST', headers, body });
  const statuses = (await Promise.all(Array.from({ length: 8 }, create))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 400)).toHaveLength(7);
});
