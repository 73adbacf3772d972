import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { header, jsonType } from '../src/conventions.ts';
import { check, optional, value } from './check.ts';
import { failure, type Respond } from './respond.ts';
import { withCors } from './responses/cors.ts';
import { formatErrorBody, phraseOf, Refusal, refusalResponse } from './responses/message.ts';
import { toIncoming } from './serve/incoming.ts';

/** Where {@link serve} listens. */
export interface ServeOptions {
  /** 0, the default, for any free port. */
  readonly port?: number | undefined;
  /** `127.0.0.1` by default: this machine only. */
  readonly host?: string | undefined;
  /**
   * Whether pages of any origin may send requests (CORS), and read every header of the conventions. `true` by default.
   * A preflight does not reach the mock, and is not in `mock.requests`.
   */
  readonly cors?: boolean | undefined;
}

/**
 * Calls `close` at the end of the block of an `await using`; see {@link serve}. The member exists only if the compiler's
 * library has `Symbol.asyncDispose`: a direct reference to it would not compile with the library of ES2023.
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

const write = (outgoing: ServerResponse, part: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    outgoing.write(part, (error) => (error ? reject(error) : resolve()));
  });

const send = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  // A fault cuts the connection.
  if (response.type === 'error') return void outgoing.destroy();
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  try {
    const isStreamed =
      response.headers.has(header.contentLength) || response.headers.has('transfer-encoding');
    if (response.body === null || isStreamed) {
      // The client may wait for the head before the first piece is made.
      outgoing.flushHeaders();
      for await (const part of response.body ?? []) await write(outgoing, part);
      outgoing.end();
    } else {
      const body = Buffer.from(await response.arrayBuffer());
      outgoing.setHeader(header.contentLength, body.length);
      outgoing.end(body);
    }
  } catch {
    // A fault cuts the connection in the middle of a body whose length was sent.
    outgoing.destroy();
  }
};

const notUrl = new Refusal(400, 'The host and the target of the request must form a valid URL');

/** `respond` for requests from a network: it never rejects, and refuses an invalid URL. */
const withFailures =
  (respond: Respond): Respond =>
  async (request) => {
    if (!URL.canParse(request.url)) return refusalResponse(notUrl);
    try {
      return await respond(request);
    } catch (error) {
      return failure(error);
    }
  };

/** One connection, whose requests are handled one after another, in the order of arrival (RFC 9112 §9.3.2). */
interface Connection {
  /** Resolves when the last request so far has its response. */
  last: Promise<void>;
  /** The latest response, which may still be on its way to the socket. */
  outgoing?: ServerResponse;
  /** The latest request, whose body may not be complete. */
  incoming?: IncomingMessage;
  /** Ends the body of the latest request, which will never be complete because the parser has failed. */
  breakOff?(error: Error): void;
}

/** Rejects when the body of a request breaks off. Only code that reads the body waits for it. */
const watchBody = (connection: Connection): Promise<never> => {
  const broken = new Promise<never>((_resolve, reject) => {
    connection.breakOff = reject;
  });
  // Without a reader, the rejection would be unhandled.
  broken.catch(() => undefined);
  return broken;
};

const finished = (outgoing: ServerResponse | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (outgoing === undefined || outgoing.writableFinished || outgoing.destroyed) resolve();
    else outgoing.once('finish', resolve).once('close', resolve);
  });

/** Responds to a request that Node does not pass to the listener of requests. */
const refuse = (status: 400 | 405, socket: Duplex): void => {
  if (!socket.writable) return;
  const body = formatErrorBody(phraseOf(status) ?? '');
  const fields = [
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...(status === 405 ? ['allow: '] : []),
    'connection: close',
  ];
  socket.end(`HTTP/1.1 ${status} ${phraseOf(status)}\r\n${fields.join('\r\n')}\r\n\r\n${body}`);
};

/** The listeners of a server. A request waits for those that came before it on its connection. */
const createListeners = (respond: Respond, originOf: () => string) => {
  const connections = new WeakMap<Duplex, Connection>();
  const connectionOf = (socket: Duplex): Connection => {
    const connection = connections.get(socket) ?? { last: Promise.resolve() };
    connections.set(socket, connection);
    return connection;
  };
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse, broken: Promise<never>) => {
    if (outgoing.destroyed || incoming.socket.destroyed) return;
    // RFC 9112 §3.2: a request of HTTP/1.1 must have a Host.
    const hasHost = incoming.headers.host !== undefined || incoming.httpVersion !== '1.1';
    const request = toIncoming(incoming, outgoing, originOf(), broken);
    await send(hasHost ? await respond(request) : refusalResponse(notUrl), outgoing);
    incoming.resume();
  };
  const responded = async (connection: Connection): Promise<void> => {
    await connection.last;
    await finished(connection.outgoing);
  };
  return {
    request: (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      const connection = connectionOf(incoming.socket);
      const broken = watchBody(connection);
      Object.assign(connection, { incoming, outgoing });
      connection.last = connection.last
        .then(() => handle(incoming, outgoing, broken))
        .catch(() => void outgoing.destroy());
    },
    connect: async (_incoming: IncomingMessage, socket: Duplex): Promise<void> => {
      await responded(connectionOf(socket));
      refuse(405, socket);
    },
    /** Responds to what the parser refuses, which includes the method TRACK; that gets 405 (§4.2). */
    clientError: async (error: NodeJS.ErrnoException, socket: Duplex): Promise<void> => {
      const connection = connectionOf(socket);
      const isCutOff = connection.incoming?.complete === false;
      if (isCutOff) connection.breakOff?.(error);
      await responded(connection);
      // A request whose body broke off already has its response.
      if (isCutOff) socket.end();
      else refuse(error.code === 'HPE_INVALID_METHOD' ? 405 : 400, socket);
    },
  };
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

const isPort = (port: unknown): boolean =>
  Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535;

const schema = optional<ServeOptions>({
  port: value.other('range', 'an integer from 0 to 65535', isPort),
  host: value.string,
  cors: value.boolean,
});

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Serves a mock over HTTP, in Node, Bun and Deno. Its `self` and paging links carry the host that a request names, so
 * a mock with a `baseUrl` of another origin responds with 404 here.
 *
 * @throws Error when it cannot listen, for example because the port is in use; TypeError, RangeError for an invalid
 * option
 * @example
 * ```ts
 * await using server = await serve(mock, { port: 4010 });
 * ```
 */
export const serve = async (
  { respond }: { readonly respond: Respond },
  options: ServeOptions = {},
): Promise<MockServer> => {
  const { port = 0, host = '127.0.0.1', cors = true } = check<ServeOptions>('serve', schema, options);
  // Not an import: this entry also loads where node:http does not exist, and bundlers for browsers would resolve it.
  const { createServer } = process.getBuiltinModule('node:http');
  let origin = '';
  const safe = withFailures(respond);
  const { request, connect, clientError } = createListeners(cors ? withCors(safe) : safe, () => origin);
  // `requireHostHeader: false`, because Node's own refusal has no body and §7.2.2 requires a message in it.
  const server = createServer({ requireHostHeader: false }, request)
    .on('connect', (incoming, socket) => void connect(incoming, socket))
    .on('clientError', (error, socket) => void clientError(error, socket))
    // RFC 9110 §10.1.1: an unknown expectation may be ignored.
    .on('checkExpectation', request);
  const actualPort = await listen(server, port, host);
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
  const close = (): Promise<void> => stop(server);
  return { url: origin, port: actualPort, close, [Symbol.asyncDispose]: close };
};
