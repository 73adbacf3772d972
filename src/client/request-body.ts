import { jsonType, type Method, methodRules } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isJson, parseMediaType } from '../headers/media-type.ts';
import { isStream } from '../http/body.ts';
import type { RequestBody } from '../http/fetch.ts';
import { isObject } from '../options.ts';
import { isThenable } from '../schema/codec.ts';

/** A body as it is sent. */
interface SentBody {
  readonly body: RequestBody | undefined;
  /** Its content type; undefined for a form, whose boundary the runtime writes. */
  readonly type: string | undefined;
}

/** Writes a value as JSON; undefined for one that JSON cannot hold: a cycle, a bigint, a promise or undefined. */
const toJson = (value: unknown): string | undefined => {
  if (isThenable(value)) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    // The engine's message quotes names from the value.
    return undefined;
  }
};

const problemOf = (value: unknown): string => {
  if (value === undefined) return 'the body is missing';
  return isThenable(value)
    ? 'the body is a promise; await it'
    : 'the body cannot be written as JSON; pass a plain object without cycles and bigints';
};

/** Writes a JSON body. @throws {@link InvalidRequestError} for a value that JSON cannot hold */
export const toJsonBody = (value: unknown, owner: string): string => {
  const json = toJson(value);
  if (json === undefined) throw new InvalidRequestError(`${owner}: ${problemOf(value)}`);
  return json;
};

/** By the tag: in jsdom and under Jest, bytes of the runtime are not instances of the `Uint8Array` of this code. */
const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> | ArrayBuffer =>
  /^\[object (?:Uint8Array|ArrayBuffer)\]$/.test(Object.prototype.toString.call(body));

const isBinary = (body: unknown): body is Exclude<RequestBody, string | FormData> =>
  isBytes(body) ||
  body instanceof Blob ||
  body instanceof URLSearchParams ||
  isStream(body as RequestBody | null | undefined);

const problemOfBinary = (body: unknown, type: string): string | undefined => {
  if (type === '') return 'A body of bytes, a stream or form parameters needs a contentType';
  return body instanceof ReadableStream && body.locked
    ? 'The body is a stream that is already being read; pass one that has no reader'
    : undefined;
};

/**
 * Writes the body of a request to an own endpoint: a value as JSON, anything binary as it is.
 *
 * @throws {@link InvalidRequestError} for a method without a body, and a body without the content type that it needs
 */
export const toSentBody = ({
  method,
  body,
  contentType,
}: {
  readonly method: Method;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}): SentBody => {
  if (body === undefined) return { body, type: undefined };
  if (!methodRules[method].body) throw new InvalidRequestError(`${method} has no request body (§4.2)`);
  if (body instanceof FormData) return { body, type: undefined };
  if (isBinary(body)) {
    const type = contentType ?? (body instanceof Blob ? body.type : '');
    const problem = problemOfBinary(body, type);
    if (problem !== undefined) throw new InvalidRequestError(problem);
    return { body, type };
  }
  if (isObject(body) && Symbol.asyncIterator in body)
    throw new InvalidRequestError(
      'The body is an async iterable; pass a ReadableStream (of a stream of Node: Readable.toWeb)',
    );
  if (contentType === undefined || isJson(parseMediaType(contentType))) {
    return { body: toJsonBody(body, 'client.request'), type: contentType ?? jsonType };
  }
  if (typeof body !== 'string') {
    throw new InvalidRequestError('A body with a contentType other than JSON must be a string or bytes');
  }
  return { body, type: contentType };
};
