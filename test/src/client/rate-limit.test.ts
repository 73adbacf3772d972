import { basicAuth, collection, createClient, defineApi, resource } from 'restkin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';

const Thing = resource({ name: z.string() });
const options = { version: 1, auth: 'basic' } as const;
const limited = defineApi({
  ...options,
  name: 'limited',
  collections: { things: collection('things', Thing), below: collection('boxes/:boxId/things', Thing) },
  rateLimit: { requests: 2, perMs: 60_000 },
});
const free = defineApi({ ...options, name: 'free', collections: { others: collection('others', Thing) } });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A client of both APIs, and what it has sent; no clock moves unless the test says so. */
const open = () => {
  const sent: string[] = [];
  const client = createClient({
    baseUrl: 'https://api.test/base',
    auth: basicAuth({ username: 'ada', password: 'lovelace' }),
    deadlineMs: 600_000,
    fetch: async (url) => {
      sent.push(new URL(String(url)).pathname.slice('/base/v1/'.length));
      return Response.json({ id: 1, self: String(url), name: 'a' });
    },
  });
  client.api(free);
  const { things } = client.api(limited);
  return { client, things, sent };
};

/** Everything that can happen without time. */
const settle = () => vi.advanceTimersByTimeAsync(0);

test('§8 follow and request share the rate limit of the API that they reach', async () => {
  const { client, things, sent } = open();
  const calls = [
    things.get(1),
    client.follow(Thing, 'https://api.test/base/v1/things/2'),
    client.follow(Thing, 'https://api.test/base/v1/boxes/5/things/3'),
    client.request({ method: 'GET', path: 'v1/things/4/actions' }),
    client.request({ method: 'GET', path: 'v1/reports/5', api: limited }),
  ];
  await settle();
  expect(sent).toEqual(['things/1', 'things/2']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.slice(2)).toEqual(['boxes/5/things/3', 'things/4/actions']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.slice(4)).toEqual(['reports/5']);
  await Promise.all(calls);
});

test('§8 what reaches another API, or none that was declared, waits for nothing', async () => {
  const { client, sent } = open();
  const paths = ['others/1', 'others/2', 'others/3', 'reports/1', 'thingsandmore/2', 'boxes/5', 'others/4'];
  const calls = paths.map((path) => client.request({ method: 'GET', path: `v1/${path}` }));
  await settle();
  expect(sent).toEqual(paths);
  await Promise.all(calls);
});

test('a request takes api or auth, and not both', async () => {
  const { client } = open();
  const request = client.request({ method: 'GET', path: 'v1/x', api: limited, auth: 'basic' });
  await expect(request).rejects.toThrow('api or auth');
});

test('§8 calls that are aborted while they wait leave their place in the rate limit to the next ones', async () => {
  const { things, sent } = open();
  const stop = new AbortController();
  await Promise.all([things.get(1), things.get(2)]);
  const waiting = things.get(3);
  const aborted = [4, 5, 6, 7, 8].map((id) => things.get(id, { signal: stop.signal }));
  const last = things.get(9, { deadlineMs: 90_000 });
  await expect(last).rejects.toThrow('`deadlineMs` passed while the request waited');
  stop.abort('not needed');
  for (const call of aborted) await expect(call).rejects.toBe('not needed');
  const fresh = things.get(10, { deadlineMs: 90_000 });
  await vi.advanceTimersByTimeAsync(59_999);
  expect(sent).toEqual(['things/1', 'things/2']);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all([waiting, fresh]);
  expect(sent.slice(2)).toEqual(['things/3', 'things/10']);
});

test('§8 a call that is aborted while it waits lets no later one past the calls before it', async () => {
  const { things, sent } = open();
  const stop = new AbortController();
  await Promise.all([things.get(1), things.get(2)]);
  const waiting = [things.get(3), things.get(4)];
  const aborted = things.get(5, { signal: stop.signal });
  const later = [things.get(6), things.get(7)];
  stop.abort('not needed');
  await expect(aborted).rejects.toBe('not needed');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.slice(2)).toEqual(['things/3', 'things/4']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.slice(4)).toEqual(['things/6', 'things/7']);
  await Promise.all([...waiting, ...later]);
});
