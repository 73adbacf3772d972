import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { undiciFetch } from 'restkin/undici';
import { describe, expect, test } from 'vitest';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { startRawServer } from '../../support/raw-server.ts';

const undici = undiciFetch();
const builtIn: typeof fetch = (...given) => fetch(...given);

type Read = (response: Response) => Promise<unknown>;

const readAtOnce: Read = (response) =>
  (response as unknown as Record<symbol, (limit: number) => Promise<unknown>>)[Symbol.for('restkin.body')]?.(
    1e9,
  ) ?? expect.fail('there is no such function');

const ways: readonly (readonly [string, typeof fetch, Read])[] = [
  ['the built-in fetch', builtIn, (response) => response.text()],
  ['undiciFetch, as text', undici, (response) => response.text()],
  ['undiciFetch, as a stream', undici, (response) => new Response(response.body).text()],
  ['undiciFetch, at once', undici, readAtOnce],
];

const reasons: Readonly<Record<string, unknown>> = {
  'an error': new Error('enough'),
  'a text': 'enough',
  'an object': { why: 'enough' },
  'the reason of a time limit': new DOMException('late', 'TimeoutError'),
};

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it succeeded'),
    (reason: unknown) => reason,
  );

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

/** A controller whose `abort` is a function. */
const controllerOf = () => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason?: unknown) => controller.abort(reason) };
};

/** What the server of a request does until it is aborted; tells when the connection is closed. */
const serve = async (write: (text: (text: string) => void) => void) => {
  let onArrived = (): void => undefined;
  let onClosed = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    onArrived = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  const { url } = await startRawServer((_request, response) => {
    response.socket?.once('close', onClosed);
    write((text) => response.socket?.write(text));
    onArrived();
    return undefined;
  });
  return { url, arrived, closed };
};

describe.each(ways)('%s', (_name, fetch, read) => {
  describe.each(Object.entries(reasons))('an abort with %s', (_kind, reason) => {
    test('before sending: nothing is sent', async () => {
      await using server = await startFaultServer({ respond: () => 'drop' });
      const signal = AbortSignal.abort(reason);
      expect(await failureOf(fetch(server.url, { signal, headers: {} }))).toBe(reason);
      expect(server.connections).toBe(0);
    });

    test('before the head of the response', async () => {
      const { url, arrived, closed } = await serve(() => undefined);
      const { signal, abort } = controllerOf();
      const failure = failureOf(fetch(url, { signal, headers: {} }));
      await arrived;
      abort(reason);
      expect(await failure).toBe(reason);
      await closed;
      expect(listenersOf(signal)).toBe(0);
    });

    const halves: readonly (readonly [string, string])[] = [
      ['', 'content-length: 100\r\n\r\nhalf'],
      [', coded', 'content-encoding: gzip\r\ncontent-length: 100\r\n\r\n'],
    ];
    test.each(halves)('in the middle of the body%s', async (_coding, rest) => {
      const { url, closed } = await serve((write) => write(`HTTP/1.1 200 OK\r\n${rest}`));
      const { signal, abort } = controllerOf();
      const failure = failureOf(read(await fetch(url, { signal, headers: {} })));
      // The reading has begun, and waits for the rest.
      await new Promise((resolve) => setTimeout(resolve, 20));
      abort(reason);
      expect(await failure).toBe(reason);
      await closed;
      expect(listenersOf(signal)).toBe(0);
    });

    test('between the head and the reading of the body', async () => {
      const { url, closed } = await serve((write) =>
        write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
      );
      const { signal, abort } = controllerOf();
      const response = await fetch(url, { signal, headers: {} });
      abort(reason);
      expect(await failureOf(read(response))).toBe(reason);
      await closed;
    });
  });

  test.each([
    ['', 'x'],
    [', coded', gzipSync('x')],
  ])('an abort between the last byte and the reading%s', async (coding, body) => {
    const { url } = await startRawServer(() => ({
      headers: coding === '' ? {} : { 'content-encoding': 'gzip' },
      body,
    }));
    const { signal, abort } = controllerOf();
    const response = await fetch(url, { signal, headers: {} });
    await new Promise((resolve) => setTimeout(resolve, 20));
    abort('enough');
    expect(await failureOf(read(response))).toBe('enough');
  });

  test('an abort without a reason is an AbortError', async () => {
    const { url, arrived } = await serve(() => undefined);
    const { signal, abort } = controllerOf();
    const failure = failureOf(fetch(new Request(url, { signal })));
    await arrived;
    abort();
    expect(await failure).toMatchObject({ name: 'AbortError', code: DOMException.ABORT_ERR });
  });

  test('an abort after the last byte changes nothing', async () => {
    const { url } = await startRawServer(() => ({ body: 'all of it' }));
    const { signal, abort } = controllerOf();
    const body = await read(await fetch(url, { signal, headers: {} }));
    abort();
    expect(body instanceof Uint8Array ? new TextDecoder().decode(body) : body).toBe('all of it');
  });

  test('an abort of a request that waits for a connection does not send it', async () => {
    const arrived: string[] = [];
    const release: (() => void)[] = [];
    await using server = await startFaultServer({
      respond: async ({ path }) => {
        arrived.push(path);
        await new Promise<void>((resolve) => release.push(resolve));
        return { status: 204 };
      },
    });
    const { signal, abort } = controllerOf();
    const failure = failureOf(fetch(`${server.url}/given-up`, { signal, headers: {} }));
    // In the same turn: no connection has been made.
    abort('enough');
    expect(await failure).toBe('enough');
    const other = fetch(`${server.url}/other`, { headers: {} });
    await expect.poll(() => arrived).toEqual(['/other']);
    for (const go of release) go();
    expect((await other).status).toBe(204);
  });
});

test('a stream that fails before it is read tells its reader alone', async () => {
  const { url } = await serve((write) => write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
  const { signal, abort } = controllerOf();
  const { body } = await undici(url, { signal, headers: {} });
  abort(new Error('enough'));
  await new Promise(setImmediate);
  expect(await failureOf(new Response(body).text())).toMatchObject({ message: 'enough' });
});

test('an abort with null ends a coded body, too', async () => {
  const { url } = await serve((write) =>
    write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 100\r\n\r\n'),
  );
  const { signal, abort } = controllerOf();
  const read = readAtOnce(await undici(url, { signal, headers: {} }));
  abort(null);
  expect(await failureOf(read)).toBeNull();
});

describe('one long-lived signal', () => {
  const faults: readonly (readonly [string, Fault, number])[] = [
    ['a response', { status: 200, body: '{"a":1}' }, 10_000],
    ['a response without a body', { status: 204 }, 1_000],
    ['no response', 'drop', 500],
    ['half of a response', 'shortBody', 500],
  ];

  test.each(faults)('has no listener left: %s', async (_name, fault, times) => {
    await using server = await startFaultServer({ respond: () => fault });
    const { signal } = new AbortController();
    let most = 0;
    const call = async (): Promise<void> => {
      try {
        await readAtOnce(await undici(server.url, { signal, headers: {} }));
      } catch {
        // As the server wants it.
      }
      most = Math.max(most, listenersOf(signal));
    };
    for (let count = 0; count < times; count += 20) {
      await Promise.all(Array.from({ length: 20 }, call));
    }
    expect(server.requests).toHaveLength(times);
    expect(most).toBeLessThan(20);
    expect(listenersOf(signal)).toBe(0);
  });
});
