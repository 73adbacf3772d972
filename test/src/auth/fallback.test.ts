import { basicAuth, createClient, customAuth, defineApi, type Fetch, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { ordering } from '../../support/ordering.ts';
import { rejectionOf } from '../../support/shop.ts';

const either = defineApi({ ...ordering, name: 'either', auth: ['token', 'basic'] });
const login = { username: 'ada', password: 'lovelace' };
const createToken = () => tokenAuth({ authUrl: 'https://auth.test', ...login });

/** Orders of an API that refuses all but Basic with this challenge, and the schemes that it got. */
const connect = (challenge: string, auth = createToken()) => {
  const schemes: (string | undefined)[] = [];
  const fetch: Fetch = async (input, init) => {
    if (String(input).endsWith('/auth/token'))
      return Response.json({ access_token: 'a', token_type: 'bearer' });
    const scheme = new Headers(init?.headers).get('authorization')?.split(' ')[0];
    schemes.push(scheme);
    return scheme === 'Basic'
      ? Response.json([])
      : Response.json({ message: 'No' }, { status: 401, headers: { 'www-authenticate': challenge } });
  };
  const schemesOf = { token: auth, basic: basicAuth(login) };
  const client = createClient({ baseUrl: 'https://api.test', auth: schemesOf, fetch, retry: false });
  return { client, orders: client.api(either).orders, schemes };
};

test('a body that is a stream is not sent again after a 401, and its token may only be stale', async () => {
  const { client, orders, schemes } = connect('Basic');
  const body = new Blob(['a']).stream();
  await rejectionOf(
    client.request({ method: 'PUT', path: 'x', body, contentType: 'audio/wav', api: either }),
  );
  expect(schemes).toEqual(['Bearer']);
  await orders.list();
  expect(schemes).toEqual(['Bearer', 'Bearer', 'Bearer', 'Basic']);
});

// The fields of a response may be this long in some runtimes.
const unended = `Basic realm="${'\\"'.repeat(200_000)}`;

describe('an API that takes tokens and Basic', () => {
  test.each([
    ['in lower case', 'basic'],
    ['among others', 'Digest realm="a", Basic realm="b"'],
    ['with Bearer in a realm', 'Basic realm="sorry, Bearer is over"'],
    ['with a string that does not end', unended],
    ['with a string that ends in a backslash', `${unended}\\`],
  ])('falls back for a challenge for Basic %s', async (_name, challenge) => {
    const { orders, schemes } = connect(challenge);
    expect((await orders.list()).items).toEqual([]);
    expect(schemes).toEqual(['Bearer', 'Bearer', 'Basic']);
  });

  test('falls back for each of two clients that share a login', async () => {
    const auth = createToken();
    for (const { orders, schemes } of [connect('Basic', auth), connect('Basic', auth)]) {
      expect((await orders.list()).items).toEqual([]);
      expect(schemes.at(-1)).toBe('Basic');
    }
  });

  test.each([
    ['another scheme', 'Digest realm="a"'],
    ['another scheme whose realm says Basic', 'Digest realm="for old, Basic clients"'],
    ['a scheme whose name begins with Basic', 'Basically realm="a"'],
    ['nothing', ''],
  ])('never falls back for a challenge for %s', async (_name, challenge) => {
    const { orders, schemes } = connect(challenge);
    await rejectionOf(orders.list());
    expect(schemes).not.toContain('Basic');
  });

  test('never falls back from a scheme of its own to Basic', async () => {
    const { orders, schemes } = connect('Basic', customAuth(() => ({ authorization: 'Own key' })) as never);
    await rejectionOf(orders.list());
    expect(schemes).not.toContain('Basic');
  });
});
