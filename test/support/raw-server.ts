import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type RecordedRequest, type RecordingServer, type Reply, record } from './recording-server.ts';

export type { Reply } from './recording-server.ts';

/** Responds to a request with data, or writes the response itself and returns nothing. */
export type Responder = (
  request: RecordedRequest,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

/** A server that responds with JSON unless a test says otherwise. It ends with the test. */
export const startRawServer = async (responder: Responder): Promise<RecordingServer> => {
  const server = await record(async (request, _index, response) => {
    const reply = await responder(request, response);
    return reply && { ...reply, headers: { 'content-type': 'application/json', ...reply.headers } };
  });
  onTestFinished(server.close);
  return server;
};

/** Writes these bytes to the connection in place of a response, and ends it. */
export const respondRaw = (response: ServerResponse, bytes: string): undefined => {
  response.socket?.end(bytes);
};
