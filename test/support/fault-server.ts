import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { type Outcome, type Reply, record } from './recording-server.ts';

/** What becomes of a request: a response, or one of the ways in which there is none. */
export type Fault =
  | Reply
  /** The connection is closed without a response, or reset. */
  | 'drop'
  | 'reset'
  /** This side of the connection is closed; the other one is left open. */
  | 'halfClose'
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
  readonly headers: IncomingHttpHeaders;
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
  /** False: the connection is dropped before anything is read from it. By default, it is accepted. */
  readonly accept?: (index: number) => boolean;
}

function* zeros(): Generator<Buffer> {
  const part = Buffer.alloc(4 * 1024 * 1024);
  for (let count = 0; count < 128; count++) yield part;
}

let bomb: Promise<Buffer> | undefined;

/** 512 MB of zeros as gzip; made once. */
export const gzipBomb = (): Promise<Buffer> => {
  bomb ??= buffer(Readable.from(zeros()).pipe(createGzip({ level: 9 })));
  return bomb;
};

const rawHead = (...fields: string[]): string =>
  ['HTTP/1.1 200 OK', 'content-type: application/json', ...fields, '\r\n'].join('\r\n');

const writeEndlessly = async (response: ServerResponse): Promise<void> => {
  const chunk = ' '.repeat(0x10000);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  while (!gone.signal.aborted) {
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal });
  }
};

const drip = (response: ServerResponse): void => {
  const timer = setInterval(() => response.write(' '), 5);
  response.once('close', () => clearInterval(timer));
};

/** Does what a script says, unless the outcome is one that every server of the tests knows. */
const carryOut = async (response: ServerResponse, fault: Fault): Promise<Outcome> => {
  const { socket } = response;
  const jsonType = { 'content-type': 'application/json' };
  if (typeof fault === 'object') {
    if ('bomb' in fault) {
      const headers = { ...jsonType, 'content-encoding': 'gzip' };
      return { status: fault.bomb, headers, body: await gzipBomb() };
    }
    if (!('endless' in fault)) return fault;
    response.writeHead(fault.endless, jsonType);
    await writeEndlessly(response);
    return undefined;
  }
  switch (fault) {
    case 'halfClose':
      socket?.end();
      return undefined;
    case 'resetInBody':
      socket?.write(`${rawHead('content-length: 500')}{"id":`, () => {
        // Time for what was written to arrive: a reset throws it away.
        setTimeout(() => socket.resetAndDestroy(), 5);
      });
      return undefined;
    case 'silence':
      return undefined;
    case 'drip':
      drip(response.writeHead(200, { ...jsonType, 'content-length': '100000' }));
      return undefined;
    case 'truncatedChunk':
      socket?.end(`${rawHead('transfer-encoding: chunked')}ff\r\n{"id":`);
      return undefined;
    case 'shortBody':
      socket?.end(`${rawHead('content-length: 500')}{"id":`);
      return undefined;
    default:
      return fault;
  }
};

/** A server that does to each request what a script says. */
export const startFaultServer = async ({ respond, accept }: FaultServerOptions): Promise<FaultServer> => {
  const requests: FaultyRequest[] = [];
  let connections = 0;
  const server = await record(async ({ method, url: path, headers, body }, index, response) => {
    const request = { method, path, headers, body, at: performance.now() };
    requests.push(request);
    return carryOut(response, await respond(request, index));
  });
  server.onConnection((socket) => {
    const isRefused = accept?.(connections) === false;
    connections++;
    if (isRefused) socket.destroy();
  });
  return {
    url: server.url,
    requests,
    get connections() {
      return connections;
    },
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
};
