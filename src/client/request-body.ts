import { jsonType, type Method, methodRules } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isJson, parseMediaType } from '../headers/media-type.ts';
import type { BodyProgress, OneShotBody, RequestBody } from '../http/message.ts';
import type { Pieces } from '../http/one-shot-body.ts';
import { isThenable } from '../schema/codec.ts';

/** A value that a caller wants to send. */
export interface GivenBody {
  readonly method: Method;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly onProgress?: ((progress: BodyProgress) => void) | undefined;
}

/** A body as it is sent. */
export interface SentBody {
  readonly body: RequestBody | undefined;
  readonly oneShot: OneShotBody | undefined;
  /** Its content type; undefined for a form, whose boundary the runtime writes. */
  readonly type: string | undefined;
}

const none: SentBody = { body: undefined, oneShot: undefined, type: undefined };

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
  isBytes(body) || body instanceof Blob || body instanceof URLSearchParams;

/** True for a web stream and for an async iterable, such as a stream of Node or a generator. */
const isPieces = (body: unknown): body is Pieces =>
  typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body);

const toOneShot = async (pieces: Pieces, onProgress: GivenBody['onProgress']): Promise<OneShotBody> => {
  if (pieces instanceof ReadableStream && pieces.locked) {
    throw new InvalidRequestError(
      'The body is a stream that is already being read; pass one that has no reader',
    );
  }
  const { createOneShotBody } = await import('../http/one-shot-body.ts');
  const toWrongPiece = (): InvalidRequestError =>
    new InvalidRequestError(
      'The pieces of a streamed body must be Uint8Array; encode strings with TextEncoder',
    );
  return createOneShotBody(pieces, onProgress, toWrongPiece);
};

/**
 * Writes the body of a request to an own endpoint: a value as JSON, anything binary as it is.
 *
 * @throws {@link InvalidRequestError} for a method without a body, and a body without the content type that it needs
 */
export const toSentBody = async ({ method, body, contentType, onProgress }: GivenBody): Promise<SentBody> => {
  if (body === undefined) return none;
  if (!methodRules[method].body) throw new InvalidRequestError(`${method} has no request body (§4.2)`);
  if (body instanceof FormData) return { ...none, body };
  if (isBinary(body) || isPieces(body)) {
    const type = contentType ?? (body instanceof Blob ? body.type : '');
    if (type === '') throw new InvalidRequestError('A body of bytes or form parameters needs a contentType');
    return isBinary(body)
      ? { ...none, body, type }
      : { ...none, oneShot: await toOneShot(body, onProgress), type };
  }
  if (contentType === undefined || isJson(parseMediaType(contentType))) {
    return { ...none, body: toJsonBody(body, 'client.request'), type: contentType ?? jsonType };
  }
  if (typeof body !== 'string') {
    throw new InvalidRequestError('A body with a contentType other than JSON must be a string or bytes');
  }
  return { ...none, body, type: contentType };
};
