import { AmbiguousOutcomeError, BadRequestError, ConnectionError } from 'restkin';
import { expect, test } from 'vitest';
import { connect, failureOf, orderBody } from '../../support/basic-ordering.ts';
import { type Responder, respondRaw, startRawServer } from '../../support/raw-server.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const writing =
  (text: string): Responder =>
  (_request, response) =>
    respondRaw(response, text);

test.each<[string, Responder]>([
  ['not HTTP', writing('SSH-2.0-OpenSSH_9.6\r\n')],
  ['two lengths that differ', writing(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\n12`)],
  ['a header field of 1 MB', writing(`${head}link: ${'<'.repeat(1_000_000)}\r\n\r\n`)],
  ['gzip that is none', () => ({ headers: { 'content-encoding': 'gzip' }, body: '{"id":7}' })],
])('%s: a read fails, and a write is ambiguous and sent once', async (_name, responder) => {
  const server = await startRawServer(responder);
  const reading = connect(server.url).orders.get(7);
  expect(await failureOf(reading, ConnectionError)).toMatchObject({
    sent: true,
    code: 'connection_failed',
    method: 'GET',
  });
  const { orders } = connect(server.url, { retry: { baseDelayMs: 1 } });
  await failureOf(orders.create(orderBody), AmbiguousOutcomeError);
  expect(server.requests).toHaveLength(2);
});

// Another attempt would meet the same headers.
test('headers above the limit of the parser fail at once, and the error says how to raise it', async () => {
  const server = await startRawServer(writing(`${head}x-large: ${'a'.repeat(20_000)}\r\n\r\n{}`));
  const { orders } = connect(server.url, { retry: { baseDelayMs: 1 } });
  const error = await failureOf(orders.get(7), ConnectionError);
  expect([error.reason, error.sent, error.attempts.length]).toEqual(['UND_ERR_HEADERS_OVERFLOW', true, 1]);
  expect(error.message).toContain('--max-http-header-size');
  const ambiguous = await failureOf(orders.create(orderBody), AmbiguousOutcomeError);
  expect(ambiguous.message).toContain('--max-http-header-size');
  expect(server.requests).toHaveLength(2);
});

// A `fetch` over node:http has the code of its parser.
test('and so with the code of another parser', async () => {
  const failure = Object.assign(new Error('Parse Error'), { code: 'HPE_HEADER_OVERFLOW' });
  const options = { fetch: () => Promise.reject(failure), retry: { baseDelayMs: 1 } };
  const error = await failureOf(connect('https://api.test', options).orders.get(7), ConnectionError);
  expect(error.attempts).toHaveLength(1);
});

test.each(['transfer-encoding', 'expect', 'upgrade', 'keep-alive'])(
  'a request with `%s`, which belongs to the connection, is not sent, and the error says why',
  async (name) => {
    const server = await startRawServer(() => ({ status: 204 }));
    const { orders } = connect(server.url, { retry: { baseDelayMs: 1 } });
    const error = await failureOf(orders.delete(7, { headers: { [name]: 'chunked' } }), ConnectionError);
    expect([error.sent, error.attempts.length, server.requests.length]).toEqual([false, 1, 0]);
    expect(error.message).toContain('nothing was sent: `fetch` refused a header');
  },
);

// Some terminals act on the control characters of C1, such as CSI.
test('an error shows no control character of a header or of a link', async () => {
  const control = '\u009b31m';
  const server = await startRawServer((request, response) => {
    const isFirst = request.url === '/v1/orders';
    const fields = [
      `HTTP/1.1 ${isFirst ? 200 : 400} x`,
      'content-type: application/json',
      `x-request-id: a${control}b`,
      `link: <${server.url}/v1/orders/${control}>; rel=next`,
      'content-length: 2',
    ];
    return respondRaw(response, `${fields.join('\r\n')}\r\n\r\n[]`);
  });
  const error = await failureOf(connect(server.url).orders.list().toArray(), BadRequestError);
  expect(error.url).toBe(`${server.url}/v1/orders/%C2%9B31m`);
  expect(error.requestId).toMatch(/^a.*31mb$/);
  expect(JSON.stringify(error)).not.toMatch(/[\u0080-\u009f]/);
});
