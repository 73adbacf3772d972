import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface RawServer {
  readonly url: string;
  readonly requests: Arrived[];
}

/** An answer as data. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

/** Answers a request: with data, or by itself on the response (then it returns nothing). */
export type Answering = (
  request: Arrived,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** A server on a loopback port that does what a test says; it and its connections end with the test. */
export const startRawServer = async (answering: Answering): Promise<RawServer> => {
  const requests: Arrived[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const arrived = { method, url, headers, body: await readAll(request) };
    requests.push(arrived);
    const reply = await answering(arrived, response);
    if (reply === undefined) return;
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body ?? '');
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};

/** Writes these bytes to the connection in place of an answer, and ends it. */
export const answerRaw = (response: ServerResponse, text: string): undefined => {
  response.socket?.end(text);
};
