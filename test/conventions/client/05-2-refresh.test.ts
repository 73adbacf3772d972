import { CrossOriginUrlError, createClient, memoryStore, RedirectRefusedError, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { Company } from '../../support/ordering.ts';
import { json, record } from '../../support/recording-server.ts';
import { connect, rejectionOf } from '../../support/shop.ts';
import {
  credentialsOf,
  grantsOf,
  serveTokens,
  type TokenServer,
  tokenReply,
  unauthorized,
} from '../../support/token-server.ts';

const login = { username: 'ada', password: 'lovelace' };
const own = { method: 'GET', path: 'v1/orders' } as const;

const clientOf = (server: TokenServer) =>
  connect(server, { auth: tokenAuth({ authUrl: server.url, ...login }) });

describe('§5.2.7 a refresh token is used once', () => {
  test.each([
    ['401', unauthorized],
    ['400', json({ message: 'refresh_token is invalid' }, 400)],
    ['500', json({ message: 'busy' }, 500)],
    ['503', json({ message: 'busy' }, 503)],
    ['a response without a token', json({})],
  ])('§5.2.7 a refresh that gets %s is followed by one password request', async (_what, reply) => {
    await using server = await serveTokens({
      token: (form) => (form.get('grant_type') === 'refresh_token' ? reply : undefined),
    });
    const client = clientOf(server);
    await client.request(own);
    server.expire();
    expect(await client.request(own)).toEqual({ ok: true });
    expect(grantsOf(server)).toEqual(['password', 'refresh_token', 'password']);
    expect(credentialsOf(server.calls).at(-1)).toBe('Bearer access-3');
  });

  test('§5.2.7 a refresh whose response was lost is not resent', async () => {
    const grants: (string | null)[] = [];
    await using tokens = await record(({ body }) => {
      const grant = new URLSearchParams(body).get('grant_type');
      grants.push(grant);
      return grant === 'refresh_token' ? 'drop' : tokenReply(`access-${grants.length}`, 'refresh');
    });
    await using server = await record(({ headers }) =>
      headers.authorization === 'Bearer access-3' ? json({ ok: true }) : unauthorized,
    );
    const client = connect(server, { auth: tokenAuth({ authUrl: tokens.url, ...login }) });
    expect(await client.request(own)).toEqual({ ok: true });
    expect(grants).toEqual(['password', 'refresh_token', 'password']);
  });

  test('§5.2.7 after a password request that failed too, the spent token stays unsent', async () => {
    await using server = await serveTokens({
      token: (_form, index) => (index === 1 || index === 2 ? json({ message: 'busy' }, 400) : undefined),
    });
    const client = clientOf(server);
    await client.request(own);
    server.expire();
    await rejectionOf(client.request(own));
    // The endpoint failed, and is left alone for the first backoff.
    await expect.poll(() => client.request(own).catch(() => undefined)).toEqual({ ok: true });
    expect(grantsOf(server)).toEqual(['password', 'refresh_token', 'password', 'password']);
  });
});

describe('§5.2.8 tokens of one environment stay there', () => {
  test('§5.2.8 production and test keep their own tokens, also in one store', async () => {
    await using production = await serveTokens({ prefix: 'production-' });
    await using testing = await serveTokens({ prefix: 'test-' });
    const store = memoryStore();
    const clients = [production, testing].map((server) => ({
      server,
      client: connect(server, { auth: tokenAuth({ authUrl: server.url, ...login, store }) }),
    }));
    for (const { client, server } of [...clients, ...clients]) {
      await client.request(own);
      server.expire();
    }
    expect(credentialsOf(production.calls)).toEqual([
      'Bearer production-access-1',
      'Bearer production-access-1',
      'Bearer production-access-2',
    ]);
    expect(credentialsOf(testing.calls)).toEqual([
      'Bearer test-access-1',
      'Bearer test-access-1',
      'Bearer test-access-2',
    ]);
    const refreshTokens = clients.map(({ server }) => server.forms.map((form) => form.get('refresh_token')));
    expect(refreshTokens).toEqual([
      [null, 'production-refresh-1'],
      [null, 'test-refresh-1'],
    ]);
  });

  test('§5.2.8 no link and no redirect takes a token to another origin', async () => {
    await using other = await record(() => json({}));
    await using server = await serveTokens({
      api: () => ({ status: 307, headers: { location: `${other.url}/v1/orders` } }),
    });
    const client = clientOf(server);
    expect(await rejectionOf(client.request(own))).toBeInstanceOf(RedirectRefusedError);
    expect(await rejectionOf(client.follow(Company, `${other.url}/v1/companies/1`))).toBeInstanceOf(
      CrossOriginUrlError,
    );
    expect([server.calls.length, other.requests.length]).toEqual([1, 0]);
  });

  test('§4.1 a token request that is redirected does not travel', async () => {
    await using other = await record(() => tokenReply('stolen', 'stolen'));
    await using server = await serveTokens({
      token: () => ({ status: 307, headers: { location: `${other.url}/auth/token` } }),
    });
    await rejectionOf(clientOf(server).request(own));
    expect([server.forms.length, server.calls.length, other.requests.length]).toEqual([1, 0, 0]);
  });

  test('§5.2.8 plain http to another host than this machine is refused', () => {
    const auth = tokenAuth({ authUrl: 'http://auth.example.com', ...login });
    expect(() => createClient({ baseUrl: 'https://api.example.com', auth })).toThrow(
      'authUrl is plain http:',
    );
  });
});
