import {
  basicAuth,
  type Client,
  collection,
  createClient,
  customAuth,
  defineApi,
  InvalidRequestError,
  resource,
  tokenAuth,
} from 'restkin';
import { diagnose } from 'restkin/doctor';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { otelTrace } from 'restkin/otel';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countingFetch, failureOf, login } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';

// A JavaScript program that reads options from the environment passes strings; `'false'` would count as true.

const create = (options: object): Client =>
  createClient({ baseUrl: 'https://api.test', auth: basicAuth(login), ...options });

const refused = (message: string) => expect.objectContaining({ code: 'invalid_request', message });

describe('an option that is true or false takes no string', () => {
  test.each([
    [{ allowInsecure: 'false' }, 'createClient: allowInsecure must be true or false'],
    [{ debug: 'false' }, 'createClient: debug must be true or false'],
    [
      { retry: { writesAfterUnavailable: 'false' } },
      'createClient: retry.writesAfterUnavailable must be true or false',
    ],
    [{ retry: { idempotentWrites: 0 } }, 'createClient: retry.idempotentWrites must be true or false'],
  ])('createClient(%o)', (options, message) => {
    expect(() => create(options)).toThrow(refused(message));
  });

  test('allowInsecure: "false" sends no credentials over http:', () => {
    const { fetch, urls } = countingFetch();
    expect(() => create({ fetch, baseUrl: 'http://api.test', allowInsecure: 'false' })).toThrow(
      'createClient: allowInsecure must be true or false',
    );
    expect(urls).toEqual([]);
  });

  test('the retries of one call', async () => {
    const client = create({ auth: { token: basicAuth(login) } });
    const given = { retry: { writesAfterUnavailable: 'false' } };
    const { orders } = client.api(ordering);
    const error = await failureOf(orders.delete(7, given as never), InvalidRequestError);
    expect(error.message).toBe('orders.delete: retry.writesAfterUnavailable must be true or false');
  });

  test.each([
    [{ accepted: 'false' }, 'createMock: accepted must be true, false or an array of'],
    [{ tokens: { singleSession: 'false' } }, 'createMock: tokens.singleSession must be true or false'],
  ])('createMock(%o)', (options, message) => {
    expect(() => createMock(ordering, options as never)).toThrow(message);
  });

  test('a fault of the mock', () => {
    const mock = createMock(ordering);
    expect(() => mock.faults.next({ token: 'false' } as never)).toThrow(
      refused('mock.faults.next: token must be true or false'),
    );
  });

  test.each(['allowWrites', 'allowInsecure'])('%s of the doctor', async (name) => {
    const options = { baseUrl: 'https://api.test', authUrl: 'https://auth.test', ...login, [name]: 'false' };
    const error = await failureOf(diagnose(ordering, options), InvalidRequestError);
    expect(error.message).toBe(`diagnose: ${name} must be true or false`);
  });

  test.each(['plainLists', 'fullResponses'])('%s of toOpenApi', (name) => {
    expect(() => toOpenApi(ordering, { [name]: 'false' })).toThrow(
      refused(`toOpenApi: ${name} must be true or false`),
    );
  });

  test('urlTemplate of otelTrace', () => {
    expect(() => otelTrace({ urlTemplate: 'false' } as never)).toThrow(
      refused('otelTrace: urlTemplate must be true or false'),
    );
  });

  test('paging.totals of a declaration', () => {
    const orders = collection('orders', resource({ a: z.string() }), {
      paging: { totals: 'false' } as never,
    });
    expect(() => defineApi({ name: 'a', version: 1, auth: 'token', collections: { orders } })).toThrow(
      'paging.totals must be true or false',
    );
  });
});

test.each([
  ['requestIdHeader', [5, null, '', 'X Trace', true], 'the name of a header in lower case, or false'],
  [
    'logger',
    [{}, { debug: () => undefined }, 'console', null],
    'a logger with the functions debug, info, warn and error, such as console',
  ],
] as const)('createClient refuses what is not a %s', (name, values, kind) => {
  for (const value of values)
    expect(() => create({ [name]: value })).toThrow(refused(`createClient: ${name} must be ${kind}`));
});

