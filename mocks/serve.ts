import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { knownText } from './answer-text.ts';
import { checkNames, checkType, checkWhole, type NamesOf } from './check.ts';
import { corsFields, preflightFields } from './cors.ts';
import { Refusal, refusalAnswer } from './error-answer.ts';
import { failure, type Respond } from './respond.ts';
import { toIncoming } from './server-request.ts';
import { answerUnparsed } from './unparsed.ts';

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

const notUrl = new Refusal(400, 'The host and the target of the request are no URL');

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
    const request = await toIncoming(incoming, outgoing, origin);
    // RFC 9112 §3.2: HTTP/1.1 has a Host.
    const hasHost = incoming.headers.host !== undefined || incoming.httpVersion !== '1.1';
    const isSound = hasHost && URL.canParse(request.url);
    await send(isSound ? await respond(request) : refusalAnswer(notUrl), outgoing);
  } catch (error) {
    if (outgoing.destroyed || outgoing.headersSent) return void outgoing.destroy();
    await send(failure(error), outgoing);
  }
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

const optionNames: NamesOf<ServeOptions> = { port: true, host: true, cors: true };

const checkServeOptions = (options: ServeOptions): void => {
  checkNames('serve', options, optionNames);
  const { port, host, cors } = options;
  checkWhole('port', port, 0);
  checkType('host', host, 'string');
  checkType('cors', cors, 'boolean');
};

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Serves a mock over HTTP, in Node, Bun and Deno. Its `self` and paging links carry the host that a request names, so
 * a mock with a `baseUrl` of another origin answers 404 here.
 *
 * @throws Error when it cannot listen, for example because the port is in use; TypeError, RangeError for an option that
 * is none
 * @example
 * ```ts
 * await using server = await serve(mock, { port: 4010 });
 * ```
 */
export const serve = async (
  { respond }: { readonly respond: Respond },
  options: ServeOptions = {},
): Promise<MockServer> => {
  checkServeOptions(options);
  const { port = 0, host = '127.0.0.1', cors = true } = options;
  // Not imported: the entry also loads where there is no node:http, and bundlers for browsers would look for it.
  const { createServer } = process.getBuiltinModule('node:http');
  let origin = '';
  const server = createServer(
    // Node would answer without a body, and §7.2.2 has a message in every error body.
    { requireHostHeader: false },
    (incoming, outgoing) => void answer(respond, { origin, cors }, incoming, outgoing),
  );
  server.on('clientError', (error, socket) => void answerUnparsed(respond, origin, error, socket));
  const actualPort = await listen(server, port, host);
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
  const close = (): Promise<void> => stop(server);
  return { url: origin, port: actualPort, close, [Symbol.asyncDispose]: close };
};
