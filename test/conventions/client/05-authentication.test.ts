import { customAuth, defineApi, UnauthorizedError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { ordering } from '../../support/ordering.ts';
import { json, record } from '../../support/recording-server.ts';
import { connect, rejectionOf, shopAt } from '../../support/shop.ts';
import { unauthorized } from '../../support/token-server.ts';

describe('§5.1 Basic', () => {
  test('§5.1 Basic that is refused is not resent', async () => {
    await using server = await record(() => unauthorized);
    expect(await rejectionOf(shopAt(server).orders.list())).toBeInstanceOf(UnauthorizedError);
    expect(server.requests).toHaveLength(1);
  });
});

describe("§5 an API's own style", () => {
  const custom = defineApi({ ...ordering, name: 'custom', auth: 'custom' });

  test('§5 customAuth gives the header fields of each request', async () => {
    await using server = await record(() => json([]));
    let count = 0;
    const auth = customAuth(({ method, url, refused }) => {
      count += 1;
      return { 'X-Signature': `${method} ${new URL(url).pathname} ${refused} ${count}` };
    });
    const { orders } = connect(server, { auth }).api(custom);
    await orders.list();
    await orders.list();
    expect(server.requests.map(({ headers }) => headers['x-signature'])).toEqual([
      'GET /v1/orders false 1',
      'GET /v1/orders false 2',
    ]);
  });

  test.each([
    ['other fields', () => ({ 'x-key': 'new' }), ['old', 'new']],
    ['nothing', () => undefined, ['old']],
  ])('§5 customAuth is asked once more after a 401, and may give %s', async (_what, renew, keys) => {
    await using server = await record(() => unauthorized);
    const auth = customAuth(({ refused }) => (refused ? renew() : { 'x-key': 'old' }));
    const failure = await rejectionOf(connect(server, { auth }).api(custom).orders.list());
    expect(failure).toBeInstanceOf(UnauthorizedError);
    expect(server.requests.map(({ headers }) => headers['x-key'])).toEqual(keys);
  });
});
