import { createClient, tokenAuth } from 'restkin';
import { expect, test } from 'vitest';
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
