import { basicAuth, createClient, isNotModified, tokenAuth, UnexpectedResponseError } from 'restkin';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, failureOf, login, order } from '../../support/basic-ordering.ts';
import { json, type RecordedRequest, type Reply, record } from '../../support/recording-server.ts';
import { isTokenRequest, tokenReply } from '../../support/token-server.ts';

/** A server whose every resource has the version that `tagOf` names, and that responds with 304 to who knows it. */
const serve = async (
  tagOf: (request: RecordedRequest) => string = () => '"v1"',
  bodyOf: (request: RecordedRequest) => unknown = ({ url }) => order(Number(url.split('/').at(-1))),
) => {
  const server = await record((request): Reply => {
    const etag = tagOf(request);
    return request.headers['if-none-match'] === etag
      ? { status: 304, headers: { etag, 'x-said': 'not modified' } }
      : json(bodyOf(request), 200, { etag, 'x-said': 'full' });
  });
  onTestFinished(() => server.close());
  return server;
};
const askedWith = ({ requests }: { readonly requests: readonly RecordedRequest[] }) =>
  requests.map(({ headers }) => headers['if-none-match']);

describe('cache', () => {
  test('a 304 gives the remembered value, with the fields of the 304', async () => {
    const server = await serve();
    const { orders } = connect(server.url, { cache: { entries: 10 } });
    const first = await orders.get(7);
    const { data, response } = await orders.get(7).withResponse();
    expect(data).toEqual(first);
    expect(data).not.toBe(first);
    expect([response.status, response.etag, response.headers.get('x-said')]).toEqual([
      200,
      '"v1"',
      'not modified',
    ]);
    expect(askedWith(server)).toEqual([undefined, '"v1"']);
  });

  test('what a caller does to a value does not change the remembered one', async () => {
    const server = await serve();
    const { orders } = connect(server.url, { cache: { entries: 10 } });
    const first = await orders.get(7);
    Object.assign(first, { status: 'cancelled' });
    expect((await orders.get(7)).status).toBe('open');
  });

  test('without the option nothing is remembered', async () => {
    const server = await serve();
    const { orders } = connect(server.url);
    await orders.get(7);
    await orders.get(7);
    expect(askedWith(server)).toEqual([undefined, undefined]);
  });

  test('a new version replaces the remembered one', async () => {
    let version = 1;
    const server = await serve(
      () => `"v${version}"`,
      () => ({ ...order(7), note: `v${version}` }),
    );
    const { orders } = connect(server.url, { cache: { entries: 10 } });
    const notes = [(await orders.get(7)).note];
    version = 2;
    notes.push((await orders.get(7)).note, (await orders.get(7)).note);
    expect(notes).toEqual(['v1', 'v2', 'v2']);
    expect(askedWith(server)).toEqual([undefined, '"v1"', '"v2"']);
  });

  test('by URL and by Accept', async () => {
    const server = await serve();
    const { client, orders } = connect(server.url, { cache: { entries: 10 } });
    await orders.get(7);
    await orders.get(7, { fields: ['status'] }).catch(() => undefined);
    await orders.get(8);
    await client.request({
      method: 'GET',
      path: 'v1/orders/7',
      accept: 'application/vnd.a+json, application/json',
    });
    expect(askedWith(server)).toEqual([undefined, undefined, undefined, undefined]);
    await client.request({ method: 'GET', path: 'v1/orders/7' });
    expect(askedWith(server)[4]).toBe('"v1"');
  });

  test('by the headers of a call: two tenants may have the same URL and the same ETag', async () => {
    const server = await serve(
      () => '"v1"',
      ({ headers }) => ({ ...order(7), note: headers['x-tenant'] }),
    );
    const { orders } = connect(server.url, { cache: { entries: 10 } });
    const notes: unknown[] = [];
    for (const tenant of ['a', 'b', 'a', 'b']) {
      const found = await orders.get(7, {
        headers: { 'x-tenant': tenant, 'x-request-id': `${notes.length}` },
      });
      notes.push((found as { readonly note?: unknown }).note);
    }
    expect(notes).toEqual(['a', 'b', 'a', 'b']);
    expect(askedWith(server)).toEqual([undefined, undefined, '"v1"', '"v1"']);
  });

  test('a page that is the last one by now has no next link any more, though its records are the same', async () => {
    let pages = 2;
    const server = await record(({ headers, url }): Reply => {
      const fields = {
        etag: '"v1"',
        'x-pagination-total-pages': String(pages),
        'x-pagination-current-page': '1',
        ...(pages > 1 ? { link: `<${url}?page=2>; rel="next"` } : {}),
      };
      return headers['if-none-match'] === '"v1"'
        ? { status: 304, headers: fields }
        : json([order(7)], 200, fields);
    });
    onTestFinished(() => server.close());
    const { orders } = connect(server.url, { cache: { entries: 10 } });
    expect((await orders.list()).next).toBeDefined();
    pages = 1;
    const { items, next, totalPages } = await orders.list();
    expect([items.length, next, totalPages]).toEqual([1, undefined, 1]);
  });

  test('the least recently used one is dropped first', async () => {
    const server = await serve();
    const { orders } = connect(server.url, { cache: { entries: 2 } });
    for (const id of [1, 2, 1, 3, 1, 2]) await orders.get(id);
    expect(askedWith(server)).toEqual([undefined, undefined, '"v1"', undefined, '"v1"', undefined]);
  });

  test('a condition of the caller is the only one, and 304 is its outcome', async () => {
    const server = await serve();
    const { orders } = connect(server.url, { cache: { entries: 2 } });
    await orders.get(7);
    expect(isNotModified(await orders.get(7, { ifNoneMatch: '"v1"' }))).toBe(true);
    expect(await orders.get(7, { ifNoneMatch: '"v0"' })).toMatchObject({ id: 7 });
    await orders.get(7, { modifiedSince: new Date(0) });
    expect(askedWith(server)).toEqual([undefined, '"v1"', '"v0"', undefined]);
  });

  test('writes and errors are not remembered', async () => {
    const replies: Reply[] = [
      json({ message: 'no' }, 404, { etag: '"e"' }),
      { status: 204, headers: { etag: '"w"' } },
      json(order(7), 200),
      json(order(7), 200),
    ];
    await using server = await record(() => replies.shift() ?? { status: 500 });
    const { orders } = connect(server.url, { cache: { entries: 2 } });
    await orders.get(7).catch(() => undefined);
    await orders.replace(7, {} as never);
    await orders.get(7);
    await orders.get(7);
    expect(askedWith(server)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test.each(['no-store', 'private, No-Store', 'max-age=0,no-store ,private'])(
    'a response with Cache-Control: %s is not remembered',
    async (value) => {
      await using server = await record(() => json(order(7), 200, { etag: '"v1"', 'cache-control': value }));
      const { orders } = connect(server.url, { cache: { entries: 2 } });
      await orders.get(7);
      await orders.get(7);
      expect(askedWith(server)).toEqual([undefined, undefined]);
    },
  );

  test('a response whose 304 says no-store is given once more, and forgotten', async () => {
    await using server = await record(({ headers }) =>
      headers['if-none-match'] === undefined
        ? json(order(7), 200, { etag: '"v1"', 'cache-control': 'private, x-no-store' })
        : { status: 304, headers: { 'cache-control': 'no-store' } },
    );
    const { orders } = connect(server.url, { cache: { entries: 2 } });
    for (let count = 0; count < 3; count++) expect((await orders.get(7)).id).toBe(7);
    expect(askedWith(server)).toEqual([undefined, '"v1"', undefined]);
  });

  test('a 304 to an unconditional request is not a value', async () => {
    await using server = await record(() => ({ status: 304 }));
    const call = connect(server.url, { cache: { entries: 2 } }).orders.get(7);
    expect((await failureOf(call, UnexpectedResponseError)).status).toBe(304);
  });
});

describe('the response of one user never reaches another', () => {
  /** Everybody's resource has the same tag, and another content. */
  const servePersonal = async () => {
    const server = await record((request): Reply => {
      if (isTokenRequest(request)) {
        const name = new URLSearchParams(request.body).get('username') ?? '';
        return tokenReply(`access-of-${name}`, `refresh-of-${name}`);
      }
      const { authorization = '', 'if-none-match': asked } = request.headers;
      return asked === '"v1"' ? { status: 304 } : json({ owner: authorization }, 200, { etag: '"v1"' });
    });
    onTestFinished(() => server.close());
    return server;
  };
  const ownersOf = async (client: ReturnType<typeof createClient>, names: readonly string[]) => {
    const owners: unknown[] = [];
    for (const auth of [...names, ...names]) {
      owners.push(((await client.request({ method: 'GET', path: 'me', auth })) as { owner: unknown }).owner);
    }
    return owners;
  };

  test('two logins with Basic', async () => {
    const server = await servePersonal();
    const auth = { a: basicAuth(login), b: basicAuth({ username: 'bob', password: 'hunter22' }) };
    const client = createClient({ baseUrl: server.url, auth, cache: { entries: 9 } });
    const [a, b, again, andB] = await ownersOf(client, ['a', 'b']);
    expect(a).not.toBe(b);
    expect([again, andB]).toEqual([a, b]);
  });

  test('two logins with tokens', async () => {
    const server = await servePersonal();
    const tokensOf = (username: string) => tokenAuth({ authUrl: server.url, username, password: 'hunter22' });
    const auth = { a: tokensOf('ann'), b: tokensOf('bob') };
    const client = createClient({ baseUrl: server.url, auth, cache: { entries: 9 } });
    expect(await ownersOf(client, ['a', 'b'])).toEqual([
      'Bearer access-of-ann',
      'Bearer access-of-bob',
      'Bearer access-of-ann',
      'Bearer access-of-bob',
    ]);
  });

  test('another person who logs in later', async () => {
    const server = await servePersonal();
    const auth = tokenAuth({ authUrl: server.url, tokens: { accessToken: 'of-ann' } });
    const client = createClient({ baseUrl: server.url, auth, cache: { entries: 9 } });
    const ask = () => client.request({ method: 'GET', path: 'me' });
    expect(await ask()).toEqual({ owner: 'Bearer of-ann' });
    auth.useTokens({ accessToken: 'of-bob' });
    expect(await ask()).toEqual({ owner: 'Bearer of-bob' });
  });
});
