import { expect, vi } from 'vitest';
import { check, mockOf, type Visit } from '../support/conformance.ts';
import { fakeClocks } from '../support/conformance-clocks.ts';
import { data, ordering } from '../support/conformance-data.ts';
import { login, requestToken, textOf } from '../support/conformance-send.ts';

type Ordering = Visit<typeof ordering>;

const options = { data, users: [login] } as const;
const filled = mockOf(ordering, options);

const grantsOf = ({ mock }: Ordering) => mock.requests.flatMap(({ grant }) => grant ?? []);

const refresh = ({ authUrl }: Ordering, token: string) =>
  requestToken(authUrl, { grant_type: 'refresh_token', refresh_token: token });

const statusWith = async ({ send }: Ordering, token: string) =>
  (await send('/v1/orders/1', { anonymous: true, headers: { authorization: `Bearer ${token}` } })).status;

check(filled, '§5.2.1 a token is obtained with grant_type=password, username and password', {
  fetch: async (visit) => {
    const { status, json } = await requestToken(visit.authUrl, { grant_type: 'password', ...login });
    expect([status, await statusWith(visit, textOf(json, 'access_token'))]).toEqual([200, 200]);
  },
  client: async (visit) => {
    await Promise.all([visit.api.orders.get(1), visit.api.orders.get(2)]);
    expect(visit.mock.requests[0]).toMatchObject({ path: '/auth/token', grant: 'password', status: 200 });
    expect(grantsOf(visit)).toEqual(['password']);
  },
});

check(filled, '§5.2.2 every request carries the access token as Bearer', {
  fetch: async (visit) => {
    const token = textOf((await requestToken(visit.authUrl)).json, 'access_token');
    expect([await statusWith(visit, token), await statusWith(visit, token)]).toEqual([200, 200]);
    const headers = { authorization: token };
    expect((await visit.send('/v1/orders/1', { anonymous: true, headers })).status).toBe(401);
  },
  client: async ({ api, mock }) => {
    await api.orders.list({ perPage: 2 }).toArray();
    await api.orders.update(1, { status: 'shipped' });
    const calls = mock.requests.slice(1);
    expect(calls.map(({ headers }) => headers.get('authorization'))).toEqual(calls.map(() => 'Bearer'));
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 204]);
  },
});

check(filled, '§5.2.3 the access token is valid for ten minutes', {
  fetch: async (visit) => {
    const token = textOf((await requestToken(visit.authUrl)).json, 'access_token');
    visit.mock.clock.advance({ minutes: 9, seconds: 59 });
    expect(await statusWith(visit, token)).toBe(200);
    visit.mock.clock.advance({ seconds: 2 });
    expect(await statusWith(visit, token)).toBe(401);
  },
  client: async (visit) => {
    fakeClocks();
    for (let minutes = 0; minutes < 8; minutes++) {
      await visit.api.orders.get(1);
      vi.advanceTimersByTime(55_000);
    }
    expect(grantsOf(visit)).toEqual(['password']);
  },
});

const brief = mockOf(ordering, { ...options, tokens: { accessLifetimeS: 60 } });

check(brief, '§5.2.3 expires_in gives the seconds of an API whose tokens live shorter', {
  fetch: async (visit) => {
    const { json } = await requestToken(visit.authUrl);
    expect(json).toMatchObject({ expires_in: 60 });
    visit.mock.clock.advance({ seconds: 61 });
    expect(await statusWith(visit, textOf(json, 'access_token'))).toBe(401);
  },
  client: async (visit) => {
    fakeClocks();
    await visit.api.orders.get(1);
    vi.advanceTimersByTime(61_000);
    await visit.api.orders.get(1);
    expect(grantsOf(visit)).toEqual(['password', 'refresh_token']);
    expect(visit.mock.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  },
});

check(filled, '§5.2.4 after expiry a new token is obtained, by either grant', {
  fetch: async (visit) => {
    const first = (await requestToken(visit.authUrl)).json;
    visit.mock.clock.advance({ minutes: 11 });
    expect(await statusWith(visit, textOf(first, 'access_token'))).toBe(401);
    const byRefresh = (await refresh(visit, textOf(first, 'refresh_token'))).json;
    const byPassword = (await requestToken(visit.authUrl)).json;
    expect(await statusWith(visit, textOf(byRefresh, 'access_token'))).toBe(200);
    expect(await statusWith(visit, textOf(byPassword, 'access_token'))).toBe(200);
  },
  client: async (visit) => {
    await visit.api.orders.get(1);
    visit.mock.clock.advance({ minutes: 11 });
    expect((await visit.api.orders.get(1)).id).toBe(1);
    visit.mock.clock.advance({ days: 31 });
    expect((await visit.api.orders.get(1)).id).toBe(1);
    expect(grantsOf(visit)).toEqual(['password', 'refresh_token', 'refresh_token', 'password']);
  },
});
