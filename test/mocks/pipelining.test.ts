import { connect } from 'node:net';
import { collection, defineApi, resource } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';

const api = defineApi({
  name: 'pipeline',
  version: 1,
  auth: 'open',
  collections: { notes: collection('notes', resource({ text: z.string() })) },
});

const start = () => createMock(api, { data: { notes: [{ id: 1, text: 'old' }] } });

/** Writes bytes at once and reads until the server ends the connection. */
const exchange = (port: number, ...parts: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(parts.join('')));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });

const head = (line: string, ...fields: readonly string[]) =>
  `${[`${line} HTTP/1.1`, 'host: 127.0.0.1', ...fields].join('\r\n')}\r\n\r\n`;
const patch = (text: string): string => {
  const body = JSON.stringify({ text });
  return `${head('PATCH /v1/notes/1', 'content-type: application/json', `content-length: ${body.length}`)}${body}`;
};
const get = head('GET /v1/notes/1');
const last = head('GET /v1/notes/1', 'connection: close');

const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
const texts = (received: string) => [...received.matchAll(/"text":"(\w+)"/g)].map(([, text]) => text);

test('a GET that is pipelined behind a PATCH sees the new value', async () => {
  await using server = await serve(start());
  const received = await exchange(server.port, get, patch('new'), get, patch('newer'), last);
  expect(statuses(received)).toEqual(['200', '204', '200', '204', '200']);
  expect(texts(received)).toEqual(['old', 'new', 'newer']);
});

test('responses come in the order of their requests, also when an earlier one is delayed', async () => {
  const mock = start();
  await using server = await serve(mock);
  mock.faults.next({ method: 'PATCH', delayMs: 50 });
  const received = await exchange(server.port, patch('new'), head('GET /v1/nothing'), last);
  expect(statuses(received)).toEqual(['204', '404', '200']);
  expect(texts(received)).toEqual(['new']);
});

test.each([
  ['a line that is no request', 'GET bad\r\n\r\n', '400'],
  ['the method TRACK', head('TRACK /v1/notes'), '405'],
])('a request that is pipelined before %s gets its response first', async (_what, bad, status) => {
  const mock = start();
  await using server = await serve(mock);
  mock.faults.next({ method: 'PATCH', delayMs: 50 });
  const received = await exchange(server.port, patch('new'), get, bad);
  expect(statuses(received)).toEqual(['204', '200', status]);
  expect(texts(received)).toEqual(['new']);
});

test('a request whose body breaks off in the middle gets 400, and nothing is stored', async () => {
  const mock = start();
  await using server = await serve(mock);
  const chunked = head('PATCH /v1/notes/1', 'content-type: application/json', 'transfer-encoding: chunked');
  const received = await exchange(server.port, get, `${chunked}5\r\n{"tex\r\nzz\r\n`);
  expect(statuses(received)).toEqual(['200', '400']);
  expect(mock.state.row('notes', 1)?.text).toBe('old');
});
