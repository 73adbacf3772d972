import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setupServer } from 'msw/node';
import { createMock, type Fault } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRequest } from '../../mocks/abort.ts';
import { ordering } from '../support/ordering.ts';
import { createOrdering, origin, requestTokens } from './calls.ts';

const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  for (const _ of [1, 2, 3]) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc();
  }
};

const url = `${origin}/v1/orders`;

test('an abort ends a request that is given as a Request', async () => {
  const mock = createOrdering();
  mock.faults.next({ delayMs: Number.POSITIVE_INFINITY });
  const abort = new AbortController();
  const answer = mock.fetch(new Request(url, { signal: abort.signal }));
  abort.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
});

test('an abort ends a request that nothing but its signal can end, also after a garbage collection', async () => {
  const ends: unknown[] = [];
  const mock = createMock(ordering, {
    endpoints: {
      'v1/slow': ({ signal }) =>
        new Promise<Response>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            ends.push(signal.reason);
            reject(signal.reason);
          });
        }),
    },
  });
  const { json } = await requestTokens(mock);
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${json.access_token}` };
  const answer = mock.fetch(`${origin}/v1/slow`, { headers, signal: abort.signal });
  const reason = answer.catch((thrown: unknown) => thrown);
  await collectGarbage();
  abort.abort('enough');
  expect(await reason).toBe('enough');
  expect(ends).toEqual(['enough']);
});

test('a request that a fault delays or cuts leaves no listener on its signal', async () => {
  const mock = createOrdering();
  const listenersAfter = async (fault?: Fault) => {
    const { signal } = new AbortController();
    if (fault !== undefined) mock.faults.next(fault);
    const response = await mock.fetch(url, { signal });
    await response.text().catch(() => undefined);
    return getEventListeners(signal, 'abort').length;
  };
  // The constructor of a Request adds one.
  const usual = await listenersAfter();
  expect(await listenersAfter({ delayMs: 1 })).toBe(usual);
  expect(await listenersAfter({ cut: 'body' })).toBe(usual);
});

test('an abort of a delayed request leaves no timer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const mock = createOrdering();
  const abort = new AbortController();
  mock.faults.next({ delayMs: 60_000 });
  const waiting = mock.fetch(url, { signal: abort.signal });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

test('a request that is aborted already is not delayed', async () => {
  const mock = createOrdering();
  mock.faults.next({ delayMs: Infinity });
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(mock.respond(createRequest(url, { signal }))).rejects.toThrow('enough');
});

test('an abort after the header fields fails the body', async () => {
  const mock = createOrdering();
  const abort = new AbortController();
  const response = await mock.fetch(url, { signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(response.text()).rejects.toThrow('enough');
});

test('an abort after the body was read changes nothing', async () => {
  const mock = createOrdering();
  const abort = new AbortController();
  const response = await mock.fetch(url, { signal: abort.signal });
  const body = await response.json();
  abort.abort(new Error('enough'));
  expect(body).toEqual({ message: expect.stringContaining('Credentials are required') });
});

test('an aborted request through msw is no error of its handler', async () => {
  const mock = createOrdering();
  const server = setupServer(...handlers(mock));
  server.listen();
  onTestFinished(() => server.close());
  const printed: unknown[] = [];
  const { error } = console;
  console.error = (...values) => void printed.push(values);
  onTestFinished(() => {
    console.error = error;
  });
  mock.faults.next({ delayMs: Number.POSITIVE_INFINITY });
  const abort = new AbortController();
  const answer = fetch(url, { signal: abort.signal });
  const reason = answer.catch((thrown: unknown) => String(thrown));
  await expect.poll(() => mock.requests.length).toBe(1);
  abort.abort(new Error('enough'));
  expect(await reason).toContain('enough');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(printed).toEqual([]);
});
