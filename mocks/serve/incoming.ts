import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Incoming } from '../responses/message.ts';

/** A body that is read on demand. Cancelling it discards the rest, which would otherwise hold up the response. */
const bodyOf = (incoming: IncomingMessage, broken: Promise<never>): Incoming['body'] => {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && (length === undefined || length === '0')) return null;
  // Without an encoding, a message yields bytes.
  const parts = (incoming as AsyncIterable<Uint8Array<ArrayBuffer>>)[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await Promise.race([parts.next(), broken]);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void incoming.resume(),
  });
};

const toHeaders = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
};

/** Aborted when the client is gone. Created on demand, because few requests need it. */
const signalOf = (outgoing: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  if (outgoing.destroyed) gone.abort();
  else outgoing.once('close', () => gone.abort());
  return gone.signal;
};

/**
 * A request of Node's server as the mock reads it. It is not a `Request`: that would cost more than the rest of the work,
 * and cannot have the method TRACE, which a server has to refuse with 405 (§4.2).
 *
 * @param broken - rejects when the rest of the connection cannot be parsed
 */
export const toIncoming = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
  broken: Promise<never>,
): Incoming => {
  const { method = 'GET', url = '/', headers } = incoming;
  const asked = headers.host ? `http://${headers.host}` : origin;
  let signal: AbortSignal | undefined;
  return {
    method,
    url: url.startsWith('/') ? `${asked}${url}` : url,
    headers: toHeaders(incoming),
    body: bodyOf(incoming, broken),
    get signal() {
      signal ??= signalOf(outgoing);
      return signal;
    },
  };
};
