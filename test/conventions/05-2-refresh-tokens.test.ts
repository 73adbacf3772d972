import { ForbiddenError, ReauthenticationRequiredError, tokenAuth, UnauthorizedError } from 'restkin';
import { expect, vi } from 'vitest';
import { check, type Fixture, mockOf } from '../support/conformance.ts';
import { fakeClocks } from '../support/conformance-clocks.ts';
import { data, ordering } from '../support/conformance-data.ts';
import { login, requestToken, textOf } from '../support/conformance-send.ts';
import { rejectionOf } from '../support/shop.ts';

type Ordering = Fixture<typeof ordering>;

const options = { data, users: [login] } as const;
const filled = mockOf(ordering, options);

const grantsOf = ({ mock }: Ordering) => mock.requests.flatMap(({ grant }) => grant ?? []);

const refresh = ({ authUrl }: Ordering, token: string) =>
  requestToken(authUrl, { grant_type: 'refresh_token', refresh_token: token });

const statusWith = async ({ send }: Ordering, token: string) =>
  (await send('/v1/orders/1', { anonymous: true, headers: { authorization: `Bearer ${token}` } })).status;

const lifetimes = [
  '§2.2 refresh_expires_in is 2592000 seconds; by then the password is used',
  '§5.2.5 a refresh token is valid for 30 days',
  '§8 refresh token lifetime is 2592000 seconds',
] as const;

check(filled, lifetimes, {
  fetch: async (fixture) => {
    const [early, late] = [
      (await requestToken(fixture.authUrl)).json,
      (await requestToken(fixture.authUrl)).json,
    ];
    expect(early).toMatchObject({ refresh_expires_in: 2_592_000 });
    fixture.mock.clock.advance({ days: 29, hours: 23 });
    expect((await refresh(fixture, textOf(early, 'refresh_token'))).status).toBe(200);
    fixture.mock.clock.advance({ hours: 2 });
    expect((await refresh(fixture, textOf(late, 'refresh_token'))).status).toBe(401);
  },
  client: async (fixture) => {
    fakeClocks();
    await fixture.api.orders.get(1);
    vi.advanceTimersByTime(29 * 86_400_000);
    await fixture.api.orders.get(1);
    vi.advanceTimersByTime(31 * 86_400_000);
    await fixture.api.orders.get(1);
    expect(grantsOf(fixture)).toEqual(['password', 'refresh_token', 'password']);
  },
});

check(filled, '§5.2.6 a refresh returns the same shape, with a new access token and a new refresh token', {
  fetch: async (fixture) => {
    const first = (await requestToken(fixture.authUrl)).json;
    const second = (await refresh(fixture, textOf(first, 'refresh_token'))).json;
    expect(Object.keys(second as object)).toEqual(Object.keys(first as object));
    for (const name of ['access_token', 'refresh_token']) {
      expect(textOf(second, name)).not.toBe(textOf(first, name));
    }
    expect((await refresh(fixture, textOf(second, 'refresh_token'))).status).toBe(200);
  },
  client: async (fixture) => {
    for (let count = 0; count < 4; count++) {
      await fixture.api.orders.get(1);
      fixture.mock.clock.advance({ minutes: 11 });
    }
    expect(grantsOf(fixture)).toEqual(['password', 'refresh_token', 'refresh_token', 'refresh_token']);
    const refreshes = fixture.mock.requests.filter(({ grant }) => grant !== undefined);
    expect(refreshes.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  },
});

check(filled, ['§5.2.7 a refresh token can be used once only', '§8 refresh token uses are one'], {
  fetch: async (fixture) => {
    const token = textOf((await requestToken(fixture.authUrl)).json, 'refresh_token');
    const answers = await Promise.all([refresh(fixture, token), refresh(fixture, token)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect((await refresh(fixture, token)).status).toBe(401);
  },
  client: async (fixture) => {
    await fixture.api.orders.get(1);
    fixture.mock.clock.advance({ minutes: 11 });
    await Promise.all(Array.from({ length: 10 }, (_, index) => fixture.api.orders.get((index % 5) + 1)));
    expect(grantsOf(fixture)).toEqual(['password', 'refresh_token']);
  },
});

check(filled, '§5.2.8 tokens of the test environment are its own, and are refreshed there', {
  fetch: async (fixture) => {
    const testing = await fixture.beside();
    const tokens = (await requestToken(testing.authUrl)).json;
    expect(await statusWith(testing, textOf(tokens, 'access_token'))).toBe(200);
    expect(await statusWith(fixture, textOf(tokens, 'access_token'))).toBe(401);
    expect((await refresh(fixture, textOf(tokens, 'refresh_token'))).status).toBe(401);
    expect((await refresh(testing, textOf(tokens, 'refresh_token'))).status).toBe(200);
  },
  client: async (fixture) => {
    const testing = await fixture.beside();
    for (const place of [fixture, testing, fixture, testing]) {
      await place.api.orders.get(1);
      place.mock.clock.advance({ minutes: 11 });
    }
    for (const place of [fixture, testing]) {
      expect(grantsOf(place)).toEqual(['password', 'refresh_token']);
      const refreshes = place.mock.requests.filter(({ grant }) => grant !== undefined);
      expect(refreshes.map(({ url, status }) => [url, status])).toEqual(
        refreshes.map(() => [`${place.authUrl}/auth/token`, 200]),
      );
    }
  },
});

check(filled, '§5.2.9 a missing or invalid token gets 401', {
  fetch: async (fixture) => {
    expect((await fixture.send('/v1/orders/1', { anonymous: true })).status).toBe(401);
    expect(await statusWith(fixture, 'eyJhbGciOiJIUzI1NiJ9.e30.x')).toBe(401);
    const { json } = await requestToken(fixture.authUrl);
    expect(await statusWith(fixture, textOf(json, 'refresh_token'))).toBe(401);
  },
  client: async ({ connect, mock, authUrl }) => {
    const auth = tokenAuth({ authUrl, tokens: { accessToken: 'a.b.c' } });
    const invalid = await rejectionOf(connect({ auth }).api(ordering).orders.get(1));
    expect(invalid).toBeInstanceOf(ReauthenticationRequiredError);
    expect(mock.requests.map(({ status }) => status)).toEqual([401]);
    mock.faults.next({ status: 401, times: 2 });
    const twice = await rejectionOf(connect().api(ordering).orders.get(1));
    expect(twice).toBeInstanceOf(UnauthorizedError);
  },
});

const readOnly = { ...login, permissions: ({ method }: { method: string }) => method === 'GET' };
const reader = mockOf(ordering, { data, users: [readOnly] });

const forbidden = [
  '§5.2.9 a valid token without permission for the operation gets 403',
  '§7.1 403 is for somebody who may not do this',
] as const;

check(reader, forbidden, {
  fetch: async ({ send }) => {
    expect((await send('/v1/orders/1')).status).toBe(200);
    expect((await send('/v1/orders/1', { method: 'DELETE' })).status).toBe(403);
    expect((await send('/v1/orders/1')).status).toBe(200);
  },
  client: async (fixture) => {
    const error = await rejectionOf(fixture.api.orders.delete(1));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect((await fixture.api.orders.get(1)).id).toBe(1);
    expect(grantsOf(fixture)).toEqual(['password']);
  },
});
