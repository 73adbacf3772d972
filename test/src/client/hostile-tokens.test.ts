import { type ClientOptions, createClient, TokenRequestError, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { failureOf, login, order } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { type Reply, type Responder, startRawServer } from '../../support/raw-server.ts';

const good = {
  access_token: 'at-1',
  token_type: 'bearer',
  expires_in: 600,
  refresh_token: 'rt-1',
  refresh_expires_in: 2_592_000,
};
const token = (change: object = {}): Reply => ({ body: JSON.stringify({ ...good, ...change }) });

/** A client whose token endpoint responds with this, and the requests to the API and to the endpoint. */
const signingIn = async (answer: Reply | Responder, options: Partial<ClientOptions> = {}) => {
  const api = await startRawServer(() => ({ body: JSON.stringify(order(7)) }));
  const auth = await startRawServer(typeof answer === 'function' ? answer : () => answer);
  const scheme = tokenAuth({ authUrl: auth.url, ...login });
  const client = createClient({ baseUrl: api.url, auth: scheme, retry: false, ...options });
  return { orders: client.api(ordering).orders, api, auth };
};

describe('a response that gives no token', () => {
  test.each<[string, Reply, number]>([
    ['null', { body: 'null' }, 200],
    ['a list', { body: '[]' }, 200],
    ['an empty access_token', token({ access_token: '' }), 200],
    ['an access_token that is no text', token({ access_token: { a: 1 } }), 200],
    ['an access_token that cannot stand in a header', token({ access_token: 'a\r\nb' }), 200],
    ['an access_token with a space', token({ access_token: 'a b' }), 200],
    ['no JSON', { body: 'busy' }, 200],
    ['another token_type', token({ token_type: 'mac' }), 200],
    ['no token_type', token({ token_type: undefined }), 200],
    ['400', { status: 400, body: '{"message":"no"}' }, 400],
    ['403', { status: 403 }, 403],
    ['404', { status: 404, body: '<html>' }, 404],
    ['204', { status: 204 }, 204],
  ])('is an error, and nothing is sent to the API: %s', async (_name, reply, status) => {
    const { orders, api } = await signingIn(reply);
    const error = await failureOf(orders.get(7), TokenRequestError);
    expect(error).toMatchObject({ status, temporary: false, code: 'token_request_failed' });
    expect(api.requests).toHaveLength(0);
  });

  test.each(['abc-secret\r\nx: y', 'abc-sécret', 'abc-Ωsecret', 'abc secret'])(
    'a token that a header cannot carry is named, and not shown: %j',
    async (access_token) => {
      const { orders } = await signingIn(token({ access_token }));
      const error = await failureOf(orders.get(7), TokenRequestError);
      expect(error.message).toContain('the access_token of the response is not visible ASCII');
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('secret');
    },
  );

  test('no server listens: the request is retried, and the API gets none', async () => {
    const api = await startRawServer(() => ({ body: '{}' }));
    const authUrl = api.url.replace('127.0.0.1', '127.0.0.2');
    const client = createClient({
      baseUrl: api.url,
      auth: tokenAuth({ authUrl, ...login }),
      retry: { baseDelayMs: 1 },
    });
    const error = await failureOf(client.api(ordering).orders.create({} as never), TokenRequestError);
    expect(error).toMatchObject({ status: undefined, temporary: true });
    expect(error.message).toContain('ECONNREFUSED');
    expect(api.requests).toHaveLength(0);
  });
});
