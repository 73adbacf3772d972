import { describe, expect, test } from 'vitest';
import { createOrdering, requestTokens, send, signedIn } from './calls.ts';

const limited = () => createOrdering({ rateLimit: { requests: 2, perMs: 10_500 } });

describe('§8 with a rate limit', () => {
  test('a window begins with the first request after the last one', async () => {
    const mock = limited();
    const call = await signedIn(mock);
    const statuses = async () => [
      (await call('/v1/orders')).status,
      (await call('/v1/orders')).status,
      (await call('/v1/orders')).status,
    ];
    expect(await statuses()).toEqual([200, 200, 429]);
    expect((await call('/v1/orders')).headers.get('retry-after')).toBe('11');
    mock.clock.advance({ seconds: 30 });
    expect(await statuses()).toEqual([200, 200, 429]);
    mock.clock.advance({ seconds: 9 });
    expect((await call('/v1/orders')).status).toBe(429);
    mock.clock.advance({ seconds: -60 });
    expect((await call('/v1/orders')).status).toBe(200);
  });

  test('OPTIONS and the token endpoint are not limited, and reset begins a new window', async () => {
    const mock = limited();
    const call = await signedIn(mock);
    for (let index = 0; index < 3; index += 1) {
      expect((await call('/v1/orders', { method: 'OPTIONS' })).status).toBe(200);
      expect((await requestTokens(mock)).status).toBe(200);
    }
    await call('/v1/orders');
    await call('/v1/orders');
    expect((await send(mock, '/v1/orders')).status).toBe(429);
    mock.reset();
    expect((await send(mock, '/v1/orders')).status).toBe(401);
  });
});
