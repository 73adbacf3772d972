import { createClient, type Fetch, tokenAuth } from 'restkin';
import { expect, test } from 'vitest';
import { createTestClient } from '../../../faults/clients.ts';
import { mostPresented, startTokenServer } from '../../../faults/token-server.ts';
import { grantsOf, serveTokens, tokenReply } from '../../../support/token-server.ts';

/** Three renewals, one after the other, with a server that gives these refresh tokens in turn. */
const renewWith = async (...refreshTokens: readonly string[]) => {
  const seen: (string | null)[] = [];
  await using server = await serveTokens({
    token: (form, index) => {
      seen.push(form.get('refresh_token'));
      return tokenReply(`access-${index}`, refreshTokens[index] ?? `fresh-${index}`);
    },
    // Each access token is good for one request.
    api: () => ({ status: 599 }),
  });
  const auth = tokenAuth({ authUrl: server.url, username: 'ada', password: 'lovelace' });
  const client = createClient({ baseUrl: server.url, auth, retry: false });
  for (let count = 0; count < 3; count++) {
    await client.request({ method: 'GET', path: 'x' }).catch(() => undefined);
  }
  return { grants: grantsOf(server), seen: seen.filter((token) => token !== null) };
};

test('§5.2.7 a refresh token that its own response returns is not resent', async () => {
  const { grants, seen } = await renewWith('once', 'once', 'once', 'once');
  expect(grants).toEqual(['password', 'refresh_token', 'password', 'refresh_token']);
  expect(seen).toEqual(['once', 'once']);
});

test('a refresh token that was sent is not resent when nothing listens for the password after it', async () => {
  await using server = await startTokenServer({
    behave: (grant) => (grant === 'refresh_token' ? { status: 500 } : undefined),
  });
  let isGone = false;
  const fetch: Fetch = async (input, init) => {
    if (isGone && String(init?.body).includes('grant_type=password'))
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    return globalThis.fetch(input, init);
  };
  const { call } = createTestClient(server, { fetch });
  await call();
  server.expireAll();
  isGone = true;
  await expect(call()).rejects.toMatchObject({ code: 'token_request_failed', temporary: true });
  isGone = false;
  await expect.poll(() => call().catch(() => 'not yet'), { timeout: 5_000 }).toEqual([]);
  expect(server.tokenRequests).toEqual(['password', 'refresh_token', 'password']);
  expect(mostPresented(server)).toBe(1);
});
