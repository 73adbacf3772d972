// A token endpoint that fails under a service that makes 200 calls a second. Time is moved by hand, and
// requests are counted.
import { createClient, type Fetch, TokenRequestError, tokenAuth } from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejectionOf } from '../support/shop.ts';
import { type Behaviour, startTokenServer } from './token-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

const stepMs = 5;
const callsIn5s = 1_000;

/** Two clients of one login, and how many token requests they tried. */
const connect = (url: string) => {
  const tried = { tokenRequests: 0 };
  const counting: Fetch = (input, init) => {
    if (String(input).endsWith('/auth/token')) tried.tokenRequests++;
    return fetch(input, init);
  };
  const auth = tokenAuth({ authUrl: url, username: 'ada', password: 'lovelace' });
  const calls = [0, 1].map(() => {
    const client = createClient({ baseUrl: url, auth, retry: false, fetch: counting });
    return () => Promise.resolve(client.request({ method: 'GET', path: 'v1/things' }));
  });
  const call = (index: number): Promise<unknown> => {
    vi.advanceTimersByTime(stepMs);
    return calls[index % calls.length]?.() ?? Promise.reject(new Error('No client'));
  };
  return { call, tried };
};

describe.each<[string, Behaviour | 'stopped']>([
  ['503', { status: 503 }],
  ['500', { status: 500 }],
  ['400', { status: 400 }],
  ['a response without a token', { body: { access_token: undefined } }],
  ['a lost connection', { drop: 'before' }],
  ['a refused connection', 'stopped'],
])('a token endpoint that fails with %s', (_name, failure) => {
  test('gets at most 12 requests from 1,000 calls in 5 s, and works 2 s after its recovery', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let isFailing = true;
    await using server = await startTokenServer({
      behave: () => (isFailing && failure !== 'stopped' ? failure : undefined),
    });
    const { call, tried } = connect(server.url);
    if (failure === 'stopped') await server.stop();

    const errors: TokenRequestError[] = [];
    for (let index = 0; index < callsIn5s; index++) {
      const error = await rejectionOf(call(index));
      if (error instanceof TokenRequestError) errors.push(error);
    }
    expect(errors).toHaveLength(callsIn5s);
    expect(tried.tokenRequests).toBeGreaterThanOrEqual(5);
    expect(tried.tokenRequests).toBeLessThanOrEqual(12);
    const waits = errors.map(({ retryAfterMs }) => retryAfterMs ?? Number.NaN);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_500);
    const held = errors.filter(({ message }) =>
      /: not sent: paused for another \d\.\d s after /.test(message),
    );
    expect(held).toHaveLength(callsIn5s - tried.tokenRequests);

    isFailing = false;
    if (failure === 'stopped') await server.start();
    let result: unknown;
    let calls = 0;
    while (result === undefined && calls * stepMs < 2_000)
      result = await call(calls++).catch(() => undefined);
    expect(result).toEqual([]);
  });
});
