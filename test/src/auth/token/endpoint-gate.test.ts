import { type ClientOptions, createClient, type Fetch, TokenRequestError, tokenAuth } from 'restkin';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { failureOf } from '../../../support/basic-ordering.ts';
import { json, type Reply } from '../../../support/recording-server.ts';
import {
  grantsOf,
  serveTokens,
  type TokenServer,
  type TokenServerOptions,
} from '../../../support/token-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

const login = { username: 'ada', password: 'lovelace' };
const busy = (retryAfter: string, status = 429): Reply =>
  json({ message: 'x' }, status, { 'retry-after': retryAfter });

/** Clients of one login to a server. */
const clientsOf = ({ url }: TokenServer) => {
  const auth = tokenAuth({ authUrl: url, ...login });
  return (given: Partial<ClientOptions> = {}) => {
    const client = createClient({ baseUrl: url, auth, retry: { baseDelayMs: 1 }, ...given });
    return (own = {}) => client.request({ method: 'GET', path: 'x', ...own });
  };
};

/** A token server, and clients of one login to it. */
const serve = async (options: TokenServerOptions) => {
  const server = await serveTokens(options);
  onTestFinished(() => server.close());
  return { server, connect: clientsOf(server) };
};
const upTo = (count: number, reply: Reply) => (_form: URLSearchParams, index: number) =>
  index < count ? reply : undefined;

/** A clock that a test moves; sockets and timers continue. */
const holdClock = () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return { later: (ms: number) => void vi.advanceTimersByTime(ms) };
};

describe.each([429, 503])('a token endpoint that responds with %d and Retry-After', (status) => {
  test.each([
    ['the deadline', { deadlineMs: 5_000 }],
    ['maxRetryAfterMs', { retry: { maxRetryAfterMs: 29_999 } }],
    ['retry: false', { retry: false as const }],
  ])('fails the call at once when that is longer than %s allows', async (_name, options) => {
    const { server, connect } = await serve({ token: () => busy('30', status) });
    const error = await failureOf(connect()(options), TokenRequestError);
    expect(error).toMatchObject({ status, temporary: true, retryAfterMs: 30_000 });
    expect(grantsOf(server)).toEqual(['password']);
  });

  test('gets no request from later calls either, until the time has passed', async () => {
    const { later } = holdClock();
    const { server, connect } = await serve({ token: upTo(1, busy('30', status)) });
    const call = connect({ retry: false });
    await failureOf(call(), TokenRequestError);
    later(10_000);
    const calls = Array.from({ length: 5 }, () => failureOf(call(), TokenRequestError));
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ name: 'TokenRequestError', status, temporary: true });
      expect(error.retryAfterMs).toBeGreaterThan(15_000);
      expect(error.retryAfterMs).toBeLessThanOrEqual(20_000);
    }
    expect(server.forms).toHaveLength(1);
    later(20_001);
    expect(await call()).toEqual({ ok: true });
    expect(server.forms).toHaveLength(2);
  });

  test('a refresh token that was sent is used up; the password waits', async () => {
    const { later } = holdClock();
    const { server, connect } = await serve({
      token: (_form, index) => (index === 1 ? busy('30', status) : undefined),
    });
    const call = connect({ retry: false });
    await call();
    server.expire();
    expect((await failureOf(call(), TokenRequestError)).retryAfterMs).toBeGreaterThan(29_000);
    await failureOf(call(), TokenRequestError);
    expect(grantsOf(server)).toEqual(['password', 'refresh_token']);
    later(30_001);
    expect(await call()).toEqual({ ok: true });
    expect(grantsOf(server)).toEqual(['password', 'refresh_token', 'password']);
  });
});

test('an hour is the longest pause, however long Retry-After is', async () => {
  const { later } = holdClock();
  const { server, connect } = await serve({ token: upTo(1, busy('99999999999')) });
  const call = connect({ retry: false });
  expect((await failureOf(call(), TokenRequestError)).retryAfterMs).toBe(99_999_999_999_000);
  later(3_600_001);
  expect(await call()).toEqual({ ok: true });
  expect(server.forms).toHaveLength(2);
});

test('a refresh that finds nothing listening is followed by a pause, too', async () => {
  holdClock();
  let requests = 0;
  const fetch: Fetch = async () => {
    requests++;
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
  };
  const auth = tokenAuth({ authUrl: 'https://auth.test', tokens: { refreshToken: 'of-ann' } });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false });
  for (let count = 0; count < 5; count++) {
    await failureOf(client.request({ method: 'GET', path: 'x' }), TokenRequestError);
  }
  expect(requests).toBe(1);
});

test('after a success the pauses are short again', async () => {
  const { later } = holdClock();
  const { server, connect } = await serve({
    token: (_form, index) => (index === 4 ? undefined : { status: 500 }),
  });
  const call = connect({ retry: false });
  for (let count = 0; count < 4; count++) {
    await failureOf(call(), TokenRequestError);
    later(1_501);
  }
  await call();
  server.expire();
  const { retryAfterMs } = await failureOf(call(), TokenRequestError);
  expect(retryAfterMs).toBeLessThanOrEqual(200);
});

test('a token that has expired is not sent while the pause lasts', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { server, connect } = await serve({
    token: (_form, index) => (index === 0 ? undefined : busy('30')),
  });
  const call = connect({ retry: false });
  await call();
  vi.setSystemTime(Date.now() + 601_000);
  for (let count = 0; count < 3; count++) await failureOf(call(), TokenRequestError);
  expect(server.calls).toHaveLength(1);
  expect(grantsOf(server)).toEqual(['password', 'refresh_token']);
});
