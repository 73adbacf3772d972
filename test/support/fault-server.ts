import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createGzip } from 'node:zlib';
import type { Reply } from './recording-server.ts';

/** What becomes of a request: a response, or one of the ways in which there is none. */
export type Fault =
  | Reply
  /** The connection is closed without a response. */
  | 'drop'
  /** This side of the connection is closed; the other one is left open. */
  | 'halfClose'
  /** RST in place of a response. */
  | 'reset'
  /** RST in the middle of the response's body. */
  | 'resetInBody'
  /** Nothing happens any more. */
  | 'silence'
  /** The response comes, one byte at a time, and takes minutes. */
  | 'drip'
  /** A chunk that is shorter than it says. */
  | 'truncatedChunk'
  /** A body that is shorter than `Content-Length` says. */
  | 'shortBody'
  /** A body without an end. */
  | { readonly endless: number }
  /** Half a megabyte of gzip that is 512 MB, as a response with this status. */
  | { readonly bomb: number };

/** A request as it arrived. */
export interface FaultyRequest {
  readonly method: string;
  readonly path: string;
  readonly head: string;
  readonly body: string;
  /** On `performance.now()`. */
  readonly at: number;
}

export interface FaultServer extends AsyncDisposable {
  /** The origin, without a slash at its end. */
  readonly url: string;
  /** Every request that was read to its end, in the order they came. */
  readonly requests: readonly FaultyRequest[];
  /** Connections that were made, dropped ones too. */
  readonly connections: number;
  close(): Promise<void>;
}

export interface FaultServerOptions {
  /** Decides on a request; the first one has index 0. */
  readonly respond: (request: FaultyRequest, index: number) => Fault | Promise<Fault>;
  /** False: the connection is dropped before anything is read from it. Every connection is accepted by default. */
  readonly accept?: (index: number) => boolean;
}

const bombBytes = 512 * 1024 * 1024;

const makeBomb = async (): Promise<Buffer> => {
  const gzip = createGzip({ level: 9 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const zeros = Buffer.alloc(4 * 1024 * 1024);
  for (let written = 0; written < bombBytes; written += zeros.length) {
    if (!gzip.write(zeros)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(gzip, 'end');
  return Buffer.concat(chunks);
};

let bomb: Promise<Buffer> | undefined;

/** 512 MB of zeros as gzip; made once. */
export const gzipBomb = (): Promise<Buffer> => {
  bomb ??= makeBomb();
  return bomb;
};

const headOf = (status: number, ...fields: string[]): string =>
  `${[`HTTP/1.1 ${status} Status`, ...fields].join('\r\n')}\r\n\r\n`;

const jsonHead = (status: number, ...fields: string[]): string =>
  headOf(status, 'content-type: application/json', ...fields);

const writeReply = (socket: Socket, { status = 200, headers = {}, body = '' }: Reply): void => {
  const bytes = Buffer.from(body);
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}`),
  );
  if (status !== 204 && status !== 304) fields.push(`content-length: ${bytes.length}`);
  socket.write(headOf(status, ...fields));
  socket.write(bytes);
};

const writeEndlessly = async (socket: Socket): Promise<void> => {
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  while (!gone.signal.aborted) {
    if (!socket.write(chunk)) await once(socket, 'drain', { signal: gone.signal });
  }
};

const drip = (socket: Socket): void => {
  socket.write(jsonHead(200, 'content-length: 100000'));
  const timer = setInterval(() => socket.write(' '), 5);
  socket.once('close', () => clearInterval(timer));
};

const carryOut = async (socket: Socket, fault: Fault): Promise<void> => {
  if (typeof fault === 'object') {
    if ('bomb' in fault) {
      const bytes = await gzipBomb();
      socket.write(jsonHead(fault.bomb, 'content-encoding: gzip', `content-length: ${bytes.length}`));
      socket.write(bytes);
    } else if ('endless' in fault) {
      socket.write(jsonHead(fault.endless, 'transfer-encoding: chunked'));
      await writeEndlessly(socket);
    } else writeReply(socket, fault);
    return;
  }
  switch (fault) {
    case 'drop':
      socket.destroy();
      return;
    case 'halfClose':
      socket.end();
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'resetInBody':
      socket.write(`${jsonHead(200, 'content-length: 500')}{"id":`, () => {
        // Time for what was written to arrive: a reset throws it away.
        setTimeout(() => socket.resetAndDestroy(), 5);
      });
      return;
    case 'silence':
      return;
    case 'drip':
      drip(socket);
      return;
    case 'truncatedChunk':
      socket.end(`${jsonHead(200, 'transfer-encoding: chunked')}ff\r\n{"id":`);
      return;
    case 'shortBody':
      socket.end(`${jsonHead(200, 'content-length: 500')}{"id":`);
      return;
  }
};

/** A request and what follows it; undefined while it is not complete. */
const parseRequest = (bytes: Buffer): { request: FaultyRequest; rest: Buffer } | undefined => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const end = headEnd + 4 + length;
  if (bytes.length < end) return undefined;
  const [method = '', path = ''] = head.split(' ', 2);
  const body = bytes.toString('utf8', headEnd + 4, end);
  return { request: { method, path, head, body, at: performance.now() }, rest: bytes.subarray(end) };
};

/** A server on a raw socket of this machine, that does to each request what a script says. */
export const startFaultServer = async ({ respond, accept }: FaultServerOptions): Promise<FaultServer> => {
  const requests: FaultyRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const serve = (socket: Socket): void => {
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const parsed = parseRequest(received);
      if (parsed === undefined) return;
      received = Buffer.from(parsed.rest);
      const index = requests.push(parsed.request) - 1;
      void Promise.resolve(respond(parsed.request, index))
        .then((fault) => carryOut(socket, fault))
        .catch(() => socket.destroy());
    });
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    // The client is gone and reads no response.
    socket.on('end', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    const index = connections++;
    if (accept?.(index) === false) socket.destroy();
    else serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get connections() {
      return connections;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
