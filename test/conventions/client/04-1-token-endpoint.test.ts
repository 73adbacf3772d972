import { tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { json, record, sent } from '../../support/recording-server.ts';
import { connect } from '../../support/shop.ts';
import { isTokenRequest, serveTokens } from '../../support/token-server.ts';

const own = { method: 'GET', path: 'reports/3' } as const;

const login = { username: 'ada', password: 'lovelace' };

describe('§4.1 the token request', () => {
  test('§4.1 a password grant is a form at {auth_url}/auth/token, with exactly three parameters', async () => {
    await using server = await serveTokens();
    const client = connect(server, { auth: tokenAuth({ authUrl: server.url, ...login }) });
    await client.request(own);
    expect(sent(server)[0]).toEqual([
      'POST',
      '/auth/token',
      'grant_type=password&username=ada&password=lovelace',
    ]);
    const { headers } = server.requests[0] ?? {};
    expect(headers?.['content-type']).toBe('application/x-www-form-urlencoded');
    expect(headers?.accept).toBe('application/json');
    expect(headers?.authorization).toBeUndefined();
  });

  test('§4.1 special characters are encoded as a form', async () => {
    await using server = await serveTokens();
    const auth = tokenAuth({ authUrl: server.url, username: 'a@b c', password: 'p&=+%:ü€' });
    await connect(server, { auth }).request(own);
    const expected = 'grant_type=password&username=a%40b+c&password=p%26%3D%2B%25%3A%C3%BC%E2%82%AC';
    expect(server.requests[0]?.body).toBe(expected);
  });

  test('§4.1 a refresh is a form at the same place, with exactly two parameters', async () => {
    await using server = await serveTokens();
    const client = connect(server, { auth: tokenAuth({ authUrl: server.url, ...login }) });
    await client.request(own);
    server.expire();
    await client.request(own);
    const second = server.requests.filter(isTokenRequest)[1];
    expect([second?.method, second?.url, second?.body]).toEqual([
      'POST',
      '/auth/token',
      'grant_type=refresh_token&refresh_token=refresh-1',
    ]);
    expect(second?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(second?.headers.authorization).toBeUndefined();
  });

  test.each(['/family/login', '/family/login/'])('§4.1 an auth URL keeps its path: %s', async (path) => {
    await using server = await serveTokens();
    const auth = tokenAuth({ authUrl: server.url + path, ...login });
    await connect(server, { auth }).request(own);
    expect(server.requests[0]?.url).toBe('/family/login/auth/token');
  });

  test('§4.1 header fields of a call or a client do not go to the token endpoint', async () => {
    await using server = await serveTokens();
    const auth = tokenAuth({ authUrl: server.url, ...login });
    await connect(server, { auth, headers: { 'x-client': '1' } }).request({
      ...own,
      headers: { 'x-call': '1' },
    });
    expect(server.calls[0]?.headers).toMatchObject({ 'x-client': '1', 'x-call': '1' });
    expect(server.requests[0]?.headers).not.toHaveProperty('x-client');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-call');
  });
});

describe('§2.2 the token response', () => {
  test.each(['bearer', 'Bearer'])('§2.2 the token_type %s is bearer', async (token_type) => {
    await using server = await record((request) =>
      isTokenRequest(request) ? json({ access_token: 'a', expires_in: 600, token_type }) : json({ ok: true }),
    );
    const client = connect(server, { auth: tokenAuth({ authUrl: server.url, ...login }) });
    expect(await client.request(own)).toEqual({ ok: true });
  });
});
