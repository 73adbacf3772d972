import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorPhrases, header, jsonType } from '../src/conventions.ts';
import { checkName, checkOf, createReader } from '../src/options.ts';
import { createRequest } from './abort.ts';
import { tokenPathOf } from './auth/tokens.ts';
import { withCors } from './cors.ts';
import { errorResponse, formatErrorBody, Refusal, refuseMethod } from './message.ts';
import type { Mock } from './mock.ts';

/** Where {@link serve} listens. */
export interface ServeOptions {
  /** 0, the default, for any free port. */
  readonly port?: number | undefined;
  /** `127.0.0.1` by default: this machine only. */
  readonly host?: string | undefined;
}

/**
 * Calls `close` at the end of the block of an `await using`; see {@link serve}. The member exists only if the
 * compiler's library has `Symbol.asyncDispose`: a direct reference to it would not compile with the library
 * of ES2023.
 */
export type AsyncClose = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { readonly [Name in Key]: () => Promise<void> }
  : Readonly<Record<never, never>>;

/** A mock that listens, started by {@link serve}. */
export interface MockServer extends AsyncClose {
  /** The origin, without a slash at its end. */
  readonly url: string;
  /** The port it listens on, also when `port` was 0. */
  readonly port: number;
  /** Stops listening and ends every connection, including those that are kept alive. */
  close(): Promise<void>;
}

/** The part of a mock that a server needs. */
type MockToServe = Pick<Mock, 'respond'> &
  Partial<Pick<Mock, 'serves' | 'baseUrl' | 'authUrl' | 'tokenPath'>>;

// Not imports: this entry also loads where these do not exist, and bundlers for browsers would resolve them.
const builtins = () => ({
  http: process.getBuiltinModule('node:http'),
  stream: process.getBuiltinModule('node:stream'),
});

/** @throws {@link Refusal} 400 for a request whose target or `Host` is malformed (RFC 9112 §3.2) */
const requestedUrl = ({ url = '/', headers }: IncomingMessage, origin: string): URL => {
  const host = headers.host === undefined ? origin : `http://${headers.host}`;
  // A target that begins with two slashes is a path, too.
  const target = url.startsWith('/') ? host + url : url;
  const isHost = !/[/@?#\\]/.test(headers.host ?? '') && URL.canParse(host);
  if (!isHost || !URL.canParse(target, host)) throw new Refusal(400, 'The Host or the path is malformed');
  return new URL(target, host);
};

/**
 * The URL of a request: below the base URLs of the mock, as if behind a proxy, or else at the host that the
 * request names. The proxy may keep the path of the base URL or remove it.
 */
const urlOf = (incoming: IncomingMessage, origin: string, mock: MockToServe): URL => {
  const asked = requestedUrl(incoming, origin);
  const path = asked.pathname + asked.search;
  const { tokenPath = tokenPathOf() } = mock;
  const base = asked.pathname.endsWith(`/${tokenPath}`) ? mock.authUrl : mock.baseUrl;
  if (base === undefined) return new URL(asked.origin + path);
  const below = new URL(base.replace(/\/+$/, '') + path);
  const whole = new URL(new URL(base).origin + path);
  return mock.serves?.(whole.href) && !mock.serves(below.href) ? whole : below;
};

/** A request of Node's server as the mock reads it. Its signal is aborted when the client disconnects. */
const toRequest = (incoming: IncomingMessage, outgoing: ServerResponse, url: URL): Request => {
  const { method = 'GET', rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // The types of the DOM do not have `duplex`, and Node's stream has a type of its own.
  const body = hasBody ? { body: builtins().stream.Readable.toWeb(incoming), duplex: 'half' } : {};
  return createRequest(url, { method, headers, signal: gone.signal, ...(body as RequestInit) });
};

const send = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  // A fault cuts the connection.
  if (response.type === 'error') return void outgoing.destroy();
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  // The headers are sent before the first chunk of the body is ready.
  outgoing.flushHeaders();
  const { Readable, promises } = builtins().stream;
  // Node's types have a stream of their own.
  const body = response.body as Parameters<typeof Readable.fromWeb>[0] | null;
  if (body === null) outgoing.end();
  else await promises.pipeline(Readable.fromWeb(body), outgoing);
};

/** Methods that a `Request` cannot have. All of them get 405 (§4.2). */
const unsendable: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT']);

/** Responds to what Node's parser refuses, such as the method TRACK. */
const refuseUnparsed = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable) return;
  const status = error.code === 'HPE_INVALID_METHOD' ? 405 : 400;
  const phrase = errorPhrases[status];
  const body = formatErrorBody(phrase);
  const fields = `${header.contentType}: ${jsonType}\r\n${header.contentLength}: ${body.length}`;
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${fields}\r\nconnection: close\r\n\r\n${body}`);
};

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

const isPort = (port: unknown): boolean =>
  Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535;

const readServeOptions = createReader<ServeOptions>({
  port: checkOf(isPort, 'an integer from 0 to 65535'),
  host: checkName,
});

/**
 * Serves a mock over HTTP, in Node, Bun and Deno, also to pages of any origin (CORS). Links begin with the
 * `baseUrl` of the mock, as if behind a proxy, or else with the host that a request names.
 *
 * @throws Error when it cannot listen, for example because the port is in use; `InvalidRequestError` for an
 * invalid option
 * @example
 * ```ts
 * await using server = await serve(mock, { port: 4010 });
 * ```
 */
export const serve = async (mock: MockToServe, options: ServeOptions = {}): Promise<MockServer> => {
  const { port = 0, host = '127.0.0.1' } = readServeOptions(options, 'serve');
  const respond = withCors(mock);
  let origin = '';
  const respondTo = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<Response> => {
    const { method = 'GET' } = incoming;
    if (unsendable.has(method)) return refuseMethod(method, '');
    const request = toRequest(incoming, outgoing, urlOf(incoming, origin, mock));
    const response = await respond(request);
    // A body that nobody reads would block the next request on its connection.
    if (!request.bodyUsed) void request.arrayBuffer().catch(() => undefined);
    return response;
  };
  const server = builtins()
    .http.createServer((incoming, outgoing) => {
      respondTo(incoming, outgoing)
        .catch(errorResponse)
        .then((response) => send(response, outgoing))
        // A fault cuts the connection in the middle of a body.
        .catch(() => outgoing.destroy());
    })
    .on('clientError', refuseUnparsed);
  const actualPort = await listen(server, port, host);
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: origin, port: actualPort, close, [Symbol.asyncDispose]: close };
};
