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

/** The tokens of a password grant. */
const logIn = async ({ authUrl }: Ordering) => (await requestToken(authUrl)).json;

const refresh = ({ authUrl }: Ordering, tokens: unknown) =>
  requestToken(authUrl, { grant_type: 'refresh_token', refresh_token: textOf(tokens, 'refresh_token') });

const statusWith = async ({ send }: Ordering, token: string) =>
  (await send('/v1/orders/1', { anonymous: true, headers: { authorization: `Bearer ${token}` } })).status;

const statusOf = (fixture: Ordering, tokens: unknown) => statusWith(fixture, textOf(tokens, 'access_token'));

/** The claims of a JWT (RFC 7519): three parts of base64url, the second of them JSON. */
const claimsOf = (jwt: string): unknown => {
  const parts = jwt.split('.');
  expect(parts).toHaveLength(3);
  return JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
};

const bearer = [
  '§2.2 access_token is a JWT, and the credential of a request',
  '§5.2.2 every request carries the access token as Bearer',
] as const;

check(filled, bearer, {
  fetch: async (fixture) => {
    const token = textOf(await logIn(fixture), 'access_token');
    expect(claimsOf(token)).toMatchObject({ exp: expect.any(Number) });
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

const lifetimes = [
  '§2.2 expires_in is 600 seconds, and the token is renewed by then',
  '§5.2.3 the access token is valid for ten minutes',
  '§8 access token lifetime is 600 seconds',
] as const;

check(filled, lifetimes, {
  fetch: async (fixture) => {
    const tokens = await logIn(fixture);
    expect(tokens).toMatchObject({ expires_in: 600 });
    fixture.mock.clock.advance({ seconds: 599 });
    expect(await statusOf(fixture, tokens)).toBe(200);
    fixture.mock.clock.advance({ seconds: 2 });
    expect(await statusOf(fixture, tokens)).toBe(401);
  },
  client: async (fixture) => {
    fakeClocks();
    await fixture.api.orders.get(1);
    vi.advanceTimersByTime(400_000);
    await fixture.api.orders.get(1);
    expect(grantsOf(fixture)).toEqual(['password']);
    vi.advanceTimersByTime(201_000);
    await fixture.api.orders.get(1);
    expect(grantsOf(fixture)).toEqual(['password', 'refresh_token']);
    expect(fixture.mock.requests.map(({ status }) => status)).not.toContain(401);
  },
});

const brief = mockOf(ordering, { ...options, tokens: { accessLifetimeS: 60 } });

check(brief, '§5.2.3 expires_in gives the seconds of an API whose tokens live shorter', {
  fetch: async (fixture) => {
    const tokens = await logIn(fixture);
    expect(tokens).toMatchObject({ expires_in: 60 });
    fixture.mock.clock.advance({ seconds: 61 });
    expect(await statusOf(fixture, tokens)).toBe(401);
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
    const first = await logIn(fixture);
    fixture.mock.clock.advance({ minutes: 11 });
    expect(await statusOf(fixture, first)).toBe(401);
    expect(await statusOf(fixture, (await refresh(fixture, first)).json)).toBe(200);
    expect(await statusOf(fixture, await logIn(fixture))).toBe(200);
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

const refreshLifetimes = [
  '§2.2 refresh_expires_in is 2592000 seconds; by then the password is used',
  '§5.2.5 a refresh token is valid for 30 days',
  '§8 refresh token lifetime is 2592000 seconds',
] as const;

check(filled, refreshLifetimes, {
  fetch: async (fixture) => {
    const [early, late] = [await logIn(fixture), await logIn(fixture)];
    expect(early).toMatchObject({ refresh_expires_in: 2_592_000 });
    fixture.mock.clock.advance({ days: 29, hours: 23 });
    expect((await refresh(fixture, early)).status).toBe(200);
    fixture.mock.clock.advance({ hours: 2 });
    expect((await refresh(fixture, late)).status).toBe(401);
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

const refreshed = [
  '§2.2 refresh_token is a JWT that obtains the next tokens',
  '§5.2.6 a refresh returns the same shape, with a new access token and a new refresh token',
] as const;

check(filled, refreshed, {
  fetch: async (fixture) => {
    const first = await logIn(fixture);
    expect(claimsOf(textOf(first, 'refresh_token'))).toMatchObject({ exp: expect.any(Number) });
    const second = (await refresh(fixture, first)).json;
    expect(Object.keys(second as object)).toEqual(Object.keys(first as object));
    for (const name of ['access_token', 'refresh_token']) {
      expect(textOf(second, name)).not.toBe(textOf(first, name));
    }
    expect((await refresh(fixture, second)).status).toBe(200);
  },
  client: async (fixture) => {
    for (let count = 0; count < 4; count++) {
      await fixture.api.orders.get(1);
      fixture.mock.clock.advance({ minutes: 11 });
    }
    expect(grantsOf(fixture)).toEqual(['password', 'refresh_token', 'refresh_token', 'refresh_token']);
    const grants = fixture.mock.requests.filter(({ grant }) => grant !== undefined);
    expect(grants.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  },
});

check(filled, ['§5.2.7 a refresh token can be used once only', '§8 refresh token uses are one'], {
  fetch: async (fixture) => {
    const tokens = await logIn(fixture);
    const answers = await Promise.all([refresh(fixture, tokens), refresh(fixture, tokens)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect((await refresh(fixture, tokens)).status).toBe(401);
  },
  client: async (fixture) => {
    await fixture.api.orders.get(1);
    fixture.mock.clock.advance({ minutes: 11 });
    await Promise.all(Array.from({ length: 10 }, (_, index) => fixture.api.orders.get((index % 5) + 1)));
    expect(grantsOf(fixture)).toEqual(['password', 'refresh_token']);
  },
});

const testEnvironment = [
  '§4.1 method and path of the test environment are below an auth URL of its own',
  '§5.2.8 tokens of the test environment are its own, and are refreshed there',
] as const;

check(filled, testEnvironment, {
  fetch: async (fixture) => {
    const testing = await fixture.beside();
    expect(testing.authUrl).not.toBe(fixture.authUrl);
    const tokens = await logIn(testing);
    expect(await statusOf(testing, tokens)).toBe(200);
    expect(await statusOf(fixture, tokens)).toBe(401);
    expect((await refresh(fixture, tokens)).status).toBe(401);
    expect((await refresh(testing, tokens)).status).toBe(200);
  },
  client: async (fixture) => {
    const testing = await fixture.beside();
    for (const place of [fixture, testing, fixture, testing]) {
      await place.api.orders.get(1);
      place.mock.clock.advance({ minutes: 11 });
    }
    for (const place of [fixture, testing]) {
      expect(grantsOf(place)).toEqual(['password', 'refresh_token']);
      const grants = place.mock.requests.filter(({ grant }) => grant !== undefined);
      expect(grants.map(({ url, status }) => [url, status])).toEqual(
        grants.map(() => [`${place.authUrl}/auth/token`, 200]),
      );
    }
  },
});

check(filled, '§5.2.9 a missing or invalid token gets 401', {
  fetch: async (fixture) => {
    expect((await fixture.send('/v1/orders/1', { anonymous: true })).status).toBe(401);
    expect(await statusWith(fixture, 'eyJhbGciOiJIUzI1NiJ9.e30.x')).toBe(401);
    expect(await statusWith(fixture, textOf(await logIn(fixture), 'refresh_token'))).toBe(401);
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
const forbidden = [
  '§5.2.9 a valid token without permission for the operation gets 403',
  '§7.1 403 is for somebody who may not do this',
] as const;

check(mockOf(ordering, { data, users: [readOnly] }), forbidden, {
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
