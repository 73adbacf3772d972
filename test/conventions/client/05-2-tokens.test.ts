import {
  CrossOriginUrlError,
  memoryStore,
  RedirectRefusedError,
  tokenAuth,
  UnauthorizedError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { Company, ordering } from '../../support/ordering.ts';
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

describe('§5.2 the access token', () => {
  test('§5.2.2 two schemes of one login share its tokens where they share a store', async () => {
    await using server = await serveTokens();
    const store = memoryStore();
    for (let count = 0; count < 2; count++) {
      const auth = tokenAuth({ authUrl: server.url, ...login, store });
      await connect(server, { auth }).request(own);
    }
    expect([grantsOf(server), credentialsOf(server.calls)]).toEqual([
      ['password'],
      ['Bearer access-1', 'Bearer access-1'],
    ]);
  });
});

describe('§5.2.9 a token that is refused', () => {
  test('§5.2.9 after a 401 the request is sent once more with a new token, its body too', async () => {
    await using server = await serveTokens({ api: () => ({ status: 204 }) });
    const { companies } = clientOf(server).api(ordering);
    await companies.delete(1);
    server.expire();
    await companies.update(1, { name: 'x' });
    expect(server.calls.map(({ method, body, headers }) => [method, body, headers.authorization])).toEqual([
      ['DELETE', '', 'Bearer access-1'],
      ['PATCH', '{"name":"x"}', 'Bearer access-1'],
      ['PATCH', '{"name":"x"}', 'Bearer access-2'],
    ]);
  });

  test('§5.2.9 a 401 twice is an UnauthorizedError', async () => {
    await using server = await serveTokens({ api: () => unauthorized });
    const error = await rejectionOf(clientOf(server).request(own));
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error).toMatchObject({ status: 401, detail: 'Invalid or no token' });
    expect(credentialsOf(server.calls)).toEqual(['Bearer access-1', 'Bearer access-2']);
    expect(grantsOf(server)).toEqual(['password', 'refresh_token']);
  });

  test('§5.2.9 a late 401 for a token that was replaced refreshes nothing', async () => {
    const [arrived, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using tokens = await serveTokens();
    await using server = await record(async ({ url, headers }) => {
      if (headers.authorization === 'Bearer access-2') return json({ ok: true });
      if (url === '/slow') {
        arrived.resolve();
        await late.promise;
      }
      return unauthorized;
    });
    const client = connect(server, { auth: tokenAuth({ authUrl: tokens.url, ...login }) });
    const slow = client.request({ method: 'GET', path: 'slow' });
    await arrived.promise;
    await client.request({ method: 'GET', path: 'fast' });
    late.resolve();
    await slow;
    expect(grantsOf(tokens)).toEqual(['password', 'refresh_token']);
    expect(server.requests.map(({ url, headers }) => `${url} ${headers.authorization}`)).toEqual([
      '/slow Bearer access-1',
      '/fast Bearer access-1',
      '/fast Bearer access-2',
      '/slow Bearer access-2',
    ]);
  });
});

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
    const failure = await rejectionOf(client.follow(Company, `${other.url}/v1/companies/1`));
    expect(failure).toBeInstanceOf(CrossOriginUrlError);
    expect([server.calls.length, other.requests.length]).toEqual([1, 0]);
  });

  test('§4.1 a token request that is redirected does not travel', async () => {
    await using other = await record(() => tokenReply('stolen', 'stolen'));
    await using server = await serveTokens({
      token: () => ({ status: 307, headers: { location: `${other.url}/auth/token` } }),
    });
    const error = await rejectionOf(clientOf(server).request(own));
    expect(String(error)).toContain(`redirect to ${other.url} refused; check \`authUrl\``);
    expect([server.forms.length, server.calls.length, other.requests.length]).toEqual([1, 0, 0]);
  });
});
