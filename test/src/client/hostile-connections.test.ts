import { gzipSync } from 'node:zlib';
import {
  AmbiguousOutcomeError,
  ConnectionError,
  ResponseTooLargeError,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, order, orderBody } from '../../support/basic-ordering.ts';
import { type Reply, type Responder, respondRaw, startRawServer } from '../../support/raw-server.ts';

const facing = async (answer: Reply | Responder, options = {}) => {
  const server = await startRawServer(typeof answer === 'function' ? answer : () => answer);
  return { server, ...connect(server.url, options) };
};

describe('connections', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const broken: [string, Responder][] = [
    ['no response at all', (_request, response) => void response.destroy()],
    [
      'reset inside of the body',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":', () => response.socket?.resetAndDestroy());
        return undefined;
      },
    ],
    [
      'fewer bytes than content-length says',
      (_request, response) => respondRaw(response, `${head}content-length: 500\r\n\r\n{"id":7}`),
    ],
    ['not HTTP', (_request, response) => respondRaw(response, 'SSH-2.0-OpenSSH_9.6\r\n')],
    [
      'two lengths that differ',
      (_request, response) => respondRaw(response, `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n12`),
    ],
    [
      'a header field of 1 MB',
      (_request, response) => respondRaw(response, `${head}link: ${'<'.repeat(1_000_000)}\r\n\r\n`),
    ],
    ['gzip that is none', () => ({ headers: { 'content-encoding': 'gzip' }, body: '{"id":7}' })],
  ]; // prettier-ignore

  test.each(broken)('%s: a read fails, and may have arrived', async (_name, responder) => {
    const { orders } = await facing(responder);
    const error = await failureOf(orders.get(7), ConnectionError);
    expect(error).toMatchObject({ sent: true, code: 'connection_failed', method: 'GET' });
  });

  test.each(broken)('%s: a write is ambiguous, and is sent once', async (_name, responder) => {
    const { orders, server } = await facing(responder, { retry: { baseDelayMs: 1 } });
    expect((await failureOf(orders.create(orderBody), AmbiguousOutcomeError)).name).toBe(
      'AmbiguousOutcomeError',
    );
    expect(server.requests).toHaveLength(1);
  });

  test('more bytes than content-length says', async () => {
    const { orders } = await facing((_request, response) =>
      respondRaw(response, `${head}content-length: 4\r\n\r\n{"id":7,"status":"open"}`),
    );
    expect((await failureOf(orders.get(7), UnexpectedResponseError)).name).toBe('UnexpectedResponseError');
  });

  test('no server listens', async () => {
    const { server } = await facing({});
    const port = Number(new URL(server.url).port);
    const { orders } = connect(`http://127.0.0.2:${port}`);
    const error = await failureOf(orders.create(orderBody), ConnectionError);
    expect(error).toMatchObject({ sent: false, reason: 'ECONNREFUSED', code: 'connection_failed' });
  });
});

describe('a body above maxResponseBytes', () => {
  const body = JSON.stringify({ ...order(7), note: 'x'.repeat(20_000) });
  const options = { maxResponseBytes: 5_000 };
  const chunked: (status: number) => Responder = (status) => (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.write(body.slice(0, 4_000));
    response.end(body.slice(4_000));
    return undefined;
  };

  test.each([200, 201, 400, 401, 404, 500, 503])('%d, with and without a length', async (status) => {
    for (const answer of [
      { status, body, headers: { 'content-length': String(body.length) } },
      chunked(status),
    ]) {
      const { orders, server } = await facing(answer, options);
      const error = await failureOf(orders.get(7), ResponseTooLargeError);
      expect(error).toMatchObject({ status, code: 'response_too_large', method: 'GET' });
      expect(server.requests).toHaveLength(1);
    }
  });

  test('the limit is for the decoded body: little gzip can be much', async () => {
    const gzip = gzipSync(Buffer.alloc(5_000_000, ' '));
    expect(gzip.length).toBeLessThan(6_000);
    const headers = { 'content-encoding': 'gzip', 'content-length': String(gzip.length) };
    const { orders } = await facing({ headers, body: gzip }, { maxResponseBytes: 6_000 });
    expect((await failureOf(orders.get(7), ResponseTooLargeError)).status).toBe(200);
  });

  test('a body below it arrives, also in pieces', async () => {
    const { orders } = await facing(chunked(200), { maxResponseBytes: body.length });
    expect((await orders.get(7)).note).toHaveLength(20_000);
  });
});
