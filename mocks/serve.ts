import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { jsonType } from '../src/conventions/headers.ts';
import { knownText } from './answer-text.ts';
import { maxBodyBytes } from './body.ts';
import { corsFields, preflightFields } from './cors.ts';
import { formatErrorBody, phraseOf } from './error-answer.ts';
import type { Incoming } from './incoming.ts';
import type { Respond } from './respond.ts';

/** Where a server listens. */
export interface ServeOptions {
  /** 0, the default, for any free port. */
  readonly port?: number | undefined;
  /** `127.0.0.1` by default: this machine only. */
  readonly host?: string | undefined;
  /**
   * Whether pages of any origin may ask it (CORS), and read every header field of the conventions. `true` by default.
   * A preflight is answered here, and is not in `mock.requests`.
   */
  readonly cors?: boolean | undefined;
}

/** A mock that listens. */
export interface MockServer {
  /** The origin, without a slash at its end. */
  readonly url: string;
  /** Where it listens, also when any free port was asked for. */
  readonly port: number;
  /** Stops listening and ends every connection, also those that are kept alive. */
  close(): Promise<void>;
  /** As `close`, at the end of the block of an `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Little more than a mock takes; the rest is read and dropped, so that the answer arrives. */
const readBody = async (incoming: IncomingMessage): Promise<Incoming['body']> => {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && (length === undefined || length === '0')) return null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Without an encoding set, a message gives bytes.
  for await (const part of incoming as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    if (size <= maxBodyBytes) parts.push(part);
    size += part.length;
  }
  return size === 0 ? null : new Blob(parts).stream();
};

const toHeaders = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
};

/** Aborted when the client is gone; made when it is asked for, which is only while a fault delays. */
const signalOf = (outgoing: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  if (outgoing.destroyed) gone.abort();
  else outgoing.once('close', () => gone.abort());
  return gone.signal;
};

// Not a Request: one costs more than the rest of the work, and cannot have the method TRACE, which a server receives
// and has to answer with 405 (§4.2).
const toIncoming = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
): Promise<Incoming> => {
  const { method = 'GET', url = '/', headers } = incoming;
  const asked = headers.host ? `http://${headers.host}` : origin;
  const body = await readBody(incoming);
  let signal: AbortSignal | undefined;
  return {
    method,
    url: url.startsWith('/') ? `${asked}${url}` : url,
    headers: toHeaders(incoming),
    body,
    get signal() {
      signal ??= signalOf(outgoing);
      return signal;
    },
  };
};

const write = (outgoing: ServerResponse, part: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    outgoing.write(part, (error) => (error ? reject(error) : resolve()));
  });

const send = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  // A fault that cut the connection.
  if (response.type === 'error') return void outgoing.destroy();
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  const text = response.body === null ? '' : knownText(response);
  if (text !== undefined) {
    // These two have no body, and say nothing of its length (RFC 9110 §8.6).
    if (response.status !== 204 && response.status !== 304) {
      outgoing.setHeader('content-length', Buffer.byteLength(text));
    }
    outgoing.end(text);
    return;
  }
  try {
    for await (const part of response.body ?? []) await write(outgoing, part);
    outgoing.end();
  } catch {
    // A fault that cuts the connection in the middle of the body.
    outgoing.destroy();
  }
};

const answer = async (
  respond: Respond,
  { origin, cors }: { readonly origin: string; readonly cors: boolean },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const preflight = cors ? preflightFields(incoming.method ?? '', incoming.headers) : undefined;
  if (preflight !== undefined) {
    outgoing.writeHead(204, preflight).end();
    return;
  }
  if (cors)
    for (const [name, value] of Object.entries(corsFields(incoming.headers))) outgoing.setHeader(name, value);
  try {
    await send(await respond(await toIncoming(incoming, outgoing, origin)), outgoing);
  } catch {
    // The client is gone, or sent what is no request: a Host or a target that is not a URL.
    if (!outgoing.headersSent) outgoing.statusCode = 400;
    outgoing.end();
  }
};

/** Node's parser does not know TRACK, which is answered with 405 all the same (§4.2). */
const answerUnparsed = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable) return;
  const status = error.code === 'HPE_INVALID_METHOD' ? 405 : 400;
  const body = formatErrorBody(phraseOf(status) ?? '');
  socket.end(
    `HTTP/1.1 ${status} ${phraseOf(status)}\r\nconnection: close\r\n` +
      `content-type: ${jsonType}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
};

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'it is in use' : error.message;
      reject(new Error(`Cannot listen on port ${port} of ${host}: ${reason}`, { cause: error }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Serves a mock over HTTP, in Node, Bun and Deno. Its `self` and paging links carry the host that a request names, so
 * a mock with a `baseUrl` of another origin answers 404 here.
 *
 * @throws Error when it cannot listen, for example because the port is in use
 * @example
 * ```ts
 * await using server = await serve(mock, { port: 4010 });
 * ```
 */
export const serve = async (
  { respond }: { readonly respond: Respond },
  { port = 0, host = '127.0.0.1', cors = true }: ServeOptions = {},
): Promise<MockServer> => {
  // Not imported: the entry also loads where there is no node:http, and bundlers for browsers would look for it.
  const { createServer } = process.getBuiltinModule('node:http');
  let origin = '';
  const server = createServer(
    (incoming, outgoing) => void answer(respond, { origin, cors }, incoming, outgoing),
  );
  server.on('clientError', answerUnparsed);
  const actualPort = await listen(server, port, host);
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
  const close = (): Promise<void> => stop(server);
  return { url: origin, port: actualPort, close, [Symbol.asyncDispose]: close };
};
