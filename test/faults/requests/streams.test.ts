import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import {
  AmbiguousOutcomeError,
  basicAuth,
  ConnectionError,
  createClient,
  InvalidRequestError,
  type OwnRequest,
  TimeoutError,
} from 'restkin';
import { describe, expect, onTestFinished, test } from 'vitest';

/** Where a response is cut: before its head, after it, in the middle of its body, before its last byte. */
type Place = 'head' | 'first byte' | 'middle' | 'last byte';

const body = Buffer.alloc(300_000, 'x');
const lengths: Readonly<Record<Place, number>> = {
  head: 0,
  'first byte': 0,
  middle: body.length / 2,
  'last byte': body.length - 1,
};

/** Starts a server on a free port, which ends with the test. */
const listen = async (server: Server) => {
  const open = new Set<Socket>();
  // Of requests: undici makes one more connection after an abort, and closes it unused.
  server.on('request', ({ socket }) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const control = connect(port, '127.0.0.1');
  const [[controlled]] = (await Promise.all([once(server, 'connection'), once(control, 'connect')])) as [
    [Socket],
    unknown,
  ];
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    /**
     * Closes a connection of its own, and waits until the server has noticed: what was closed before it is closed by then,
     * however slow the machine is.
     *
     * @returns the connections that are still open
     */
    openAfterControl: async (): Promise<number> => {
      control.destroy();
      await once(controlled, 'close');
      // Sockets that close together do so in any order.
      await setImmediate();
      return open.size;
    },
  };
};

/** A server that reads each request, and does to its response what the script says. */
const serve = async (respond: (response: ServerResponse, index: number) => void) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const index = requests.push(`${request.method} ${sent}`) - 1;
      respond(response, index);
    });
  });
  return { ...(await listen(server)), requests };
};

/** Sends so much of a response and closes this side of the connection, or says nothing more. */
const cutAt =
  (place: Place, framing: 'length' | 'chunks', end: 'close' | 'stall') => (response: ServerResponse) => {
    // Before the response ends, which would detach it.
    const socket = response.socket as Socket;
    const finish = (): void => {
      if (end === 'close') socket.end();
    };
    if (place === 'head') {
      finish();
      return;
    }
    response.writeHead(200, {
      etag: '"v1"',
      ...(framing === 'length' ? { 'content-length': body.length } : {}),
    });
    response.flushHeaders();
    const part = body.subarray(0, lengths[place]);
    if (part.length === 0) finish();
    else response.write(part, finish);
  };

const clientOf = (baseUrl: string) =>
  createClient({
    baseUrl,
    auth: basicAuth({ username: 'ada', password: 'p4ssw0rd-of-ada' }),
    retry: { baseDelayMs: 0 },
  });

async function* pieces() {
  yield new TextEncoder().encode('ab');
  yield new TextEncoder().encode('cd');
}

const kinds = {
  GET: () => ({ method: 'GET' }),
  POST: () => ({ method: 'POST', body: new Blob(['abcd']), contentType: 'audio/wav' }),
  'POST of a body that can be read once': () => ({
    method: 'POST',
    body: pieces(),
    contentType: 'audio/wav',
  }),
} as const satisfies Readonly<Record<string, () => Pick<OwnRequest, 'method' | 'body' | 'contentType'>>>;

type Kind = keyof typeof kinds;

const read = async (baseUrl: string, kind: Kind) => {
  let received = 0;
  try {
    const stream = await clientOf(baseUrl).request({
      ...kinds[kind](),
      path: 'v1/recordings',
      as: 'stream',
      // Long enough for a request to arrive on a machine that does other things too.
      timeoutMs: 400,
    });
    for await (const part of stream) received += part.length;
  } catch (error) {
    return { error, received };
  }
  return { error: undefined, received };
};

const cases = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
  (Object.keys(lengths) as Place[]).flatMap((place) =>
    (['length', 'chunks'] as const).flatMap((framing) =>
      (['close', 'stall'] as const).map((end) => ({ kind, place, framing, end })),
    ),
  ),
);

describe('a response that is cut', () => {
  test.each(cases)('$kind, at the $place, body by $framing, $end', async ({ kind, place, framing, end }) => {
    const server = await serve(cutAt(place, framing, end));
    const { error, received } = await read(server.url, kind);
    const isBefore = place === 'head' || place === 'first byte';
    // A server that processed a write has said so with the head.
    const isAmbiguous = place === 'head' && kind !== 'GET';
    const type = isAmbiguous ? AmbiguousOutcomeError : end === 'stall' ? TimeoutError : ConnectionError;
    expect((error as Error).constructor).toBe(type);
    const attempts = kind === 'GET' && isBefore ? 3 : 1;
    expect(error).toMatchObject({ receivedBytes: place === 'head' ? undefined : received, sent: true });
    expect((error as ConnectionError).attempts).toHaveLength(attempts);
    expect(received).toBe(lengths[place]);
    expect(server.requests).toEqual(Array(attempts).fill(kind === 'GET' ? 'GET ' : 'POST abcd'));
    // By the client: this side of a half-closed connection would stay open.
    expect(await server.openAfterControl()).toBe(0);
  });

  test('before its first byte is requested again, and the reader notices nothing', async () => {
    const server = await serve((response, index) => {
      if (index === 0) cutAt('first byte', 'length', 'close')(response);
      else response.writeHead(200, { etag: '"v1"', 'content-length': body.length }).end(body);
    });
    expect(await read(server.url, 'GET')).toEqual({ error: undefined, received: body.length });
    expect(server.requests).toHaveLength(2);
  });

  test('is not continued with another content: its head was given away', async () => {
    const server = await serve((response, index) => {
      if (index === 0) cutAt('first byte', 'length', 'close')(response);
      else response.writeHead(200, { etag: '"v2"', 'content-length': body.length }).end(body);
    });
    const { error, received } = await read(server.url, 'GET');
    expect(error).toBeInstanceOf(ConnectionError);
    expect([received, server.requests.length]).toEqual([0, 2]);
    expect(await server.openAfterControl()).toBe(0);
  });
});

