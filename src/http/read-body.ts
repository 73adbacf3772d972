import { header } from '../conventions.ts';
import type { BodyProgress } from './message.ts';

/** Returned in place of a body that is too large. */
export const tooLarge = Symbol('too large');

type Bytes = Uint8Array<ArrayBuffer>;

const concat = (chunks: readonly Bytes[], length: number): Bytes => {
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
  stream: ReadableStream<Bytes>,
  maxBytes: number,
  onBytes?: (bytes: number) => void,
): Promise<Bytes | typeof tooLarge> => {
  const chunks: Bytes[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    length += chunk.value.length;
    if (length > maxBytes) {
      // The rest is discarded, and so is a failure to cancel it.
      void reader.cancel().catch(() => undefined);
      return tooLarge;
    }
    chunks.push(chunk.value);
    onBytes?.(length);
  }
  return concat(chunks, length);
};

// With these statuses, `Content-Length` is that of a body that is not sent (RFC 9110 §8.6).
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The body's length in bytes, which the connection itself enforces. Undefined when the server does not send it, or when the
 * body may be encoded: for another origin, a browser shows `Content-Length` and hides `Content-Encoding`.
 */
export const honestLength = ({ headers, status, type }: Response): number | undefined => {
  const length = headers.get(header.contentLength);
  if (length === null || type === 'cors' || headers.has(header.contentEncoding)) return undefined;
  return /^\d+$/.test(length) && !withoutBody.has(status) ? Number(length) : undefined;
};

const utf8 = new TextDecoder();

// JSON is always UTF-8, whatever its type says (RFC 8259 §8.1).
const charsetOfText = /^\s*text\/.*;\s*charset\s*=\s*"?([^\s;"]+)/i;

const decoderOf = (contentType: string | null): TextDecoder => {
  const charset = charsetOfText.exec(contentType ?? '')?.[1];
  if (charset === undefined) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    // This runtime does not know the charset.
    return utf8;
  }
};

/** Decodes a body: text by its `charset` (RFC 9110 §8.3.2), and anything else as UTF-8. */
export const decodeBody = (bytes: Bytes, headers: Headers): string =>
  decoderOf(headers.get(header.contentType)).decode(bytes);

/**
 * A method of responses of `restkin/undici` that reads the body at once, up to a bound: a web stream would cost more than
 * the request. It rejects with a RangeError above the bound. The bytes may be a view of a larger buffer of the connection.
 */
const wholeBody = Symbol.for('restkin.body');

interface WholeResponse extends Response {
  [wholeBody](maxBytes: number): Promise<Bytes>;
}

const isWhole = (response: Response): response is WholeResponse => wholeBody in response;

const readWhole = (response: WholeResponse, maxBytes: number): Promise<Bytes | typeof tooLarge> =>
  response[wholeBody](maxBytes).catch((error: unknown) => {
    if (error instanceof RangeError) return tooLarge;
    throw error;
  });

const none = new Uint8Array(0);

/** For a library without web streams: the body can be measured only after all of it has arrived. */
const readAtOnce = async (response: Response, maxBytes: number): Promise<Bytes | typeof tooLarge> => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.length > maxBytes ? tooLarge : bytes;
};

/** False for the response of a library without web streams. */
export const hasStream = ({ body }: Response): boolean => typeof body?.getReader === 'function';

/**
 * Reads a body to its end, decoded. It stops at `maxBytes`: half a megabyte of gzip may hold half a gigabyte. A body whose
 * `Content-Length` is larger is not read at all.
 *
 * @param onProgress - called for each piece as it arrives, where the body is a stream
 */
export const readBody = async (
  response: Response,
  readAs: 'text' | 'bytes',
  maxBytes: number,
  onProgress?: (progress: BodyProgress) => void,
): Promise<string | Bytes | typeof tooLarge> => {
  let bytes: Bytes | typeof tooLarge = none;
  const length = honestLength(response);
  if (length !== undefined && length > maxBytes) {
    void response.body?.cancel().catch(() => undefined);
    return tooLarge;
  }
  const onBytes =
    onProgress && ((read: number) => onProgress({ direction: 'download', bytes: read, total: length }));
  if (isWhole(response) && onBytes === undefined) {
    const whole = await readWhole(response, maxBytes);
    bytes = whole !== tooLarge && readAs === 'bytes' ? new Uint8Array(whole) : whole;
  } else if (response.body !== null) {
    bytes = hasStream(response)
      ? await readChunks(response.body, maxBytes, onBytes)
      : await readAtOnce(response, maxBytes);
  }
  return bytes === tooLarge || readAs === 'bytes' ? bytes : decodeBody(bytes, response.headers);
};
