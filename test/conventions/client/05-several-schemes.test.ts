import { basicAuth, customAuth, defineApi, tokenAuth, UnauthorizedError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { ordering } from '../../support/ordering.ts';
import { json, type Reply, record } from '../../support/recording-server.ts';
import { connect, rejectionOf } from '../../support/shop.ts';
import { credentialsOf, serveTokens, unauthorized } from '../../support/token-server.ts';

const login = { username: 'ada', password: 'lovelace' };
const basicHeader = 'Basic YWRhOmxvdmVsYWNl';
const either = defineApi({ ...ordering, name: 'either', auth: ['token', 'basic'] });

describe('§5 several schemes', () => {
  const both = (authUrl: string) => ({ token: tokenAuth({ authUrl, ...login }), basic: basicAuth(login) });
  const challenge = (value: string | readonly string[]): Reply =>
    json({ message: 'no' }, 401, { 'www-authenticate': value });

  test('§5 a fresh token that is refused in favour of Basic alone falls back to it, and that is remembered', async () => {
    await using tokens = await serveTokens();
    await using server = await record(({ headers }) =>
      headers.authorization === basicHeader ? json([]) : challenge('Basic realm="old"'),
    );
    const { orders, companies } = connect(server, { auth: both(tokens.url) }).api(either);
    await orders.list();
    await companies.list();
    expect(credentialsOf(server.requests)).toEqual([
      'Bearer access-1',
      'Bearer access-2',
      basicHeader,
      basicHeader,
    ]);
    expect(tokens.forms).toHaveLength(2);
  });

  test.each([
    ['names both', challenge('Bearer realm="a", Basic realm="a"')],
    ['names both in two fields', challenge(['Basic realm="a"', 'Bearer'])],
    ['names Bearer', challenge('Bearer error="invalid_token"')],
    ['names neither', unauthorized],
    ['has Basic as a value only', challenge('Bearer realm="Basic"')],
    ['is a 403', json({ message: 'no' }, 403, { 'www-authenticate': 'Basic realm="a"' })],
  ])('§5 a response that %s does not fall back to Basic', async (_what, reply) => {
    await using tokens = await serveTokens();
    await using server = await record(() => reply);
    await rejectionOf(
      connect(server, { auth: both(tokens.url) })
        .api(either)
        .orders.list(),
    );
    expect(credentialsOf(server.requests)).not.toContain(basicHeader);
  });

  test('§5 refused credentials do not fall back to Basic', async () => {
    await using tokens = await serveTokens({ token: () => challenge('Basic realm="a"') });
    await using server = await record(() => json([]));
    await rejectionOf(
      connect(server, { auth: both(tokens.url) })
        .api(either)
        .orders.list(),
    );
    expect(server.requests).toEqual([]);
  });

  test('§5 an API that takes tokens alone never gets Basic', async () => {
    await using tokens = await serveTokens();
    await using server = await record(() => challenge('Basic realm="a"'));
    const error = await rejectionOf(
      connect(server, { auth: both(tokens.url) })
        .api(ordering)
        .orders.list(),
    );
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(credentialsOf(server.requests)).toEqual(['Bearer access-1', 'Bearer access-2']);
  });

  test('§5 a declaration names one of several schemes, and a call may too', async () => {
    await using server = await record(() => json([]));
    const auth = {
      old: basicAuth({ username: 'old', password: 'x' }),
      basic: basicAuth(login),
      key: customAuth(() => ({ 'x-api-key': 'k' })),
    };
    const client = connect(server, { auth });
    await client.api(defineApi({ ...ordering, name: 'b', auth: 'basic' })).orders.list();
    await client.api(defineApi({ ...ordering, name: 'o', auth: 'old' })).orders.list();
    await client.request({ method: 'GET', path: 'x', auth: 'key' });
    await client.request({ method: 'GET', path: 'x' });
    expect(server.requests.map(({ headers }) => headers.authorization ?? headers['x-api-key'])).toEqual([
      basicHeader,
      'Basic b2xkOng=',
      'k',
      'Basic b2xkOng=',
    ]);
  });
});
