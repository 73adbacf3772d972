import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { jsonType } from '../src/conventions/headers.ts';
import { maxBodyBytes } from './body.ts';
import { formatErrorBody, phraseOf } from './error-answer.ts';
import type { Respond } from './respond.ts';

/** Where a server listens. */
export interface ServeOptions {
  /** 0, the default, for any free port. */
  readonly port?: number | undefined;
  /** `127.0.0.1` by default: this machine only. */
  readonly host?: string | undefined;
}

/** A mock that listens. */
export interface MockServer {
  /** The origin, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends every connection, also those that are kept alive. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Little more than a mock takes; the rest is read and dropped, so that the answer arrives. */
const readBody = async (incoming: IncomingMessage): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Without an encoding set, a message gives bytes.
  for await (const part of incoming as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    if (size <= maxBodyBytes) parts.push(part);
    size += part.length;
  }
  return new Blob(parts);
};

const toHeaders = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
};

const forbiddenByFetch: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT']);

const toRequest = async (
  incoming: IncomingMessage,
  origin: string,
  signal: AbortSignal,
): Promise<Request> => {
  const { method = 'GET', url = '/' } = incoming;
  const target = url.startsWith('/')
    ? `${incoming.headers.host ? `http://${incoming.headers.host}` : origin}${url}`
    : url;
  const headers = toHeaders(incoming);
  if (forbiddenByFetch.has(method)) {
    // A Request cannot be made with these, but a server receives them, and has to answer 405 (§4.2).
    return Object.defineProperty(new Request(target, { headers, signal }), 'method', { value: method });
  }
  const body = await readBody(incoming);
  const hasBody = body.size > 0 && method !== 'GET' && method !== 'HEAD';
  return new Request(target, { method, headers, signal, ...(hasBody && { body }) });
};

const send = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  const body = new Uint8Array(await response.arrayBuffer());
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  if (response.status !== 204 && response.status !== 304) outgoing.setHeader('content-length', body.length);
  outgoing.end(body);
};

const answer = async (
  respond: Respond,
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  try {
    await send(await respond(await toRequest(incoming, origin, gone.signal)), outgoing);
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
 * Serves a mock over HTTP. Its `self` and paging links carry the host that a request names, so a mock with a
 * `baseUrl` of another origin answers 404 here.
 *
 * @throws Error when it cannot listen, for example because the port is in use
 * @example
 * ```ts
 * await using server = await serve(mock, { port: 4010 });
 * ```
 */
export const serve = async (
  { respond }: { readonly respond: Respond },
  { port = 0, host = '127.0.0.1' }: ServeOptions = {},
): Promise<MockServer> => {
  // Here and not at the top: the entry also loads where there is no node:http.
  const { createServer } = await import('node:http');
  let origin = '';
  const server = createServer((incoming, outgoing) => void answer(respond, origin, incoming, outgoing));
  server.on('clientError', answerUnparsed);
  const actualPort = await listen(server, port, host);
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
  const close = (): Promise<void> => stop(server);
  return { url: origin, port: actualPort, close, [Symbol.asyncDispose]: close };
};
