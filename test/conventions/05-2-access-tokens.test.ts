import { expect, vi } from 'vitest';
import { check, type Fixture, mockOf } from '../support/conformance.ts';
import { fakeClocks } from '../support/conformance-clocks.ts';
import { data, ordering } from '../support/conformance-data.ts';
import { login, requestToken, textOf } from '../support/conformance-send.ts';

type Ordering = Fixture<typeof ordering>;

const options = { data, users: [login] } as const;
const filled = mockOf(ordering, options);

const grantsOf = ({ mock }: Ordering) => mock.requests.flatMap(({ grant }) => grant ?? []);

const refresh = ({ authUrl }: Ordering, token: string) =>
  requestToken(authUrl, { grant_type: 'refresh_token', refresh_token: token });

const statusWith = async ({ send }: Ordering, token: string) =>
  (await send('/v1/orders/1', { anonymous: true, headers: { authorization: `Bearer ${token}` } })).status;

check(filled, '§5.2.1 a token is obtained with grant_type=password, username and password', {
  fetch: async (fixture) => {
    const { status, json } = await requestToken(fixture.authUrl, { grant_type: 'password', ...login });
    expect([status, await statusWith(fixture, textOf(json, 'access_token'))]).toEqual([200, 200]);
  },
  client: async (fixture) => {
    await Promise.all([fixture.api.orders.get(1), fixture.api.orders.get(2)]);
    expect(fixture.mock.requests[0]).toMatchObject({ path: '/auth/token', grant: 'password', status: 200 });
    expect(grantsOf(fixture)).toEqual(['password']);
  },
});

check(filled, '§5.2.2 every request carries the access token as Bearer', {
  fetch: async (fixture) => {
    const token = textOf((await requestToken(fixture.authUrl)).json, 'access_token');
    expect([await statusWith(fixture, token), await statusWith(fixture, token)]).toEqual([200, 200]);
    const headers = { authorization: token };
    expect((await fixture.send('/v1/orders/1', { anonymous: true, headers })).status).toBe(401);
  },
  client: async ({ api, mock }) => {
    await api.orders.list({ perPage: 2 }).toArray();
    await api.orders.update(1, { status: 'shipped' });
    const calls = mock.requests.slice(1);
    expect(calls.map(({ headers }) => headers.get('authorization'))).toEqual(calls.map(() => 'Bearer'));
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 204]);
  },
});

const brief = mockOf(ordering, { ...options, tokens: { accessLifetimeS: 60 } });

check(brief, '§5.2.3 expires_in gives the seconds of an API whose tokens live shorter', {
  fetch: async (fixture) => {
    const { json } = await requestToken(fixture.authUrl);
    expect(json).toMatchObject({ expires_in: 60 });
    fixture.mock.clock.advance({ seconds: 61 });
    expect(await statusWith(fixture, textOf(json, 'access_token'))).toBe(401);
  },
  client: async (fixture) => {
    fakeClocks();
    await fixture.api.orders.get(1);
    vi.advanceTimersByTime(61_000);
    await fixture.api.orders.get(1);
    expect(grantsOf(fixture)).toEqual(['password', 'refresh_token']);
    expect(fixture.mock.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  },
});

check(filled, '§5.2.4 after expiry a new token is obtained, by either grant', {
  fetch: async (fixture) => {
    const first = (await requestToken(fixture.authUrl)).json;
    fixture.mock.clock.advance({ minutes: 11 });
    expect(await statusWith(fixture, textOf(first, 'access_token'))).toBe(401);
    const byRefresh = (await refresh(fixture, textOf(first, 'refresh_token'))).json;
    const byPassword = (await requestToken(fixture.authUrl)).json;
    expect(await statusWith(fixture, textOf(byRefresh, 'access_token'))).toBe(200);
    expect(await statusWith(fixture, textOf(byPassword, 'access_token'))).toBe(200);
  },
  client: async (fixture) => {
    await fixture.api.orders.get(1);
    fixture.mock.clock.advance({ minutes: 11 });
    expect((await fixture.api.orders.get(1)).id).toBe(1);
    fixture.mock.clock.advance({ days: 31 });
    expect((await fixture.api.orders.get(1)).id).toBe(1);
    expect(grantsOf(fixture)).toEqual(['password', 'refresh_token', 'refresh_token', 'password']);
  },
});
