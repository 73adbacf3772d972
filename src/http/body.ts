import { header } from '../conventions.ts';
import type { FetchResponse, RequestBody } from './fetch.ts';

/** Returned in place of a body that is too large. */
export const tooLarge = Symbol('too large');

type Bytes = Uint8Array<ArrayBuffer>;

/** True for a body that can be sent once. */
export const isStream = (body: RequestBody | null | undefined): body is ReadableStream =>
  typeof body === 'object' && body !== null && 'getReader' in body;

/**
 * The body's length in bytes, which the connection enforces. Undefined when the server does not send it, or
 * when the body may be encoded: for another origin, a browser shows `Content-Length` and hides
 * `Content-Encoding`.
 */
const lengthOf = ({ headers, type }: FetchResponse): number | undefined => {
  const length = headers.get(header.contentLength);
  const isEncoded = type === 'cors' || headers.has(header.contentEncoding);
  return length === null || isEncoded || !/^\d+$/.test(length) ? undefined : Number(length);
};

const readChunks = async (
  reader: ReadableStreamDefaultReader<Bytes>,
  maxBytes: number,
): Promise<Bytes | typeof tooLarge> => {
  const chunks: Bytes[] = [];
  let length = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    length += chunk.value.length;
    if (length > maxBytes) {
      void reader.cancel().catch(() => undefined);
      return tooLarge;
    }
    chunks.push(chunk.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

/** The source of a stream that passes on what a reader reads. */
export const sourceOf = (reader: ReadableStreamDefaultReader<Bytes>): UnderlyingDefaultSource<Bytes> => ({
  pull: async (controller) => {
    const { done, value } = await reader.read();
    if (done) controller.close();
    else controller.enqueue(value);
  },
  cancel: (reason) => reader.cancel(reason),
});

const decoder = new TextDecoder();

/**
 * Reads a body to its end, decoded. It stops at `maxBytes`, because half a megabyte of gzip may hold half a
 * gigabyte. A body whose length is known, or that is not a stream, is read at once.
 *
 * @throws TypeError at once, before it returns a promise, for what is no response: a mistake of the `fetch`
 */
export const readBody = (
  response: FetchResponse,
  as: 'text' | 'bytes',
  maxBytes: number,
): Promise<string | Bytes | typeof tooLarge> => {
  const length = lengthOf(response) ?? Infinity;
  // Reading `body` may make a library create the stream.
  const body = length > maxBytes ? response.body : undefined;
  if (body === null) return Promise.resolve(as === 'text' ? '' : new Uint8Array(0));
  if (typeof body?.getReader === 'function')
    return readChunks(body.getReader(), maxBytes).then((bytes) =>
      bytes === tooLarge || as === 'bytes' ? bytes : decoder.decode(bytes),
    );
  const whole = as === 'text' ? response.text() : response.arrayBuffer().then((all) => new Uint8Array(all));
  return Promise.resolve(whole).then((read) => (read.length > maxBytes ? tooLarge : read));
};
