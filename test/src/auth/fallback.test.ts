import {
  basicAuth,
  createClient,
  customAuth,
  defineApi,
  type Fetch,
  InvalidCredentialsError,
  TokenRequestError,
  tokenAuth,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { type Behaviour, startTokenServer } from '../../faults/token-server.ts';
import { ordering } from '../../support/ordering.ts';
import { json, type Reply, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

const either = defineApi({ ...ordering, name: 'either', auth: ['token', 'basic'] });
const login = { username: 'ada', password: 'lovelace' };

/** An API that refuses all but Basic, and says why as a test wants. */
const startApi = (refusal: Reply) =>
  record(({ headers }) => (headers.authorization?.startsWith('Basic ') ? json([]) : refusal));

const refusal = (challenge: string | readonly string[], status = 401): Reply =>
  json({ message: 'No' }, status, { 'www-authenticate': challenge });

const createOrders = (api: { readonly url: string }, tokens: { readonly url: string }, fetch?: Fetch) => {
  const auth = { token: tokenAuth({ authUrl: tokens.url, ...login }), basic: basicAuth(login) };
  return createClient({ baseUrl: api.url, auth, fetch, retry: { baseDelayMs: 1 } }).api(either).orders;
};

const schemesOf = ({ requests }: Awaited<ReturnType<typeof startApi>>): readonly string[] =>
  requests.map(({ headers }) => headers.authorization?.split(' ')[0] ?? 'none');

describe('an API that takes tokens and Basic falls back to Basic', () => {
  test.each<[string, string | readonly string[]]>([
    ['Basic', 'Basic realm="old"'],
    ['basic in lower case', 'basic'],
    ['Basic among others', 'Digest realm="a", Basic realm="b"'],
    ['Basic in a field of its own', ['Digest realm="a"', 'Basic realm="b"']],
    ['Basic, with Bearer in a realm', 'Basic realm="sorry, Bearer is over"'],
  ])('when a fresh token is refused with a challenge for %s', async (_name, challenge) => {
    await using tokens = await startTokenServer();
    await using api = await startApi(refusal(challenge));
    const orders = createOrders(api, tokens);
    expect((await orders.list()).items).toEqual([]);
    expect(schemesOf(api)).toEqual(['Bearer', 'Bearer', 'Basic']);
  });

  test.each(['', '\\'])('when the challenge has a long string that does not end, then %j', async (end) => {
    // The fields of a response may be this long in some runtimes.
    const challenge = `Basic realm="${'\\"'.repeat(200_000)}${end}`;
    const fetch: Fetch = async (input, init) => {
      if (String(input).endsWith('/auth/token'))
        return Response.json({ access_token: 'a', token_type: 'bearer', expires_in: 600 });
      return new Headers(init?.headers).get('authorization')?.startsWith('Basic ')
        ? Response.json([])
        : Response.json({}, { status: 401, headers: { 'www-authenticate': challenge } });
    };
    const orders = createOrders({ url: 'https://api.test' }, { url: 'https://auth.test' }, fetch);
    expect((await orders.list()).items).toEqual([]);
  });

  test('and remembers it: no further token is got', async () => {
    await using tokens = await startTokenServer();
    await using api = await startApi(refusal('Basic realm="old"'));
    const orders = createOrders(api, tokens);
    await orders.list();
    const requests = tokens.tokenRequests.length;
    for (let count = 0; count < 5; count++) await orders.list();
    expect(schemesOf(api).slice(3)).toEqual(Array.from({ length: 5 }, () => 'Basic'));
    expect(tokens.tokenRequests).toHaveLength(requests);
  });

  test('from the start when the client has no token scheme', async () => {
    await using api = await startApi(refusal('Bearer'));
    const client = createClient({ baseUrl: api.url, auth: basicAuth(login) });
    await client.api(either).orders.list();
    expect(schemesOf(api)).toEqual(['Basic']);
  });
});

describe.concurrent('it never falls back', () => {
  test.each<[string, Reply]>([
    ['for a challenge that names Bearer', refusal('Bearer error="invalid_token"')],
    ['for a challenge that names both', refusal('Basic realm="a", Bearer realm="a"')],
    ['for both in two fields', refusal(['Basic realm="a"', 'Bearer'])],
    ['for a challenge of another scheme', refusal('Digest realm="a"')],
    ['for another scheme whose realm says Basic', refusal('Digest realm="for old, Basic clients"')],
    ['for a scheme whose name begins with Basic', refusal('Basically realm="a"')],
    ['for an empty challenge', refusal('')],
    ['without a challenge', json({ message: 'No' }, 401)],
    ['for a 403', refusal('Basic realm="a"', 403)],
    ['for a 407', refusal('Basic realm="a"', 407)],
    ['for a 400', refusal('Basic realm="a"', 400)],
  ])('%s', async (_name, reply) => {
    await using tokens = await startTokenServer();
    await using api = await startApi(reply);
    await rejectionOf(createOrders(api, tokens).list());
    expect(schemesOf(api)).not.toContain('Basic');
  });

  test('after rejected credentials, also when the token endpoint challenges with Basic', async () => {
    await using tokens = await record(() => refusal('Basic realm="a"'));
    await using api = await startApi(refusal('Basic realm="a"'));
    const auth = { token: tokenAuth({ authUrl: tokens.url, ...login }), basic: basicAuth(login) };
    const { orders } = createClient({ baseUrl: api.url, auth }).api(either);
    expect(await rejectionOf(orders.list())).toBeInstanceOf(InvalidCredentialsError);
    expect(await rejectionOf(orders.list())).toBeInstanceOf(InvalidCredentialsError);
    expect(api.requests).toEqual([]);
  });

  test.each<[string, Behaviour]>([
    ['503', { status: 503 }],
    ['400', { status: 400 }],
    ['a lost connection', { drop: 'before' }],
    ['no token', { body: { access_token: '' } }],
  ])('when the token endpoint answers %s', async (_name, behaviour) => {
    await using tokens = await startTokenServer({ behave: () => behaviour });
    await using api = await startApi(refusal('Basic realm="a"'));
    expect(await rejectionOf(createOrders(api, tokens).list())).toBeInstanceOf(TokenRequestError);
    expect(api.requests).toEqual([]);
  });

  test('when the token that was refused cannot be renewed', async () => {
    await using tokens = await startTokenServer({
      behave: (_grant, index) => (index === 0 ? undefined : { status: 400 }),
    });
    await using api = await startApi(refusal('Basic realm="a"'));
    expect(await rejectionOf(createOrders(api, tokens).list())).toBeInstanceOf(TokenRequestError);
    expect(schemesOf(api)).toEqual(['Bearer']);
  });

  test('when the token endpoint cannot be reached', async () => {
    await using tokens = await startTokenServer();
    await tokens.stop();
    await using api = await startApi(refusal('Basic realm="a"'));
    expect(await rejectionOf(createOrders(api, tokens).list())).toBeInstanceOf(TokenRequestError);
    expect(api.requests).toEqual([]);
  });

  test('from a scheme of its own to Basic', async () => {
    await using api = await startApi(refusal('Basic realm="a"'));
    const auth = { token: customAuth(() => ({ authorization: 'Own key' })), basic: basicAuth(login) };
    await rejectionOf(createClient({ baseUrl: api.url, auth }).api(either).orders.list());
    expect(schemesOf(api)).not.toContain('Basic');
  });
});
