import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
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

/** A reset counts as well. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
  });

/** A server that reads each request, and does to its response what the script says. */
const serve = async (respond: (response: ServerResponse, index: number) => void) => {
  const requests: string[] = [];
  const closed: Promise<unknown>[] = [];
  const server = createServer((request, response) => {
    closed.push(closeOf(request.socket));
    void text(request).then((sent) => {
      const index = requests.push(`${request.method} ${sent}`) - 1;
      respond(response, index);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, closed };
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
    await Promise.all(server.closed);
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
    await Promise.all(server.closed);
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
  await Promise.all(server.closed);
});

test('a source is asked for no more than the connection takes', async () => {
  let made = 0;
  const source = async function* () {
    for (;;) {
      made += body.length;
      yield body;
    }
  };
  const server = createServer(() => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const call = clientOf(`http://127.0.0.1:${port}`).request({
    method: 'POST',
    path: 'x',
    body: source(),
    contentType: 'audio/wav',
    timeoutMs: 500,
  });
  const error: unknown = await call.catch((reason: unknown) => reason);
  // The limit begins anew with each piece: it passed because no further one was taken.
  expect(error).toBeInstanceOf(AmbiguousOutcomeError);
  expect(made).toBeLessThan(50_000_000);
});

test('a source that is no bytes fails the call, and the connection is closed', async () => {
  const closed: Promise<unknown>[] = [];
  const server = createServer((request) => closed.push(closeOf(request.socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const source = async function* () {
    yield body;
    yield 'text';
  };
  const call = clientOf(`http://127.0.0.1:${port}`).request({
    method: 'POST',
    path: 'x',
    body: source(),
    contentType: 'audio/wav',
  });
  await expect(Promise.resolve(call)).rejects.toBeInstanceOf(InvalidRequestError);
  await Promise.all(closed);
});
