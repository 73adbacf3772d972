import ky from 'ky';
import { createFetch } from 'ofetch';
import createOpenApiClient from 'openapi-fetch';
import { CrossOriginUrlError, createClient, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { json } from '../../support/recording-server.ts';
import { grantsOf, serveTokens } from '../../support/token-server.ts';

/** As `openapi-typescript` writes it. */
interface Paths {
  '/v1/orders/{id}': {
    get: {
      parameters: { path: { id: number } };
      responses: { 200: { content: { 'application/json': { id: number } } } };
    };
  };
  '/v1/orders': {
    post: {
      requestBody: { content: { 'application/json': { status: string } } };
      responses: { 201: { content: { 'application/json': { id: number } } } };
    };
  };
}

/**
 * What each library does with the `fetch` of a client: it reads and creates an order, and reads elsewhere.
 */
interface Other {
  get(id: number): Promise<unknown>;
  create(body: object): Promise<unknown>;
  /** The status of an order that does not exist. */
  missing(): Promise<unknown>;
  readFrom(origin: string): Promise<unknown>;
}

type Connect = (baseUrl: string, fetch: typeof globalThis.fetch) => Other;

const clients: Readonly<Record<string, Connect>> = {
  'openapi-fetch': (baseUrl, fetch) => {
    const client = createOpenApiClient<Paths>({ baseUrl, fetch });
    const get = (id: number, from = baseUrl) =>
      client.GET('/v1/orders/{id}', { params: { path: { id } }, baseUrl: from });
    return {
      get: async (id) => (await get(id)).data,
      create: async () => (await client.POST('/v1/orders', { body: orderBody })).data,
      missing: async () => (await get(404)).response.status,
      readFrom: (origin) => get(7, origin),
    };
  },
  ky: (baseUrl, fetch) => {
    const http = ky.create({ prefix: baseUrl, fetch, retry: 0, timeout: false });
    return {
      get: (id) => http.get(`v1/orders/${id}`).json(),
      create: (body) => http.post('v1/orders', { json: body }).json(),
      missing: async () => (await http.get('v1/orders/404', { throwHttpErrors: false })).status,
      readFrom: (origin) => http.get('v1/orders/7', { prefix: origin }).json(),
    };
  },
  ofetch: (baseUrl, fetch) => {
    const http = createFetch({ fetch, defaults: { baseURL: baseUrl, retry: 0 } });
    return {
      get: (id) => http(`/v1/orders/${id}`),
      create: (body) => http('/v1/orders', { method: 'POST', body }),
      missing: async () => (await http.raw('/v1/orders/404', { ignoreResponseError: true })).status,
      readFrom: (origin) =>
        http('/v1/orders/7', { baseURL: origin }).catch((error: Error) => Promise.reject(error.cause)),
    };
  },
};

const start = async () => {
  const server = await serveTokens({
    api: ({ method, url }) => {
      if (method === 'POST') return json(order(9), 201);
      return url.endsWith('/404') ? json({ message: 'No such order' }, 404) : json(order(7));
    },
  });
  const auth = tokenAuth({ authUrl: server.url, ...login });
  return { server, client: createClient({ baseUrl: server.url, auth }) };
};

describe.each(Object.entries(clients))('client.fetch as the fetch of %s', (_name, connectOther) => {
  test.each(['get', 'create'] as const)(
    '50 calls at once with an expired token: one renewal, 50 results: %s',
    async (kind) => {
      const { server, client } = await start();
      await using _server = server;
      const other = connectOther(client.baseUrl, client.fetch);
      await other.get(7);
      server.expire();
      const perform = () => (kind === 'get' ? other.get(7) : other.create(orderBody));
      const results = await Promise.all(Array.from({ length: 50 }, perform));
      expect(results).toEqual(
        Array.from({ length: 50 }, () => expect.objectContaining({ id: kind === 'get' ? 7 : 9 })),
      );
      expect(grantsOf(server)).toEqual(['password', 'refresh_token']);
      const bodies = server.calls
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => JSON.parse(body));
      expect(bodies.length).toBe(kind === 'get' ? 0 : 100);
      for (const body of bodies) expect(body).toEqual(orderBody);
    },
  );

  test('a status reaches it', async () => {
    const { server, client } = await start();
    await using _server = server;
    expect(await connectOther(client.baseUrl, client.fetch).missing()).toBe(404);
  });

  test('it cannot send the token to another origin', async () => {
    const [{ server, client }, { server: elsewhere }] = [await start(), await start()];
    await using _servers = {
      [Symbol.asyncDispose]: () => Promise.all([server.close(), elsewhere.close()]).then(() => undefined),
    };
    const other = connectOther(client.baseUrl, client.fetch);
    await other.get(7);
    await failureOf(other.readFrom(elsewhere.url), CrossOriginUrlError);
    expect(elsewhere.requests).toEqual([]);
  });
});
