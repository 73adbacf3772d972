import { createClient, type Logger, NotFoundError, tokenAuth } from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect, failureOf, login, order } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { inOrder, json, type RecordingServer, record } from '../../support/recording-server.ts';
import { isTokenRequest, tokenReply } from '../../support/token-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** Everything that has a line: a token, a retry, a pause, a page, a failure. */
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

/** The lines, without what differs from run to run. */
const plain = (line: string, { url }: RecordingServer): string =>
  line
    .replaceAll(url, '')
    .replace(/Ms=\d+/, 'Ms=n')
    .replace(/^(restkin )\w+(-\d+)/, '$1call$2');

const lines = [
  'response purpose=token method=POST url=/auth/token attempt=1 status=200 durationMs=n',
  'token reason=first grant=password',
  'response purpose=api method=GET url=/v1/orders/7 attempt=1 status=503 durationMs=n',
  'retry purpose=api method=GET url=/v1/orders/7 attempt=1 status=503 error=service_unavailable delayMs=n',
  'pause pauseMs=n',
  'response purpose=api method=GET url=/v1/orders/7 attempt=2 status=429 durationMs=n',
  'retry purpose=api method=GET url=/v1/orders/7 attempt=2 status=429 error=too_many_requests delayMs=n',
  'response purpose=api method=GET url=/v1/orders/7 attempt=3 status=200 durationMs=n',
  'response purpose=api method=GET url=/v1/orders?perPage=5 attempt=1 status=200 durationMs=n',
  'page url=/v1/orders?perPage=5 records=1',
  'response purpose=api method=GET url=/v1/orders/8 attempt=1 status=404 durationMs=n',
  'error err=GET /v1/orders/8: 404 Not Found',
];

describe('debug', () => {
  const printed = (method: 'error' | 'debug') => {
    const all: string[] = [];
    vi.spyOn(console, method).mockImplementation((...given) => void all.push(given.join(' ')));
    return all;
  };
  const calls = [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3];
  const withCalls = lines.map((line, index) => `restkin call-${calls[index]}: ${line}`);

  test('prints a line for each request, retry, renewal, pause, page and failure', async () => {
    await using server = await serveAll();
    const all = printed('error');
    await callAll(server, { debug: true });
    expect(all.map((line) => plain(line, server))).toEqual(withCalls);
  });

  test('RESTKIN_DEBUG=1 does, unless debug is false', async () => {
    vi.stubEnv('RESTKIN_DEBUG', '1');
    await using server = await serveAll();
    const all = printed('error');
    await callAll(server, { debug: false });
    expect(all).toEqual([]);
    await using second = await serveAll();
    await callAll(second, {});
    expect(all).toHaveLength(withCalls.length);
  });

  test('in a browser it prints to console.debug', async () => {
    await using server = await serveAll();
    const all = printed('debug');
    vi.stubGlobal('document', {});
    await callAll(server, { debug: true });
    expect(all).toHaveLength(withCalls.length);
  });

  test('without it nothing is printed, also where there is no process', async () => {
    await using server = await serveAll();
    const all = printed('error');
    vi.stubGlobal('process', undefined);
    await callAll(server, {});
    vi.unstubAllGlobals();
    expect(all).toEqual([]);
  });
});

describe('logger', () => {
  const collect = () => {
    const all: {
      readonly level: string;
      readonly fields: Parameters<Logger['debug']>[0];
      readonly line: string;
    }[] = [];
    const at = (level: string) => (fields: Parameters<Logger['debug']>[0], line: string) =>
      void all.push({ level, fields, line });
    return { all, logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
  };

  test('gets the same with its fields, beside the observers', async () => {
    await using server = await serveAll();
    const { all, logger } = collect();
    let responses = 0;
    const failure = await callAll(server, { logger, on: { response: () => void responses++ } });
    expect(all.map(({ line }) => plain(line, server))).toEqual(lines);
    expect(responses).toBe(lines.filter((line) => line.startsWith('response')).length);
    const [, token, , retry, pause] = all;
    expect(token).toMatchObject({ level: 'info', fields: { event: 'token', grant: 'password' } });
    expect(retry).toMatchObject({ level: 'warn', fields: { event: 'retry', status: 503, attempt: 1 } });
    expect(pause).toMatchObject({ level: 'warn', fields: { event: 'pause', pauseMs: expect.any(Number) } });
    expect(all.at(-1)).toEqual({
      level: 'error',
      fields: { event: 'error', callId: failure.callId, err: failure },
      line: `error err=${failure.message}`,
    });
  });

  test('shows only the name of an error that is not of restkin', async () => {
    const { all, logger } = collect();
    const { orders } = connect('http://127.0.0.1:1', { logger });
    await orders.get(7, { signal: AbortSignal.abort(new Error('p4ssw0rd')) }).catch(() => undefined);
    await orders.get(7, { signal: AbortSignal.abort('p4ssw0rd') }).catch(() => undefined);
    expect(all.map(({ line }) => line)).toEqual(['error error=Error', 'error error=unknown']);
    expect(JSON.stringify(all)).not.toContain('p4ssw0rd');
  });
});
