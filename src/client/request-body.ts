import { jsonType, type Method, methodRules } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isJson, parseMediaType } from '../headers/media-type.ts';
import { isStream } from '../http/body.ts';
import type { RequestBody } from '../http/fetch.ts';
import { isObject } from '../options.ts';
import { isThenable } from '../schema/codec.ts';

/** True for what JSON writes as {}, such as a File or a Map, and for bytes. Any class may have a tag. */
const isLost = (part: unknown): boolean =>
  isObject(part) &&
  Symbol.toStringTag in part &&
  (ArrayBuffer.isView(part) || Object.keys(part).length === 0);

/** Writes a JSON body. @throws {@link InvalidRequestError} for a value that JSON cannot hold */
export const toJsonBody = (value: unknown, owner: string): string => {
  if (isThenable(value)) throw new InvalidRequestError(`${owner}: the body is a promise; await it`);
  try {
    // JSON has null for NaN and Infinity, and nothing for a bigint.
    const json: string | undefined = JSON.stringify(value, (_name, part) =>
      isLost(part) || (typeof part === 'number' && !Number.isFinite(part)) ? 0n : part,
    );
    if (json !== undefined) return json;
  } catch {
    // The engine's message quotes names from the value.
  }
  throw new InvalidRequestError(
    `${owner}: the body is missing or cannot be written as JSON: remove cycles, bigints, NaN, files and maps; see endpoint()`,
  );
};

/**
 * Not by the class: in jsdom and under Jest, bytes of the runtime are not instances of the `ArrayBuffer` of
 * this code.
 */
const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> | ArrayBuffer =>
  ArrayBuffer.isView(body) || Object.prototype.toString.call(body) === '[object ArrayBuffer]';

const isBinary = (body: unknown): body is Exclude<RequestBody, string | FormData> =>
  isBytes(body) ||
  body instanceof Blob ||
  body instanceof URLSearchParams ||
  isStream(body as RequestBody | null | undefined);

/** Refuses a stream that cannot be sent, for which `fetch` throws a bare TypeError. */
const requireUnread = (stream: ReadableStream, owner: string): void => {
  try {
    // The constructor reads nothing, and throws for a stream that was read or is being read.
    new Response(stream);
  } catch {
    throw new InvalidRequestError(`${owner}: the stream of the body was read already, or is being read`);
  }
};

/**
 * Writes the body of a request to an own endpoint: a value as JSON, anything binary and a string with a
 * content type as it is.
 *
 * @throws {@link InvalidRequestError} for a method without a body, and a body without the content type that
 * it needs
 */
export const toSentBody = (
  method: Method,
  body: unknown,
  contentType: string | undefined,
  owner: string,
): { readonly body?: RequestBody; readonly type?: string } => {
  if (body === undefined) return {};
  if (!methodRules[method].body) {
    const way = method === 'DELETE' ? '; client.fetch sends one' : '';
    throw new InvalidRequestError(`${owner}: ${method} has no request body (§4.2)${way}`);
  }
  // The runtime writes the type of a form, with the boundary.
  if (body instanceof FormData || (body instanceof URLSearchParams && !contentType)) return { body };
  if (isBinary(body)) {
    if (isStream(body)) requireUnread(body, owner);
    const type = contentType ?? (body instanceof Blob ? body.type : '');
    if (type === '')
      throw new InvalidRequestError(
        `${owner}: a body of bytes or a stream needs a contentType; an endpoint takes a Blob with its type`,
      );
    return { body, type };
  }
  // With a content type a string is the body itself, also JSON that is written already.
  if (contentType !== undefined && typeof body === 'string') return { body, type: contentType };
  // A stream of Node would be written as a JSON object.
  const isIterable = isObject(body) && Symbol.asyncIterator in body;
  if (!isIterable && (contentType === undefined || isJson(parseMediaType(contentType)))) {
    return { body: toJsonBody(body, owner), type: contentType ?? jsonType };
  }
  throw new InvalidRequestError(
    `${owner}: a body that is not JSON must be a string, bytes or a ReadableStream; Readable.toWeb makes one in Node`,
  );
};
