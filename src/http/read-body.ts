import { header } from '../conventions.ts';

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

// Their length, where there is one, is that of a body which is not sent (RFC 9110 §8.6).
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * How long the answer says its body is as it arrives, so that the connection itself ends it there; undefined when it
 * does not say, or may have a coding: a browser hides that of another origin, and shows the length.
 */
const honestLength = ({ headers, status, type }: Response): number | undefined => {
  const length = headers.get(header.contentLength);
  if (length === null || type === 'cors' || headers.has(header.contentEncoding)) return undefined;
  return /^\d+$/.test(length) && !withoutBody.has(status) ? Number(length) : undefined;
};

const decoder = new TextDecoder();

/**
 * A response that reads its body at once, up to a bound, has a method of this name: `restkin/undici` gives it, because a
 * web stream would cost more than the request. Above the bound it rejects with a RangeError. What it gives may lie in a
 * buffer with more of the connection in it.
 */
const wholeBody = Symbol.for('restkin.body');

interface WholeResponse extends Response {
  [wholeBody](maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
}

const isWhole = (response: Response): response is WholeResponse => wholeBody in response;

const readWhole = (
  response: WholeResponse,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | typeof tooLarge> =>
  response[wholeBody](maxBytes).catch((error: unknown) => {
    if (error instanceof RangeError) return tooLarge;
    throw error;
  });

const none = new Uint8Array(0);

/** Of a library that has no web streams, so that it is all there before it can be measured. */
const readAtOnce = async (
  response: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | typeof tooLarge> => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.length > maxBytes ? tooLarge : bytes;
};

const hasStream = ({ body }: Response): boolean => typeof body?.getReader === 'function';

/**
 * Reads a body to its end, decoded, and stops at `maxBytes`: half a megabyte of gzip can be half a gigabyte. One that
 * says it is larger is not read at all.
 *
 * @param isForeign - the answer is of a `fetch` that was given, and its length need not be that of the body
 */
export const readBody = async (
  response: Response,
  readAs: 'text' | 'bytes',
  maxBytes: number,
  isForeign = false,
): Promise<string | Uint8Array<ArrayBuffer> | typeof tooLarge> => {
  let bytes: Uint8Array<ArrayBuffer> | typeof tooLarge = none;
  const length = honestLength(response);
  if (length !== undefined && length > maxBytes) {
    void response.body?.cancel().catch(() => undefined);
    return tooLarge;
  }
  if (isWhole(response)) {
    const whole = await readWhole(response, maxBytes);
    bytes = whole !== tooLarge && readAs === 'bytes' ? new Uint8Array(whole) : whole;
  } else if (response.body !== null) {
    if (readAs === 'text' && length !== undefined && !isForeign) return response.text();
    bytes = hasStream(response)
      ? await readChunks(response.body, maxBytes)
      : await readAtOnce(response, maxBytes);
  }
  return bytes === tooLarge || readAs === 'bytes' ? bytes : decoder.decode(bytes);
};
