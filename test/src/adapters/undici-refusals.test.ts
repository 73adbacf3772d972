import { createRequire } from 'node:module';
import { ConnectionError, createClient, type Fetch, TokenRequestError, tokenAuth } from 'restkin';
import type { Agent } from 'undici';
import undici8 from 'undici-8';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { json } from '../../support/recording-server.ts';
import { grantsOf, serveTokens } from '../../support/token-server.ts';

// Whichever version `undici` is in this run.
const undici7: typeof import('undici') = createRequire(import.meta.url)('undici');

describe('a fetch of undici that refuses its arguments, such as a dispatcher of another major version', () => {
  const refusing: Fetch = async (url, { method, headers }) => {
    const dispatcher = new undici8.Agent() as unknown as Agent;
    const response = await undici7.fetch(url, { method, headers, dispatcher });
    return new Response(await response.text());
  };

  test('nothing counts as sent, nothing is retried, and the error says why', async () => {
    const { orders } = connect('https://api.example', { fetch: refusing, retry: { baseDelayMs: 1 } });
    const error = await failureOf(orders.create(orderBody), ConnectionError);
    expect([error.reason, error.sent, error.attempts.length]).toEqual(['UND_ERR_INVALID_ARG', false, 1]);
    expect(error.message).toContain('nothing was sent: `fetch` refused');
  });

  test('a refresh token is kept', async () => {
    await using server = await serveTokens({ api: () => json(order(7)) });
    let isRefusing = false;
    const client = createClient({
      baseUrl: server.url,
      auth: tokenAuth({ authUrl: server.url, ...login }),
      fetch: (url, init) => (isRefusing && url.endsWith('/auth/token') ? refusing : fetch)(url, init),
    });
    const { orders } = client.api(ordering);
    await orders.get(7);
    server.expire();
    isRefusing = true;
    const error = await failureOf(orders.get(7), TokenRequestError);
    expect(error).toMatchObject({ temporary: false, attempts: [{ error: 'token_request_failed' }] });
    expect(error.message).toContain('nothing was sent: `fetch` refused');
    isRefusing = false;
    await expect.poll(() => orders.get(7).catch(() => undefined)).toMatchObject({ id: 7 });
    expect(grantsOf(server)).toEqual(['password', 'refresh_token']);
  });
});
