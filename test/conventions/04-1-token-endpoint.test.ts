import { InvalidCredentialsError, TokenRequestError, tokenAuth } from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, ordering } from '../support/conformance-data.ts';
import { login, requestToken, textOf } from '../support/conformance-send.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(ordering, { data, users: [login] });

check(filled, '§4.1 method and path are POST {auth_url}/auth/token', {
  fetch: async ({ authUrl }) => {
    expect((await requestToken(authUrl)).status).toBe(200);
    expect((await fetch(`${authUrl}/auth/token`)).status).toBe(405);
  },
  client: async ({ api, mock, authUrl }) => {
    await api.orders.get(1);
    expect(mock.requests[0]).toMatchObject({
      method: 'POST',
      url: `${authUrl}/auth/token`,
      grant: 'password',
      status: 200,
    });
  },
});

check(filled, '§4.1 Content-Type of the request is a form, and another one gets 415', {
  fetch: async ({ authUrl }) => {
    const post = async (type: string, body: string) =>
      fetch(`${authUrl}/auth/token`, { method: 'POST', headers: { 'content-type': type }, body });
    const form = new URLSearchParams({ grant_type: 'password', ...login }).toString();
    expect((await post('application/x-www-form-urlencoded', form)).status).toBe(200);
    expect((await post('application/json', JSON.stringify(login))).status).toBe(415);
  },
  client: async ({ api, mock }) => {
    await api.orders.get(1);
    expect(mock.requests[0]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
  },
});

check(filled, '§4.1 process is that of OpenID Connect: parameters in the body alone, unknown ones ignored', {
  fetch: async ({ authUrl }) => {
    const form = new URLSearchParams({ grant_type: 'password', ...login });
    const inQuery = await fetch(`${authUrl}/auth/token?${form.toString()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(inQuery.status).toBe(400);
    const scoped = await requestToken(authUrl, { grant_type: 'password', ...login, scope: 'openid' });
    expect(scoped.status).toBe(200);
    expect(scoped.headers.get('cache-control')).toBe('no-store');
  },
  client: async ({ api, mock }) => {
    await api.orders.get(1);
    expect([...(mock.requests[0]?.search ?? [])]).toEqual([]);
  },
});

const fiveFields = [
  '§4.1 response is JSON with the five fields',
  '§2.2 token_type is bearer, and the scheme of the credential',
] as const;

check(filled, fiveFields, {
  fetch: async ({ authUrl }) => {
    const { headers, json } = await requestToken(authUrl);
    expect(headers.get('content-type')).toBe('application/json');
    expect(json).toEqual({
      access_token: expect.any(String),
      expires_in: 600,
      token_type: 'bearer',
      refresh_expires_in: 2_592_000,
      refresh_token: expect.any(String),
    });
  },
  client: async ({ api, mock }) => {
    await api.orders.get(1);
    expect(mock.requests[0]?.headers.get('accept')).toBe('application/json');
    expect(mock.requests[1]?.headers.get('authorization')).toBe('Bearer');
    expect(mock.requests.map(({ status }) => status)).toEqual([200, 200]);
  },
});

const failures = [
  '§4.1 failures are 400 and 401, with an error body',
  '§7.2.5 the token endpoint responds with 400 to missing or invalid parameters',
] as const;

check(filled, failures, {
  fetch: async ({ authUrl }) => {
    const invalid = await requestToken(authUrl, { grant_type: 'client_credentials' });
    const refused = await requestToken(authUrl, { grant_type: 'password', ...login, password: 'wrong' });
    expect([invalid.status, refused.status]).toEqual([400, 401]);
    for (const { json } of [invalid, refused])
      expect(json).toMatchObject({ message: expect.stringMatching(/\w/) });
  },
  client: async ({ connect, authUrl, mock }) => {
    const auth = tokenAuth({ authUrl, username: 'ada', password: 'wrong' });
    const refused = await rejectionOf(connect({ auth }).api(ordering).orders.list());
    expect(refused).toBeInstanceOf(InvalidCredentialsError);
    mock.faults.next({ status: 400, token: true });
    const invalid = await rejectionOf(connect().api(ordering).orders.list());
    expect(invalid).toBeInstanceOf(TokenRequestError);
    expect(invalid).toMatchObject({ status: 400 });
  },
});

const passwordGrant = [
  '§4.1 password requires username and password',
  '§5.2.1 a token is obtained with grant_type=password, username and password',
] as const;

check(filled, passwordGrant, {
  fetch: async ({ authUrl, send }) => {
    const { status, json } = await requestToken(authUrl, { grant_type: 'password' });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      errors: [
        { field: 'username', code: 'missingField' },
        { field: 'password', code: 'missingField' },
      ],
    });
    const tokens = (await requestToken(authUrl, { grant_type: 'password', ...login })).json;
    const headers = { authorization: `Bearer ${textOf(tokens, 'access_token')}` };
    expect((await send('/v1/orders/1', { anonymous: true, headers })).status).toBe(200);
  },
  client: async ({ authUrl, api, mock }) => {
    expect(() => tokenAuth({ authUrl, username: '', password: 'x' })).toThrow(/username/);
    await Promise.all([api.orders.get(1), api.orders.get(2)]);
    expect(mock.requests[0]).toMatchObject({ path: '/auth/token', grant: 'password', status: 200 });
    expect(mock.requests.flatMap(({ grant }) => grant ?? [])).toEqual(['password']);
  },
});

check(filled, '§4.1 refresh_token requires the token', {
  fetch: async ({ authUrl }) => {
    const { status, json } = await requestToken(authUrl, { grant_type: 'refresh_token' });
    expect(status).toBe(400);
    expect(json).toMatchObject({ errors: [{ field: 'refresh_token', code: 'missingField' }] });
    const token = textOf((await requestToken(authUrl)).json, 'refresh_token');
    const form = { grant_type: 'refresh_token', refresh_token: token };
    expect((await requestToken(authUrl, form)).status).toBe(200);
  },
  client: async ({ api, mock }) => {
    await api.orders.get(1);
    mock.clock.advance({ minutes: 11 });
    await api.orders.get(1);
    const refresh = mock.requests.find(({ grant }) => grant === 'refresh_token');
    expect(refresh).toMatchObject({ method: 'POST', status: 200 });
  },
});
