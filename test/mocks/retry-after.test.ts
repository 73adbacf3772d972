import { createClient, tokenAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { afterEach, expect, test, vi } from 'vitest';
import { ordering } from '../support/ordering.ts';

afterEach(() => void vi.useRealTimers());

test('with fake timers a wait for Retry-After takes no time, because the clock of the mock follows them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  const mock = createMock(ordering, { generate: 5, rateLimit: { requests: 1, perMs: 30_000 } });
  const { orders } = createClient({
    baseUrl: 'https://api.example.com',
    auth: tokenAuth({ authUrl: 'https://auth.example.com', username: 'ada', password: 'lovelace' }),
    fetch: mock.fetch,
  }).api(ordering);
  await orders.get(1);
  const second = orders.get(2);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(mock.requests.map(({ status }) => status)).toEqual([200, 200, 429]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await second).id).toBe(2);
  expect(mock.requests.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
});
