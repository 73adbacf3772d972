import { Buffer } from 'node:buffer';
import ky, { type Options } from 'ky';
import {
  AmbiguousOutcomeError,
  ConnectionError,
  createClient,
  defineApi,
  InternalServerError,
  InvalidRequestError,
  RedirectRefusedError,
  type RestkinError,
  tokenAuth,
} from 'restkin';
import { kyFetch } from 'restkin/ky';
import { describe, expect, test } from 'vitest';
import { basicOrdering, connect, failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { type Responder, startRawServer } from '../../support/raw-server.ts';
import { json } from '../../support/recording-server.ts';
import { grantsOf, serveTokens } from '../../support/token-server.ts';

/** A client over an instance with these options, and a server that counts. */
const start = async (options: Options, answer: Responder = () => ({ body: JSON.stringify(order(7)) })) => {
  const server = await startRawServer(answer);
  return { server, ...connect(server.url, { fetch: kyFetch(ky.create(options)) }) };
};

describe('what the instance is for', () => {
  test('its hooks see each attempt, what they add is sent, and its own fetch sends', async () => {
    const seen: number[] = [];
    const urls: string[] = [];
    const server = await startRawServer(() =>
      server.requests.length === 1 ? { status: 503 } : { body: JSON.stringify(order(7)) },
    );
    const instance = ky.create({
      fetch: (input, init) => {
        urls.push(new Request(input).url);
        return fetch(input, init);
      },
      hooks: {
        beforeRequest: [({ request }) => request.headers.set('x-request-id', 'r-1')],
        afterResponse: [({ response }) => void seen.push(response.status)],
      },
    });
    const { orders } = connect(server.url, { fetch: kyFetch(instance), retry: { baseDelayMs: 1 } });
    expect((await orders.get(7)).id).toBe(7);
    expect(seen).toEqual([503, 200]);
    expect(urls).toEqual([1, 2].map(() => `${server.url}/v1/orders/7`));
    expect(server.requests.map(({ headers }) => headers['x-request-id'])).toEqual(['r-1', 'r-1']);
  });

  test('its header fields are sent, and those of the client replace them', async () => {
    const headers = { 'x-application': 'warehouse', authorization: 'Bearer of the instance' };
    const { server, orders } = await start({ headers });
    await orders.get(7);
    const basic = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
    expect(server.requests[0]?.headers).toMatchObject({ 'x-application': 'warehouse', authorization: basic });
  });
});

test('refuses what is no instance of ky', () => {
  for (const instance of [undefined, { headers: {} }, globalThis.fetch])
    expect(() => kyFetch(instance as typeof ky)).toThrow(InvalidRequestError);
});

describe('what the client decides', () => {
  const adding = (more: Options): Options => ({ hooks: { init: [(all) => void Object.assign(all, more)] } });
  const retrying: Options = { retry: { limit: 3, methods: ['get', 'post'], delay: () => 1 } };

  const asking: Options = { ...retrying, hooks: { afterResponse: [() => ky.retry()] } };

  test.each<[string, Options, abstract new (...args: never[]) => RestkinError]>([
    ['its retry option', retrying, InternalServerError],
    ['an init hook that turns retries on', adding(retrying), InternalServerError],
    // What the hook throws in place of the response tells nothing about the request.
    ['a hook that asks for a retry', asking, AmbiguousOutcomeError],
  ])('nothing is sent twice by %s', async (_what, options, expected) => {
    const { server, orders } = await start(options, () => ({ status: 500 }));
    await failureOf(orders.create(orderBody), expected);
    expect(server.requests).toHaveLength(1);
  });

  test('its time limits do not apply', async () => {
    const slow: Responder = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return { body: JSON.stringify(order(7)) };
    };
    const { orders } = await start({ timeout: 1, totalTimeout: 1 }, slow);
    expect((await orders.get(7)).id).toBe(7);
  });

  test.each<[string, Options]>([
    ['its prefix', { prefix: 'http://127.0.0.1:9/other' }],
    ['its baseUrl', { baseUrl: 'http://127.0.0.1:9/other/' }],
    ['its searchParams', { searchParams: { page: 9 } }],
    ['searchParams of an init hook', adding({ searchParams: { page: 9 } })],
  ])('%s does not change the URL', async (_what, options) => {
    const { server, orders } = await start(options);
    await orders.get(7);
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/orders/7']);
  });

  test('its json does not replace the body', async () => {
    const { server, orders } = await start({ json: { status: 'closed' } }, () => ({ status: 204 }));
    await orders.replace(7, orderBody);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(orderBody);
  });

  test.each<[string, Options]>([
    ['its redirect option', { redirect: 'follow' }],
    ['a request that a hook made', { hooks: { beforeRequest: [({ request }) => new Request(request.url)] } }],
  ])('a redirect is not followed by %s', async (_what, options) => {
    const elsewhere = await startRawServer(() => ({ body: JSON.stringify(order(7)) }));
    const { orders } = await start(options, () => ({ status: 307, headers: { location: elsewhere.url } }));
    await failureOf(orders.get(7), RedirectRefusedError);
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('a connection that was refused proves that nothing was sent', async () => {
    const { orders } = connect('http://127.0.0.1:1', { fetch: kyFetch(ky) });
    expect((await failureOf(orders.create(orderBody), ConnectionError)).sent).toBe(false);
  });

  test('a refresh token is sent once, and a failed renewal costs one password login', async () => {
    await using server = await serveTokens({
      token: (form) =>
        form.get('grant_type') === 'refresh_token' ? json({ message: 'later' }, 500) : undefined,
      api: () => json(order(7)),
    });
    const auth = tokenAuth({ authUrl: server.url, ...login });
    const client = createClient({
      baseUrl: server.url,
      auth,
      fetch: kyFetch(ky.create(retrying)),
      retry: { baseDelayMs: 1 },
    });
    const { orders } = client.api(defineApi({ ...basicOrdering, auth: 'token' }));
    await orders.get(7);
    server.expire();
    await orders.get(7);
    expect(grantsOf(server)).toEqual(['password', 'refresh_token', 'password']);
  });
});
