import { createClient, InvalidCredentialsError, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { client as application, startNodeOAuth, startOidcProvider, user } from './token-servers.ts';

const servers = [
  ['node-oauth', startNodeOAuth],
  ['oidc-provider', startOidcProvider],
] as const;

describe.each(servers)('%s', (_name, start) => {
  test('20 callers cost one password and 50 refreshes, and no refresh token is sent twice', async () => {
    await using server = await start();
    const auth = tokenAuth({ authUrl: server.url, ...user, client: application });
    const refused = new Set<string>();
    let latest = '';
    const client = createClient({
      baseUrl: 'https://api.example.com',
      auth,
      fetch: async (url, init) => {
        if (String(url).startsWith(server.url)) return fetch(url, init);
        const token = new Headers(init?.headers).get('authorization') ?? '';
        if (refused.has(token)) return Response.json({ message: 'expired' }, { status: 401 });
        latest = token;
        return Response.json({});
      },
    });
    const call = () => client.request({ method: 'GET', path: 'v1/anything' });
    for (let round = 0; round <= 50; round++) {
      refused.add(latest);
      await Promise.all(Array.from({ length: 20 }, call));
    }
    expect(server.grants).toEqual(['password', ...Array.from({ length: 50 }, () => 'refresh_token')]);
    expect(server.reused()).toBe(0);
  });

  test('a wrong password is sent once, however many calls fail', async () => {
    await using server = await start();
    const auth = tokenAuth({ authUrl: server.url, ...user, password: 'wrong', client: application });
    const client = createClient({ baseUrl: server.url, auth });
    for (let calls = 0; calls < 20; calls++) {
      const call = client.request({ method: 'GET', path: 'v1/anything' });
      await expect(call).rejects.toBeInstanceOf(InvalidCredentialsError);
    }
    expect(server.grants).toEqual(['password']);
  });
});