test('a slow reader slows the server', async () => {
  let written = 0;
  let stopped: () => void = () => undefined;
  const isFull = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const server = await serve((response) => {
    response.writeHead(200);
    const write = (): void => {
      // What the sockets of both sides and the client hold is far less.
      while (written < 1_000_000_000) {
        written += body.length;
        if (response.write(body)) continue;
        // A connection that still drains does so within this time; a full one never does.
        const timer = setTimeout(stopped, 1_000);
        response.once('drain', () => {
          clearTimeout(timer);
          write();
        });
        return;
      }
      stopped();
    };
    write();
  });
  const stream = await clientOf(server.url).request({ method: 'GET', path: 'x', as: 'stream' });
  const reader = stream.getReader();
  await reader.read();
  await isFull;
  expect(written).toBeLessThan(50_000_000);
  await reader.cancel();
  expect(await server.openAfterControl()).toBe(0);
});

const upload = { method: 'POST', path: 'x', contentType: 'audio/wav' } as const;

const ENDLESS = 2 ** 30;

/** More pieces than a test takes, how much was taken of them, and whether they were ended early. */
const endless = (piece: Uint8Array = body) => {
  const state = { bytes: 0, isEnded: false };
  const source = (async function* () {
    try {
      while (state.bytes < ENDLESS) {
        state.bytes += piece.length;
        yield piece;
      }
    } finally {
      state.isEnded = state.bytes < ENDLESS;
    }
  })();
  return { source, state };
};

test('a source is asked for no more than the connection takes', async () => {
  const server = await listen(createServer(() => undefined));
  const { source, state } = endless();
  const call = clientOf(server.url).request({ ...upload, body: source, timeoutMs: 500 });
  const error: unknown = await call.catch((reason: unknown) => reason);
  // The limit begins anew with each piece: it passed because no further one was taken.
  expect(error).toBeInstanceOf(AmbiguousOutcomeError);
  expect(state.bytes).toBeLessThan(50_000_000);
});

test('a source that is no bytes fails the call, and the connection is closed', async () => {
  const server = await listen(createServer((request) => request.resume()));
  const source = async function* () {
    yield Uint8Array.of(1);
    yield 'text';
  };
  const call = clientOf(server.url).request({ ...upload, body: source() });
  await expect(Promise.resolve(call)).rejects.toBeInstanceOf(InvalidRequestError);
  await expect.poll(() => server.open.size).toBe(0);
});

test.each(['cancelled', 'complete'] as const)(
  'a source that the server does not read is ended when the response is %s',
  async (end) => {
    const server = createServer();
    const { url } = await listen(server);
    const arriving = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const { source, state } = endless();
    const call = clientOf(url).request({ ...upload, body: source, as: 'stream' });
    const [request, response] = await arriving;
    const closed = new Promise<void>((resolve) => {
      request.socket.once('close', () => resolve());
    });
    response.writeHead(200, { 'content-length': 3 }).write('ab');
    const reader = (await call).getReader();
    await reader.read();
    if (end === 'cancelled') await reader.cancel();
    else response.end('c');
    for (let part = await reader.read(); !part.done; ) part = await reader.read();
    await expect.poll(() => state.isEnded).toBe(true);
    const { bytes } = state;
    // What the connection holds is read, and nothing follows.
    request.resume();
    await closed;
    expect(state.bytes).toBe(bytes);
  },
);

test('a source that fails with nothing fails the call at once', async () => {
  const server = await listen(createServer((request) => request.resume()));
  const source = async function* () {
    yield Uint8Array.of(1);
    throw undefined;
  };
  const call = clientOf(server.url).request({ ...upload, body: source() });
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(ConnectionError);
  await expect.poll(() => server.open.size).toBe(0);
});

test('a source that cannot be ended does not hide why the call failed', async () => {
  const server = await listen(createServer((request) => request.resume()));
  const source: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: 'text' }),
      return: () => {
        throw new Error('stuck');
      },
    }),
  };
  const call = clientOf(server.url).request({ ...upload, body: source });
  await expect(Promise.resolve(call)).rejects.toBeInstanceOf(InvalidRequestError);
});
