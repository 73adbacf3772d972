import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query, exactly as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as UTF-8; empty without one. */
  readonly body: string;
}

/** A response, written out by hand. A list of values is sent as so many headers. */
export interface Reply {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/**
 * What becomes of a request that was read to its end: a response; `drop`, the connection is closed; `reset`,
 * RST; undefined where the script has written the response itself.
 */
export type Outcome = Reply | 'drop' | 'reset' | undefined;

/** The script of a server. */
export type Respond = (
  request: RecordedRequest,
  index: number,
  response: ServerResponse,
) => Outcome | Promise<Outcome>;

/** A server that does what its script says, and records every request. */
export interface RecordingServer extends AsyncDisposable {
  /** The origin, without a slash at its end. */
  readonly url: string;
  /** Every request, in the order they came. */
  readonly requests: readonly RecordedRequest[];
  /** Ends it and its connections. */
  close(): Promise<void>;
  /** Calls back for each new connection, before anything is read from it. */
  onConnection(callback: (socket: Socket) => void): void;
  /** Listens again, on the same port. */
  reopen(): Promise<void>;
}

const readBody = async (incoming: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

const carryOut = (outcome: Outcome, outgoing: ServerResponse): void => {
  if (outcome === undefined) return;
  if (outcome === 'drop') outgoing.destroy();
  else if (outcome === 'reset') outgoing.socket?.resetAndDestroy();
  else {
    const { status = 200, headers = {}, body } = outcome;
    outgoing.statusCode = status;
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    outgoing.end(body);
  }
};

/** Starts a server on a free port of this machine. */
export const record = async (respond: Respond): Promise<RecordingServer> => {
  const requests: RecordedRequest[] = [];
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await readBody(incoming) };
    carryOut(await respond(request, requests.push(request) - 1, outgoing), outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close,
    onConnection: (callback) => server.on('connection', callback),
    reopen: () => listen(port),
    [Symbol.asyncDispose]: close,
  };
};

/** A JSON response. */
export const json = (body: unknown, status = 200, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Responds in this order, and repeats the last one. */
export const inOrder =
  (...replies: readonly Outcome[]): Respond =>
  (_request, index) =>
    replies[Math.min(index, replies.length - 1)] ?? { status: 599 };

/** Method, URL and body of each request. */
export const sent = ({ requests }: RecordingServer): readonly (readonly [string, string, string])[] =>
  requests.map(({ method, url, body }) => [method, url, body]);
