import { header, jsonType, type Method, methodRules } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isAccepted, isJson, parseMediaType } from '../headers/media-type.ts';
import { checkHeaderFields } from '../http/header-fields.ts';
import type { RequestBody } from '../http/message.ts';
import type { BaseUrl } from '../http/url.ts';
import { formatParameter } from '../query/query.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import { type Blank, createReader } from '../schema/read-options.ts';
import type { Schema } from '../schema/types/shape.ts';
import { blank, type ConditionalOptions, conditionsOf } from './call-options.ts';
import { type CallContext, type Exchange, sendRequest, toJsonBody } from './exchange.ts';
import { toNotModified, toValue, unexpected } from './outcome.ts';

/** A request to an API's own endpoint. */
export interface OwnRequest<S extends string = string> extends ConditionalOptions {
  /** One of those of §4.2; GET, DELETE and OPTIONS have no body. */
  readonly method: Method;
  /** Below the base URL, without a slash in front; a version, where there is one, is part of it (§9). */
  readonly path: string;
  /** Query parameters; lists are joined with commas, dates are ISO 8601. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** A value to send as JSON, or bytes, or a string of another type, together with `contentType`. */
  readonly body?: unknown;
  /** Of a body that is not JSON. */
  readonly contentType?: string | undefined;
  /** What the response may be (§4.3); `application/json` by default. Text arrives as a string, other types as bytes. */
  readonly accept?: string | undefined;
  /** Checks and types a JSON exchange. */
  readonly schema?: Schema | undefined;
  /**
   * The API that the endpoint belongs to: the request takes its scheme and keeps to its `rateLimit`. Without it the limit
   * is that of the API, of those that `client.api()` was called for, that has a collection at the path.
   */
  readonly api?: ApiDeclaration | undefined;
  /** The scheme to use, when the client has several and no `api` is given; the first one by default. */
  readonly auth?: S | undefined;
}

const blankRequest: Blank<OwnRequest> = {
  ...blank.conditional,
  method: undefined,
  path: undefined,
  query: undefined,
  body: undefined,
  contentType: undefined,
  accept: undefined,
  schema: undefined,
  api: undefined,
  auth: undefined,
};

/** Reads a request to an own endpoint. */
export const readOwnRequest = createReader(blankRequest);

// What RFC 3986 §3.3 allows in a path. A URL parser drops tabs and line ends, reads `\\` as `/`, and takes `.`, `..` and
// their encoded forms out: each of them would send the request elsewhere than it says.
const segment = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+$/;
const dotSegment = /^(?:\.|%2e){1,2}$/i;

const isPath = (path: unknown): path is string =>
  typeof path === 'string' && path.split('/').every((part) => segment.test(part) && !dotSegment.test(part));

const toUrl = ({ href }: BaseUrl, { path, query = {} }: OwnRequest): string => {
  if (typeof path === 'string' && path.startsWith('/')) {
    throw new InvalidRequestError(
      `path begins below baseUrl, without a slash: write ${JSON.stringify(path.replace(/^\/+/, '').slice(0, 100))}`,
    );
  }
  if (!isPath(path)) {
    throw new InvalidRequestError(
      'path must be percent-encoded segments joined with "/", none of them "." or ".."',
    );
  }
  const url = new URL(`${href}/${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const written = formatParameter(value);
    if (written === undefined)
      throw new InvalidRequestError(
        `query has a value for ${JSON.stringify(name)} that cannot be written as a string`,
      );
    url.searchParams.append(name, written);
  }
  return url.href;
};

const isText = (mediaType: string): boolean => mediaType.startsWith('text/');

/** How the response is read, by what is accepted. */
const readAsOf = (accept: string): 'text' | 'bytes' => {
  const types = accept.split(',').map(parseMediaType);
  return types.every((type) => isJson(type) || isText(type)) ? 'text' : 'bytes';
};

const decoder = new TextDecoder();

const isBinary = (body: unknown): body is RequestBody =>
  body instanceof Uint8Array ||
  body instanceof ArrayBuffer ||
  body instanceof Blob ||
  body instanceof FormData ||
  body instanceof URLSearchParams;

const toBody = ({
  method,
  body,
  contentType,
}: OwnRequest): { readonly body: RequestBody | undefined; readonly type: string | undefined } => {
  if (body === undefined) return { body, type: undefined };
  if (!methodRules[method].body) throw new InvalidRequestError(`${method} has no request body (§4.2)`);
  // The runtime writes the boundary of a form into its own content type.
  if (body instanceof FormData) return { body, type: undefined };
  if (isBinary(body)) {
    if (contentType === undefined)
      throw new InvalidRequestError('A body of bytes or form parameters needs a contentType');
    // Bytes are written already, whatever they hold.
    return { body, type: contentType };
  }
  if (contentType === undefined || isJson(parseMediaType(contentType))) {
    return { body: toJsonBody(body), type: contentType ?? jsonType };
  }
  if (typeof body !== 'string') {
    throw new InvalidRequestError('A body with a contentType other than JSON must be a string or bytes');
  }
  return { body, type: contentType };
};

/** Sends a request to an API's own endpoint. */
export const sendOwnRequest = async (api: CallContext, request: OwnRequest): Promise<Exchange> => {
  const { method, accept = jsonType } = request;
  if (!Object.hasOwn(methodRules, method)) {
    throw new InvalidRequestError(`method must be one of ${Object.keys(methodRules).join(', ')}`);
  }
  const url = toUrl(api.base, request);
  const { body, type } = toBody(request);
  const fields = { [header.accept]: accept, ...(type === undefined ? {} : { [header.contentType]: type }) };
  const headers = { ...api.readFields, ...checkHeaderFields('accept and contentType', fields) };
  return sendRequest(
    api,
    { method, url, headers, body, readAs: readAsOf(accept) },
    request,
    conditionsOf(request),
  );
};

/**
 * The body of an own endpoint's response: JSON as its value, text as a string, anything else as bytes; `NotModified` for the
 * 304 of a conditional request.
 */
export const toOwnResult = (exchange: Exchange, { accept = jsonType, schema }: OwnRequest): unknown => {
  const { status, headers, body } = exchange.response;
  if (status === 304) return toNotModified(exchange);
  if (schema !== undefined) return toValue(exchange, schema);
  const mediaType = parseMediaType(headers.get(header.contentType)) || parseMediaType(accept);
  if (body.length > 0 && !isAccepted(mediaType, accept)) {
    throw unexpected(exchange, `the response is ${mediaType} where ${accept} was accepted (§4.3)`);
  }
  if (!isJson(mediaType)) return isText(mediaType) && typeof body !== 'string' ? decoder.decode(body) : body;
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(typeof body === 'string' ? body : decoder.decode(body));
  } catch {
    throw unexpected(exchange, 'the body is not JSON');
  }
};
