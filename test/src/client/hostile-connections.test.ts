import { AmbiguousOutcomeError, ConnectionError } from 'restkin';
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
