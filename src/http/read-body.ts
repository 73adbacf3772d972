import { header } from '../conventions/headers.ts';

/** In place of a body that is larger than allowed. */
export const tooLarge = Symbol('too large');

const concat = (chunks: readonly Uint8Array<ArrayBuffer>[], length: number): Uint8Array<ArrayBuffer> => {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

const readChunks = async (
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | typeof tooLarge> => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    length += chunk.value.length;
    if (length > maxBytes) {
      // The rest is not wanted, and neither is a complaint about that.
      void reader.cancel().catch(() => undefined);
      return tooLarge;
    }
    chunks.push(chunk.value);
  }
  return concat(chunks, length);
};

/** True when the answer says how long its body is as it arrives, so that the connection itself ends it there. */
const hasHonestLength = (headers: Headers, maxBytes: number): boolean => {
  const length = headers.get(header.contentLength);
  return (
    length !== null &&
    !headers.has(header.contentEncoding) &&
    /^\d+$/.test(length) &&
    Number(length) <= maxBytes
  );
};

const decoder = new TextDecoder();

/** Reads a body to its end, decoded, and stops at `maxBytes`: half a megabyte of gzip can be half a gigabyte. */
export const readBody = async (
  response: Response,
  readAs: 'text' | 'bytes',
  maxBytes: number,
): Promise<string | Uint8Array<ArrayBuffer> | typeof tooLarge> => {
  if (response.body === null) return readAs === 'text' ? '' : new Uint8Array(0);
  if (readAs === 'text' && hasHonestLength(response.headers, maxBytes)) return response.text();
  const bytes = await readChunks(response.body, maxBytes);
  return bytes === tooLarge || readAs === 'bytes' ? bytes : decoder.decode(bytes);
};
