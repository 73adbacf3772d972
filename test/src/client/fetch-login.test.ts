import { createClient, customAuth, InvalidRequestError, TokenRequestError, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { failureOf, login } from '../../support/basic-ordering.ts';
import { type Reply, startRawServer } from '../../support/raw-server.ts';
import { json } from '../../support/recording-server.ts';
import { grantsOf, serveTokens } from '../../support/token-server.ts';

/** A server with tokens, whose first token is refused. */
const startExpired = async (reply: Reply = json({ a: 1 })) => {
  const server = await serveTokens({ api: () => reply });
  const client = createClient({ baseUrl: server.url, auth: tokenAuth({ authUrl: server.url, ...login }) });
  await client.fetch(`${server.url}/x`);
  server.expire();
  return { server, client, url: `${server.url}/x` };
};

describe('client.fetch logs in', () => {
  const bodies: readonly (readonly [string, (url: string) => Parameters<typeof fetch>])[] = [
    ['without a body', (url) => [url]],
    ['of a string', (url) => [url, { method: 'POST', body: 'b' }]],
    ['of a form', (url) => [url, { method: 'POST', body: new URLSearchParams({ b: 'c' }) }]],
    ['of a Request', (url) => [new Request(url, { method: 'POST', body: 'b' })]],
  ];

  test.each(bodies)(
    '50 calls at once with an expired token: one renewal, 50 results (%s)',
    async (_what, argumentsFor) => {
      const { server, client, url } = await startExpired();
      await using _server = server;
      const calls = Array.from({ length: 50 }, () => client.fetch(...argumentsFor(url)));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 50 }, () => 200));
      expect(grantsOf(server)).toEqual(['password', 'refresh_token']);
      expect(new Set(server.calls.slice(1).map(({ body }) => body)).size).toBe(1);
    },
  );

  test('a second 401 is returned', async () => {
    await using server = await serveTokens({ api: () => ({ status: 401, body: 'no' }) });
    const client = createClient({ baseUrl: server.url, auth: tokenAuth({ authUrl: server.url, ...login }) });
    const response = await client.fetch(`${server.url}/x`);
    expect([response.status, await response.text(), server.calls.length]).toEqual([401, 'no', 2]);
  });

  test('a body that is a stream is sent once, and its 401 is returned', async () => {
    const { server, client, url } = await startExpired();
    await using _server = server;
    const large = 'x'.repeat(1_500_000);
    const init = { method: 'POST', duplex: 'half' } as const;
    const inputs = [
      [url, { ...init, body: new Blob(['b']).stream() }],
      [new Request(url, { ...init, body: large })],
    ] as const;
    for (const [input, more] of inputs) {
      server.expire();
      const before = server.calls.length;
      expect((await client.fetch(input, more)).status).toBe(401);
      expect(server.calls.length - before).toBe(1);
    }
    expect(server.calls.at(-1)?.body).toBe(large);
  });

  test('a failed token request is the error of the client, not the 401', async () => {
    let isDown = false;
    await using server = await serveTokens({ token: () => (isDown ? { status: 500 } : undefined) });
    const client = createClient({
      baseUrl: server.url,
      auth: tokenAuth({ authUrl: server.url, ...login }),
      retry: false,
    });
    await client.fetch(`${server.url}/x`);
    server.expire();
    isDown = true;
    await failureOf(client.fetch(`${server.url}/x`), TokenRequestError);
  });

  test('with the scheme that fetchAs names', async () => {
    const server = await startRawServer(({ headers }) => ({ body: JSON.stringify(headers) }));
    const key = (value: string) => customAuth(() => ({ 'x-key': value }));
    const client = createClient({
      baseUrl: server.url,
      auth: { reader: key('reader'), admin: key('admin') },
    });
    const keyOf = async (response: Promise<Response>) =>
      ((await (await response).json()) as { 'x-key': string })['x-key'];
    expect(await keyOf(client.fetch(server.url))).toBe('reader');
    expect(await keyOf(client.fetchAs('admin')(server.url))).toBe('admin');
    expect(() => client.fetchAs('owner' as 'admin')).toThrow(InvalidRequestError);
  });
});
