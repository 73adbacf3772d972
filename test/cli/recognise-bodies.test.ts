import { serve as serveMock } from 'restkin/mocks';
import { expect, onTestFinished, test } from 'vitest';
import { loginOf } from '../../src/cli/recognise/login.ts';
import { createObserve } from '../../src/cli/recognise/observe.ts';
import { type Fault, startFaultServer } from '../support/fault-server.ts';
import { runHere } from './run-here.ts';

const serve = async (fault: Fault): Promise<string> => {
  const server = await startFaultServer({ respond: () => fault });
  onTestFinished(server.close);
  return server.url;
};

test('a body without an end is not read to the end of the memory', async () => {
  const url = await serve({ endless: 200 });
  const { code, stderr } = await runHere(['recognise', `${url}/posts`]);
  expect([code, stderr]).toEqual([
    10,
    `restkin: GET ${url}/posts: 200: the body is larger than 4000000 bytes\n`,
  ]);
});

test('a body that is cut is a lost connection, not a body that is no JSON', async () => {
  const { code, stderr } = await runHere(['recognise', `${await serve('shortBody')}/posts`]);
  expect(code).toBe(9);
  expect(stderr).toContain('/posts: the connection was lost before the response was complete\n');
});

const output = { isTerminal: false, write: async () => undefined, say: () => undefined };

test('a body that takes too long ends with an error', async () => {
  const origin = await serve('drip');
  const { signal } = new AbortController();
  const io = { out: output, err: output, env: {}, signal };
  const observe = createObserve(origin, loginOf([], io), false, io, 100);
  await expect(observe(new URL(`${origin}/posts`))).rejects.toThrow('no complete response within 100 ms');
});

test.each<[string, unknown]>([
  ['with an empty list', { id: 1, tags: [] }],
  ['with a list of objects', { id: 1, lines: [{ id: 1, sku: 'A' }] }],
  ['with an empty list of data', { id: 1, data: [] }],
  ['with a list below a name', { _id: 'a', device: { parts: [] } }],
  ['in a wrapper', { data: { id: 1, tags: [] } }],
])('one record is no list: %s', async (_, body) => {
  const server = await serveMock({ respond: async () => Response.json(body) });
  onTestFinished(() => server.close());
  const { code, stdout, stderr } = await runHere(['recognise', `${server.url}/posts/1`]);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: 'restkin: The response has no list of records; name the URL of a list\n',
  });
});

const declared = async (values: readonly unknown[]): Promise<string> => {
  const rows = values.map((at, index) => ({ id: index + 1, at }));
  const respond = async ({ url }: Request) =>
    Response.json(rows[Number(/\d+$/.exec(new URL(url).pathname)) - 1] ?? rows);
  const server = await serveMock({ respond });
  onTestFinished(() => server.close());
  const { stdout } = await runHere(['recognise', `${server.url}/posts`]);
  return /at: (.*) \}\);/.exec(stdout)?.[1] ?? stdout;
};

const time = '2026-01-02T03:04:05';

test.each<[string, readonly unknown[], string]>([
  ['UTC', [`${time}Z`, `${time}.123Z`, `${time}Z`], 'z.iso.datetime()'],
  ['an offset', [`${time}Z`, `${time}+02:00`, `${time}Z`], 'z.iso.datetime({ offset: true })'],
  ['no zone', [time, time, `${time}.5`], 'z.iso.datetime({ local: true })'],
  ['null in some', [null, `${time}Z`, `${time}Z`, `${time}Z`], 'z.nullable(z.iso.datetime())'],
  ['another string in one', [`${time}Z`, 'soon', `${time}Z`, `${time}Z`], 'z.string()'],
  ['one time alone', [null, `${time}Z`, null, null], 'z.nullable(z.string())'],
  ['no zone in some and an offset in others', [time, `${time}+02:00`, time], 'z.string()'],
])('a field whose values are times is declared as one: with %s', async (_, values, code) => {
  expect(await declared(values)).toBe(code);
});
