import { header, jsonType } from '../../src/conventions.ts';
import type { Route } from '../resources/routes.ts';
import { type Incoming, Refusal } from './message.ts';

const mediaType = (field: string): string => field.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Empties quoted strings, in which a comma or a semicolon does not separate anything (RFC 9110 §5.6.4). */
const withoutQuoted = (field: string): string => field.replace(/"(?:[^"\\]|\\.?)*(?:"|$)/g, '""');

const isRefused = (range: string): boolean => /;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(range);

const acceptableTypes: ReadonlySet<string> = new Set([jsonType, 'application/*', '*/*']);

/** RFC 9110 §12.5.1: the most specific range that names JSON decides. */
const acceptsJson = (field: string): boolean => {
  const ranges = withoutQuoted(field)
    .split(',')
    .filter((range) => acceptableTypes.has(mediaType(range)));
  const specific = ranges.toSorted(
    (a, b) => mediaType(a).split('*').length - mediaType(b).split('*').length,
  )[0];
  return specific !== undefined && !isRefused(specific);
};

/**
 * Checks that the client takes JSON, which is all that the mock has (§4.3).
 *
 * §4.3.4 has 415 when no type in `Accept` is supported, and §7.1 has 406 for a GET whose client does not
 * accept the content type of the resource: the two overlap. Here GET is 406 and every other method 415.
 *
 * @throws {@link Refusal} 406 or 415
 */
export const checkAccept = (request: Incoming): void => {
  const accept = request.headers.get(header.accept);
  if (accept === null || accept.trim() === '' || acceptsJson(accept)) return;
  throw new Refusal(request.method === 'GET' ? 406 : 415, `Only ${jsonType} is available`);
};

const charsetOf = (field: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(field)?.[1]?.toLowerCase();

const utf8: ReadonlySet<string | undefined> = new Set([undefined, 'utf-8', 'utf8']);

/**
 * Checks the content type of a request body (§7.1), its charset and its content coding (RFC 9110 §8.4).
 *
 * @throws {@link Refusal} 415
 */
export const checkContentType = ({ headers }: Incoming, wanted: string): void => {
  const field = headers.get(header.contentType) ?? '';
  const sent = mediaType(field);
  const isJsonLike = wanted === jsonType && /^[^/\s]+\/[^/\s]+\+json$/.test(sent);
  if (sent !== wanted && !isJsonLike) throw new Refusal(415, `The request body must be ${wanted}`);
  if (!utf8.has(charsetOf(field))) throw new Refusal(415, 'The charset of the request body must be utf-8');
  const coding = headers.get(header.contentEncoding)?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new Refusal(415, 'The request body must have no content coding');
};

/** The most levels of a JSON body and of a field path. Deeper ones overflow the stack of the runtime. */
export const maxDepth = 100;

/** The most values in a JSON body. Each value that is an error costs some microseconds. */
const maxValues = 1_000_000;

/** How much of a body is read, and the status of the response for more. */
export interface BodyLimit {
  readonly bytes: number;
  readonly status: 400 | 413;
}

/**
 * The memory that the body of a request may take. §7.1 has 413 for bulk requests only; any other body that is too large
 * is an invalid one.
 */
export const bodyLimitOf = (route: Route, method: string, maxBodyBytes = 67_108_864): BodyLimit => {
  const mayBeBulk = route.kind === 'collection' && method === 'POST';
  const bulk = mayBeBulk ? route.endpoint.collection.options.bulk : undefined;
  const bytes = Math.max(maxBodyBytes, bulk?.maxBytes ?? 0);
  return { bytes, status: bulk === undefined ? 400 : 413 };
};

const readBytes = async (request: Incoming, { bytes: limit, status }: BodyLimit): Promise<Uint8Array> => {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > limit) {
      await reader?.cancel();
      throw new Refusal(status, `The request body must not be larger than ${limit} bytes`);
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
};

/**
 * The string of a request body; empty when there is none. It throws when it is called, not when the body is read.
 *
 * @throws {@link Refusal} 413 or 400 for a body that is too large, 400 for one that is cut off or not UTF-8
 */
export type LazyBody = () => string;

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'The request body must be UTF-8');
  }
};

/** Reads a request body to its end, or to its limit. */
export const readBody = async (request: Incoming, limit: BodyLimit): Promise<LazyBody> => {
  if (request.body === null) return () => '';
  try {
    const content = decode(await readBytes(request, limit));
    return () => content;
  } catch (error) {
    request.signal.throwIfAborted();
    const refusal = error instanceof Refusal ? error : new Refusal(400, 'The request body is cut off');
    return () => {
      throw refusal;
    };
  }
};

/** @throws {@link Refusal} 400 for more levels or values than can be checked, before the body is parsed */
const checkSize = (json: string): void => {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') {
      for (at += 1; at < json.length && json[at] !== '"'; at += 1) if (json[at] === '\\') at += 1;
    } else if (char === '[' || char === '{') {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw new Refusal(400, `The request body must have at most ${maxDepth} levels`);
    } else if (char === ']' || char === '}') depth -= 1;
    else if (char === ',') values += 1;
    if (values > maxValues) throw new Refusal(400, `The request body must have at most ${maxValues} values`);
  }
};

/** @throws {@link Refusal} 400 for invalid JSON, or more of it than can be checked */
const parseJson = (json: string): unknown => {
  checkSize(json);
  try {
    return JSON.parse(json);
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
};

/** The value of a JSON body for the log; undefined where there is none. */
export const peekJson = (request: Incoming, body: LazyBody): unknown => {
  if (request.body === null || !/\bjson\b/i.test(request.headers.get(header.contentType) ?? ''))
    return undefined;
  try {
    return parseJson(body());
  } catch {
    return undefined;
  }
};

/**
 * The value of a JSON body.
 *
 * @throws {@link Refusal} 415 for another content type, charset or content coding, 413, and 400 with `message` alone
 * when the body is missing or cannot be parsed (§7.2.2)
 */
export const readJson = (request: Incoming, body: LazyBody): unknown => {
  const { headers } = request;
  if (headers.has(header.contentType) || headers.has(header.contentEncoding))
    checkContentType(request, jsonType);
  const json = body();
  if (json.trim() === '') throw new Refusal(400, 'A request body is required');
  checkContentType(request, jsonType);
  return parseJson(json);
};
