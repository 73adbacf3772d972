import { Writable } from 'node:stream';
import pino from 'pino';
import { createClient, type Logger, NotFoundError, ReauthenticationRequiredError, tokenAuth } from 'restkin';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import winston from 'winston';
import { connect, failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { inOrder, json, type RecordingServer, record } from '../../support/recording-server.ts';
import { isTokenRequest, tokenReply } from '../../support/token-server.ts';

// The shortest pauses.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** Everything that is logged: a token, a retry, a pause, a page, a failure. */
const serveAll = () => {
  const answers = inOrder(
    { status: 503 },
    { status: 429, headers: { 'retry-after': '0' } },
    json(order(7)),
    json([order(7)]),
    { status: 404 },
  );
  let index = 0;
  return record((request, _index, response) =>
    isTokenRequest(request) ? tokenReply('access-1', 'refresh-1') : answers(request, index++, response),
  );
};

const callAll = async (server: RecordingServer, options: object): Promise<NotFoundError> => {
  const auth = tokenAuth({ authUrl: server.url, ...login });
  const retry = { baseDelayMs: 1 };
  const { orders } = createClient({ baseUrl: server.url, auth, retry, ...options }).api(ordering);
  await orders.get(7);
  await orders.list({ perPage: 5 }).toArray();
  return failureOf(orders.get(8), NotFoundError);
};

const logged = [
  ...['request', 'request', 'response', 'token', 'response', 'retry'],
  ...['request', 'pause', 'response', 'retry', 'request', 'response'],
  ...['request', 'response', 'page', 'request', 'response', 'error'],
];

describe('debug', () => {
  const printed = (method: 'error' | 'debug') => {
    const all: string[] = [];
    vi.spyOn(console, method).mockImplementation((...given) => void all.push(given.join(' ')));
    return all;
  };

  test('prints a line for each request, response, retry, renewal, pause, page and failure', async () => {
    await using server = await serveAll();
    const all = printed('error');
    await callAll(server, { debug: true });
    const fields = all.map((line) => JSON.parse(line.replace(/^restkin /, '')));
    expect(fields.map(({ event }) => event)).toEqual(logged);
    const calls = fields.map(({ callId }) => Number(callId.split('-')[1]));
    expect(calls).toEqual([...Array(12).fill(1), ...Array(3).fill(2), ...Array(3).fill(3)]);
    expect(fields[5]).toMatchObject({ method: 'GET', url: `${server.url}/v1/orders/7`, status: 503 });
    expect(fields.at(-1)?.err).toMatchObject({ message: `GET ${server.url}/v1/orders/8: 404 Not Found` });
  });

  test('RESTKIN_DEBUG=1 does, unless debug is false', async () => {
    vi.stubEnv('RESTKIN_DEBUG', '1');
    await using server = await serveAll();
    const all = printed('error');
    await callAll(server, { debug: false });
    expect(all).toEqual([]);
    await using second = await serveAll();
    await callAll(second, {});
    expect(all).toHaveLength(logged.length);
  });

  test('in a browser it prints to console.debug', async () => {
    await using server = await serveAll();
    const all = printed('debug');
    vi.stubGlobal('document', {});
    await callAll(server, { debug: true });
    expect(all).toHaveLength(logged.length);
  });
});

describe('logger', () => {
  type Fields = Parameters<Logger['debug']>[0];
  const collect = () => {
    const all: (Fields & { readonly level: string })[] = [];
    const at = (level: string) => (fields: Fields, message: string) => {
      expect(message).toBe(fields.event);
      all.push({ level, ...fields });
    };
    return { all, logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
  };

  test('gets the same as fields, beside the observers', async () => {
    await using server = await serveAll();
    const { all, logger } = collect();
    let responses = 0;
    const failure = await callAll(server, { logger, on: { response: () => void responses++ } });
    expect(all.map(({ event }) => event)).toEqual(logged);
    expect(responses).toBe(logged.filter((event) => event === 'response').length);
    expect(all.filter(({ level }) => level !== 'debug')).toEqual([
      expect.objectContaining({ level: 'info', event: 'token', grant: 'password' }),
      expect.objectContaining({ level: 'warn', event: 'retry', status: 503, attempt: 1 }),
      expect.objectContaining({ level: 'warn', event: 'pause', pauseMs: expect.any(Number) }),
      expect.objectContaining({ level: 'warn', event: 'retry', status: 429, attempt: 2 }),
      { level: 'error', event: 'error', callId: failure.callId, err: failure },
    ]);
  });

  test('gets the end of a login as a warning', async () => {
    await using server = await record(() => ({ status: 401 }));
    const { all, logger } = collect();
    const auth = tokenAuth({ authUrl: server.url, tokens: { accessToken: 'refused-1' } });
    const { orders } = createClient({ baseUrl: server.url, auth, logger }).api(ordering);
    await failureOf(orders.get(7), ReauthenticationRequiredError);
    expect(all.filter(({ event }) => event === 'token')).toMatchObject([
      { level: 'warn', reason: 'reauthenticationRequired' },
    ]);
  });

  test('gets a call that its caller aborted at debug, and no other failure', async () => {
    const { all, logger } = collect();
    const fetch = () => Promise.reject(new ReferenceError('logger is not defined'));
    const auth = tokenAuth({ authUrl: 'http://127.0.0.1:1', tokens: { accessToken: 'access-1' } });
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', auth, logger, fetch });
    const { orders } = client.api(ordering);
    const signal = AbortSignal.abort(new Error('the visitor has left'));
    const calls = (options: { signal: AbortSignal }) => [
      orders.get(7, options),
      orders.list(options).toArray(),
      orders.create(orderBody, options),
      client.fetch('http://127.0.0.1:1/x', options),
      client.request({ method: 'GET', path: 'x', ...options }),
    ];
    await Promise.allSettled(calls({ signal }));
    const errors = () => all.splice(0).filter(({ event }) => event === 'error');
    expect(errors().map(({ level, err }) => [level, err])).toEqual(Array(5).fill(['debug', 'Error']));
    await Promise.allSettled(calls(new AbortController()));
    expect(errors().map(({ level, err }) => [level, err])).toEqual(
      Array(5).fill(['error', 'ReferenceError']),
    );
  });

  test('shows only the name of an error that is not of restkin', async () => {
    const { all, logger } = collect();
    const { orders } = connect('http://127.0.0.1:1', { logger });
    await orders.get(7, { signal: AbortSignal.abort(new Error('p4ssw0rd')) }).catch(() => undefined);
    await orders.get(7, { signal: AbortSignal.abort('p4ssw0rd') }).catch(() => undefined);
    expect(all.map(({ err }) => err)).toEqual(['Error', undefined]);
    expect(JSON.stringify(all)).not.toContain('p4ssw0rd');
  });

  test.each<[string, (stream: Writable) => Logger]>([
    ['pino', (stream) => pino({ level: 'debug' }, stream)],
    [
      'winston',
      (stream) =>
        winston.createLogger({
          level: 'debug',
          transports: [new winston.transports.Stream({ stream })],
        }),
    ],
  ])('%s writes the events with their fields', async (_name, create) => {
    await using server = await serveAll();
    const lines: string[] = [];
    const write = (chunk: unknown, _encoding: string, done: () => void): void => {
      lines.push(...String(chunk).trim().split('\n'));
      done();
    };
    await callAll(server, { logger: create(new Writable({ write })) });
    const fields = lines
      .map((line) => JSON.parse(line))
      .map(({ message, ...own }) => ({ ...message, ...own }));
    expect(fields.map(({ event }) => event)).toEqual(logged);
    expect(fields[5]).toMatchObject({ status: 503, error: 'service_unavailable', attempt: 1 });
    expect(fields.at(-1)?.err.message).toBe(`GET ${server.url}/v1/orders/8: 404 Not Found`);
  });
});