describe('a message names the function whose option it is', () => {
  test.each([
    [{ timeoutMs: '5' }, 'createClient: timeoutMs must be a number above 0'],
    [{ retry: { attempts: 0 } }, 'createClient: retry.attempts must be an integer from 1'],
    [{ retry: { attemps: 2 } }, 'createClient: retry has no option "attemps"'],
    [{ on: { error: 'log' } }, 'createClient: on.error must be a function'],
    [{ on: { errors: () => 1 } }, 'createClient: on has no option "errors"'],
    [{ baseUrl: 'api.test' }, 'createClient: baseUrl must be an absolute URL'],
    [{ headers: { 'x y': 'a' } }, 'createClient: headers has a header whose name is not an HTTP token'],
    [{ auth: 'token' }, 'createClient: auth must be tokenAuth, basicAuth or customAuth'],
    [{ auth: [customAuth(() => ({}))] }, 'createClient: auth must be tokenAuth, basicAuth or customAuth'],
    [{ auth: tokenAuth({ authUrl: 'x', ...login }) }, 'tokenAuth: authUrl must be an absolute URL'],
  ])('createClient(%o)', (options, message) => {
    expect(() => create(options)).toThrow(message);
  });

  test.each([
    ['basicAuth: username must not be empty', () => basicAuth({ ...login, username: '' })],
    [
      'tokenAuth: password must be a string, not number',
      () => tokenAuth({ authUrl: 'x', ...login, password: 5 } as never),
    ],
    [
      'tokenAuth: tokens must have an accessToken or a refreshToken',
      () => tokenAuth({ authUrl: 'x', tokens: {} }),
    ],
    [
      'tokenAuth: timeoutMs must be a number above 0',
      () => tokenAuth({ authUrl: 'x', ...login, timeoutMs: 0 }),
    ],
  ])('%s', (message, make) => {
    expect(make).toThrow(refused(message));
  });

  test.each([
    [{ timeoutMs: 0 }, 'orders.get: timeoutMs must be a number above 0'],
    [{ signal: {} }, 'orders.get: signal must be an AbortSignal'],
    [{ headers: { authorization: 'x' } }, 'orders.get: headers cannot set authorization; use auth'],
    [{ ifNoneMatch: 'a\r\n' }, 'orders.get: ifNoneMatch must be a string of visible ASCII characters'],
  ])('orders.get(7, %o)', async (options, message) => {
    const { orders } = create({ auth: { token: basicAuth(login) } }).api(ordering);
    const error = await failureOf(orders.get(7, options as never), InvalidRequestError);
    expect(error.message).toBe(message);
  });

  test.each([
    [{ method: 'TRACE' }, 'client.request: method must be one of GET, POST'],
    [{ path: '/v1/x' }, 'client.request: path must be below baseUrl'],
    [{ query: [] }, 'client.request: query must be a plain object'],
    [{ query: { a: {} } }, 'client.request: query.a cannot be written in a query'],
    [{ query: { a: Number.NaN } }, 'client.request: query.a cannot be written in a query'],
    [{ query: { a: [1, Infinity] } }, 'client.request: query.a cannot be written in a query'],
    [{ query: { a: 'x\ud800' } }, 'client.request: query.a cannot be written in a query'],
    [{ accept: 'a\r' }, 'client.request: accept must be a string of visible ASCII characters'],
    [{ contentType: 5 }, 'client.request: contentType must be a string of visible ASCII characters'],
    [{ api: {} }, 'client.request: api must be what defineApi returned'],
    [{ as: 'json', schema: {} }, 'client.request: schema must be a schema of zod 4'],
    [{ as: 'text', schema: z.object({}) }, 'client.request: schema checks JSON; leave out `as`, or `schema`'],
    [
      { method: 'POST', body: new Uint8Array(1) },
      'client.request: a body of bytes or a stream needs a contentType; an endpoint takes a Blob with its type',
    ],
  ])('client.request(%o)', async (part, message) => {
    const request = { method: 'GET', path: 'v1/x', ...part };
    const error = await failureOf(create({}).request(request as never), InvalidRequestError);
    expect(error.message).toContain(message);
  });
});
