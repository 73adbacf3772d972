import { maxBodyBytes } from './body.ts';
import type { Incoming } from './incoming.ts';

/** A request of Node's server, as far as the mock reads it. */
interface ServerMessage extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: {
    readonly host?: string | undefined;
    readonly 'content-length'?: string | undefined;
    readonly 'transfer-encoding'?: string | undefined;
  };
  readonly rawHeaders: readonly string[];
}

/** The answer of Node's server, which ends with the connection. */
interface ServerAnswer {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Little more than a mock takes; the rest is read and dropped, so that the answer arrives. */
const readBody = async (incoming: ServerMessage): Promise<Incoming['body']> => {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && (length === undefined || length === '0')) return null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Without an encoding set, a message gives bytes.
  for await (const part of incoming as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    if (size <= maxBodyBytes) parts.push(part);
    size += part.length;
  }
  return size === 0 ? null : new Blob(parts).stream();
};

const toHeaders = ({ rawHeaders }: ServerMessage): Headers => {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
};

/** Aborted when the client is gone; made when it is asked for, which is only while a fault delays. */
const signalOf = (outgoing: ServerAnswer): AbortSignal => {
  const gone = new AbortController();
  if (outgoing.destroyed) gone.abort();
  else outgoing.once('close', () => gone.abort());
  return gone.signal;
};

/**
 * What the mock reads of a request of Node's server. Not a Request: one costs more than the rest of the work, and cannot
 * have the method TRACE, which a server receives and has to answer with 405 (§4.2).
 */
export const toIncoming = async (
  incoming: ServerMessage,
  outgoing: ServerAnswer,
  origin: string,
): Promise<Incoming> => {
  const { method = 'GET', url = '/', headers } = incoming;
  const asked = headers.host ? `http://${headers.host}` : origin;
  const body = await readBody(incoming);
  let signal: AbortSignal | undefined;
  return {
    method,
    url: url.startsWith('/') ? `${asked}${url}` : url,
    headers: toHeaders(incoming),
    body,
    get signal() {
      signal ??= signalOf(outgoing);
      return signal;
    },
  };
};
