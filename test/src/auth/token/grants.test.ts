import { createClient, type Fetch, tokenAuth } from 'restkin';
import { expect, test } from 'vitest';
import { createTestClient } from '../../../faults/clients.ts';
import { mostPresented, startTokenServer } from '../../../faults/token-server.ts';

/** Three renewals, one after the other, with a server that gives these refresh tokens in turn. */
const renewWith = async (...refreshTokens: readonly string[]) => {
  const forms: URLSearchParams[] = [];
  const used = new Set<string | undefined>();
  const fetch: Fetch = async (input, { body, headers }) => {
    if (input.endsWith('/auth/token')) {
      const index = forms.push(new URLSearchParams(String(body))) - 1;
      const refresh_token = refreshTokens[index];
      return Response.json({ access_token: `access-${index}`, token_type: 'bearer', refresh_token });
    }
    // Each access token is good for one request.
    const status = used.has(headers.authorization) ? 401 : 200;
    used.add(headers.authorization);
    return Response.json({}, { status });
  };
  const auth = tokenAuth({ authUrl: 'https://auth.test', username: 'ada', password: 'lovelace' });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false });
  for (let count = 0; count < 4; count++) await client.request({ method: 'GET', path: 'x' });
  const seen = forms.map((form) => form.get('refresh_token')).filter((token) => token !== null);
  return { grants: forms.map((form) => form.get('grant_type')), seen };
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
