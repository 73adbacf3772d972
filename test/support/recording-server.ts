import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query, exactly as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as UTF-8; empty without one. */
  readonly body: string;
}

/** An answer, written out by hand. A list of values is sent as so many header fields. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** What becomes of a request; `drop` reads it to its end and closes the connection without an answer. */
export type Answer = (request: RecordedRequest, index: number) => Reply | 'drop' | Promise<Reply | 'drop'>;

/** A server that knows nothing, and forgets nothing. */
export interface RecordingServer extends AsyncDisposable {
  /** The origin, without a slash at its end. */
  readonly url: string;
  /** Every request, in the order they came. */
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

const readText = async (incoming: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

const send = ({ status, headers = {}, body }: Reply, outgoing: ServerResponse): void => {
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  outgoing.end(body);
};

/** Starts a server on a free port of this machine. */
export const record = async (answer: Answer): Promise<RecordingServer> => {
  const requests: RecordedRequest[] = [];
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    try {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: await readText(incoming) };
      const reply = await answer(request, requests.push(request) - 1);
      if (reply === 'drop') incoming.socket.destroy();
      else send(reply, outgoing);
    } catch {
      incoming.socket.destroy();
    }
  };
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close };
};

/** A JSON answer. */
export const json = (body: unknown, status = 200, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Answers in this order; the last one again and again. */
export const inOrder =
  (...replies: readonly (Reply | 'drop')[]): Answer =>
  (_request, index) =>
    replies[Math.min(index, replies.length - 1)] ?? { status: 599 };

/** Method, URL and body of each request. */
export const sent = ({ requests }: RecordingServer): readonly (readonly [string, string, string])[] =>
  requests.map(({ method, url, body }) => [method, url, body]);
