import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type RecordedRequest, type RecordingServer, type Reply, record } from './recording-server.ts';

export type { Reply } from './recording-server.ts';

/** Answers a request: with data, or by itself on the response (then it returns nothing). */
export type Answering = (
  request: RecordedRequest,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

/** A server that responds with JSON, where a test says nothing else; it and its connections end with the test. */
export const startRawServer = async (answering: Answering): Promise<RecordingServer> => {
  const server = await record(async (request, _index, response) => {
    const reply = await answering(request, response);
    return reply && { ...reply, headers: { 'content-type': 'application/json', ...reply.headers } };
  });
  onTestFinished(server.close);
  return server;
};

/** Writes these bytes to the connection in place of a response, and ends it. */
export const answerRaw = (response: ServerResponse, bytes: string): undefined => {
  response.socket?.end(bytes);
};
