import { CrossOriginUrlError, RedirectRefusedError, tokenAuth } from 'restkin';
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
});

describe('§5.2.8 tokens of one environment stay there', () => {
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
    const error = await rejectionOf(clientOf(server).request(own));
    expect(String(error)).toContain('redirect refused; check `authUrl`');
    expect([server.forms.length, server.calls.length, other.requests.length]).toEqual([1, 0, 0]);
  });
});
