import { expect, vi } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { fakeClocks } from '../support/conformance-clocks.ts';
import { data, ordering } from '../support/conformance-data.ts';
import { requestToken, textOf } from '../support/conformance-send.ts';

const filled = mockOf(ordering, { data });

/** The claims of a JWT (RFC 7519): three parts of base64url, the second of them JSON. */
const claimsOf = (jwt: string): unknown => {
  const parts = jwt.split('.');
  expect(parts).toHaveLength(3);
  return JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
};

check(filled, '§2.2 access_token is a JWT, and the credential of a request', {
  fetch: async ({ authUrl, send }) => {
    const token = textOf((await requestToken(authUrl)).json, 'access_token');
    expect(claimsOf(token)).toMatchObject({ exp: expect.any(Number) });
    const headers = { authorization: `Bearer ${token}` };
    expect((await send('/v1/orders/1', { anonymous: true, headers })).status).toBe(200);
  },
  client: async ({ api, mock }) => {
    await api.orders.get(1);
    expect(mock.requests.map(({ status }) => status)).toEqual([200, 200]);
  },
});

const lifetimes = [
  '§2.2 expires_in is 600 seconds, and the token is renewed by then',
  '§5.2.3 the access token is valid for ten minutes',
  '§8 access token lifetime is 600 seconds',
] as const;

check(filled, lifetimes, {
  fetch: async ({ authUrl, send, mock }) => {
    expect((await requestToken(authUrl)).json).toMatchObject({ expires_in: 600 });
    expect((await send('/v1/orders/1')).status).toBe(200);
    mock.clock.advance({ seconds: 599 });
    expect((await send('/v1/orders/1')).status).toBe(200);
    mock.clock.advance({ seconds: 2 });
    expect((await send('/v1/orders/1')).status).toBe(401);
  },
  client: async ({ api, mock }) => {
    fakeClocks();
    await api.orders.get(1);
    vi.advanceTimersByTime(400_000);
    await api.orders.get(1);
    expect(mock.requests.flatMap(({ grant }) => grant ?? [])).toEqual(['password']);
    vi.advanceTimersByTime(201_000);
    await api.orders.get(1);
    expect(mock.requests.flatMap(({ grant }) => grant ?? [])).toEqual(['password', 'refresh_token']);
    expect(mock.requests.map(({ status }) => status)).not.toContain(401);
  },
});

check(filled, '§2.2 refresh_token is a JWT that obtains the next tokens', {
  fetch: async ({ authUrl }) => {
    const token = textOf((await requestToken(authUrl)).json, 'refresh_token');
    expect(claimsOf(token)).toMatchObject({ exp: expect.any(Number) });
    const next = await requestToken(authUrl, { grant_type: 'refresh_token', refresh_token: token });
    expect(next).toMatchObject({ status: 200, json: { token_type: 'bearer' } });
  },
  client: async ({ api, mock }) => {
    await api.orders.get(1);
    mock.clock.advance({ minutes: 11 });
    await api.orders.get(1);
    const tokens = mock.requests.filter(({ grant }) => grant !== undefined);
    expect(tokens.map(({ grant, status }) => [grant, status])).toEqual([
      ['password', 200],
      ['refresh_token', 200],
    ]);
  },
});
