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
