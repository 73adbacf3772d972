import {
  type ClientOptions,
  collection,
  createClient,
  defineApi,
  type Events,
  type Resource,
  resource,
  tokenAuth,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { connect as connectBasic, failureOf, login, orderBody } from '../../support/basic-ordering.ts';
import { accessToken, watch } from '../../support/canaries.ts';
import { ordering } from '../../support/ordering.ts';
import { type Reply, type Responder, startRawServer } from '../../support/raw-server.ts';

/** What can stand in a host name, as a token without dots and signs does. */
const plainToken = 'canary-token-0123456789';

const connect = async (answer: Reply | Responder, token: string, options: Partial<ClientOptions> = {}) => {
  const server = await startRawServer((request, response) => {
    if (request.url === '/auth/token') {
      return { body: JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 600 }) };
    }
    return typeof answer === 'function' ? answer(request, response) : answer;
  });
  const { seen, options: watched } = watch();
  const auth = tokenAuth({ authUrl: server.url, ...login });
  const client = createClient({ baseUrl: server.url, auth, ...watched, retry: false, ...options });
  return { server, client, seen, orders: client.api(ordering).orders };
};

/** Everything that a thrown value and the events say, in lower case: a server may write a token so. */
const textOf = (...values: readonly unknown[]): string =>
  values
    .map(
      (value) =>
        JSON.stringify(value, Object.getOwnPropertyNames(value)) + JSON.stringify(value) + String(value),
    )
    .join('\n')
    .toLowerCase();

describe('a token that the server puts where it does not belong', () => {
  test('a content type', async () => {
    const { orders } = await connect(
      { headers: { 'content-type': `text/${plainToken}` }, body: 'x' },
      plainToken,
    );
    const error = await failureOf(orders.get(7), UnexpectedResponseError);
    expect(error.message).toContain(': the response is text/*** where JSON was expected');
    expect(textOf(error)).not.toContain(plainToken);
  });

  test('the path of a self link that is followed', async () => {
    const { client, server, seen } = await connect({ status: 404 }, accessToken);
    await client.request({ method: 'GET', path: 'x' }).catch(() => undefined);
    const Company = ordering.collections.companies.resource;
    const link = `${server.url}/v1/c/${encodeURIComponent(accessToken)}`;
    const error: unknown = await client.follow(Company, link).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 404, url: `${server.url}/v1/c/***` });
    expect(textOf(seen)).not.toContain(encodeURIComponent(accessToken).toLowerCase());
  });

  test.each(['throw', 'warn'] as const)('a name in a body that does not match: %s', async (validation) => {
    const things = collection('things', resource({ tags: z.record(z.string(), z.number()) }));
    const api = defineApi({ name: 'records', version: 1, auth: 'token', collections: { things } });
    const body = JSON.stringify({ id: 7, self: 'http://a.test/', tags: { [plainToken]: 'x' } });
    const told: unknown[] = [];
    const on = { validation: (event: Events['validation']) => void told.push(event) };
    const { client } = await connect({ body }, plainToken, { validation, on });
    told.push(
      await client
        .api(api)
        .things.get(7)
        .catch((error: unknown) => error),
    );
    expect(told[0]).toMatchObject({ issues: [{ path: 'tags.***' }] });
    expect(textOf(told[0])).not.toContain(plainToken);
  });

  test('the Location of a resource that is created later', async () => {
    const { orders } = await connect(
      { status: 202, headers: { location: `/jobs/${plainToken}` } },
      plainToken,
    );
    const error = await failureOf(orders.create(orderBody), UnexpectedResponseError);
    expect(error.headers.location).toMatch(/\/jobs\/\*\*\*$/);
    expect(textOf(error)).not.toContain(plainToken);
  });
});

describe('header fields of the client and of the call that a server echoes', () => {
  const echo: Responder = ({ headers }) => ({
    status: headers['x-fail'] === undefined ? 200 : 400,
    headers: { 'content-type': `text/${String(headers['x-api-key'])}` },
    body: JSON.stringify({
      message: [headers['x-api-key'], headers['x-user-token'], headers['x-tenant']].join(', '),
    }),
  });
  const headers = { 'x-api-key': 'key-of-the-client', 'x-tenant': 'acme-corporation' };

  test('are not shown where their names say that they are secret', async () => {
    const { client } = await connect(echo, plainToken, { headers });
    const own = { 'x-user-token': 'Token of-the-call-42', 'x-fail': '1' };
    const error = await client
      .request({ method: 'GET', path: 'x', headers: own })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400, detail: '***, ***, acme-corporation' });
  });
});

test('a recursive resource that is nested too deeply is an unexpected response', async () => {
  const Node: Resource = resource({
    get parent(): z.ZodOptional<Resource> {
      return z.optional(Node);
    },
  });
  const nodes = collection('nodes', Node);
  const api = defineApi({ name: 'nodes', version: 1, auth: 'token', collections: { nodes } });
  const body = `${'{"id":1,"self":"http://a.test/","parent":'.repeat(30_000)}{"id":1}${'}'.repeat(30_000)}`;
  const { client } = await connect({ body }, plainToken);
  const error = await failureOf(client.api(api).nodes.get(1), UnexpectedResponseError);
  expect(error).toMatchObject({ status: 200, issues: [{ path: '', message: 'is nested too deeply' }] });
});

test.each([201, 202])(
  'a %d whose body is cut has its status and Location: its outcome is known, and nothing is resent',
  async (status) => {
    const server = await startRawServer((_request, response) => {
      response.writeHead(status, { location: '/v1/orders/7', 'content-length': '100' });
      response.write('{"id":');
      setTimeout(() => response.destroy(), 10);
      return undefined;
    });
    const { orders } = connectBasic(server.url, { retry: { baseDelayMs: 1 } });
    const error = await failureOf(orders.create(orderBody), UnexpectedResponseError);
    expect(error).toMatchObject({ status, headers: { location: '/v1/orders/7' } });
    expect(server.requests).toHaveLength(1);
  },
);
