import { header, jsonType, type Method, methodRules } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isAccepted, isJson, parseMediaType } from '../headers/media-type.ts';
import { checkHeaderFields, type ReadAs } from '../http/message.ts';
import { decodeBody } from '../http/read-body.ts';
import type { BaseUrl } from '../http/url.ts';
import { checkFunction, checkPositive, createReader, type OptionChecks } from '../options.ts';
import { formatParameter } from '../query/query.ts';
import { requireSynchronous } from '../schema/codec.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import type { Schema } from '../schema/types/shape.ts';
import { type ConditionalOptions, conditionalChecks, conditionsOf } from './call-options.ts';
import type { ClientContext } from './context.ts';
import { toObserver } from './observers.ts';
import { parseJson, toNotModified, toValue, unexpected } from './outcome.ts';
import { type ApiContext, type CallContext, type Exchange, sendRequest } from './pipeline.ts';
import { toSentBody } from './request-body.ts';
import { rangeFields, type StreamOptions, toBodyStream } from './streamed.ts';

/**
 * How the body of a response to {@link Client.request} arrives: as a stream of bytes with the response's head, as all
 * of its bytes, as a string, or as the value of its JSON.
 */
export type BodyForm = 'stream' | 'bytes' | 'text' | 'json';

/** A request to an API's own endpoint, for {@link Client.request}. */
export interface OwnRequest<S extends string = string> extends ConditionalOptions, StreamOptions {
  /** One of those of §4.2; GET, DELETE and OPTIONS have no body. */
  readonly method: Method;
  /** Path below the base URL, with the version if there is one (§9). No leading slash; a trailing slash is sent. */
  readonly path: string;
  /** Query parameters; lists are joined with commas, dates are ISO 8601. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /**
   * A value to send as JSON; a form, also with files; or, together with `contentType`, bytes, a blob or a string of another
   * type. A `ReadableStream` or an async iterable of bytes is read once, while it is sent: the request is not resent after a
   * part of the body was sent.
   */
  readonly body?: unknown;
  /** Content type of a body that is not JSON; by default that of a blob. */
  readonly contentType?: string | undefined;
  /**
   * The accepted content types (§4.3); `application/json` by default, any type when `as` is not `json`. Without `as`, JSON
   * arrives as its value, text as a string, and other types as bytes.
   */
  readonly accept?: string | undefined;
  /** How the body of the response arrives; by default its content type decides. */
  readonly as?: BodyForm | undefined;
  /** Checks and types the JSON of the response. */
  readonly schema?: Schema | undefined;
  /**
   * The API that the endpoint belongs to: the request uses its scheme.
   */
  readonly api?: ApiDeclaration | undefined;
  /** The scheme to use, when the client has several and no `api` is given; the first one by default. */
  readonly auth?: S | undefined;
}

export const requestChecks: OptionChecks<OwnRequest> = {
  ...conditionalChecks,
  method: undefined,
  path: undefined,
  query: undefined,
  body: undefined,
  contentType: undefined,
  accept: undefined,
  as: undefined,
  idleTimeoutMs: checkPositive,
  resumeFrom: undefined,
  onProgress: checkFunction,
  schema: undefined,
  api: undefined,
  auth: undefined,
};

/** The context of a request to an own endpoint, by its API or its scheme. */
export const contextFor = (
  context: ClientContext,
  { api, auth }: Pick<OwnRequest, 'api' | 'auth'>,
  owner: string,
): ApiContext => {
  if (api !== undefined && auth !== undefined)
    throw new InvalidRequestError(`${owner} takes api or auth, not both: the API names its scheme`);
  return api === undefined ? context.forScheme(auth) : context.forApi(api);
};

export const readOwnRequest = createReader(requestChecks);

// What RFC 3986 §3.3 allows in a path. A URL parser drops tabs and line ends, reads `\\` as `/`, and removes `.`, `..` and
// their encoded forms: each would send the request to a path other than the given one.
const segment = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+$/;
const dotSegment = /^(?:\.|%2e){1,2}$/i;

const isPath = (path: unknown): path is string =>
  typeof path === 'string' &&
  path
    .replace(/\/$/, '')
    .split('/')
    .every((part) => segment.test(part) && !dotSegment.test(part));

const toUrl = ({ href }: BaseUrl, { path, query = {} }: OwnRequest): string => {
  if (typeof path === 'string' && path.startsWith('/')) {
    throw new InvalidRequestError(
      `path begins below baseUrl, without a slash: write ${JSON.stringify(path.replace(/^\/+/, '').slice(0, 100))}`,
    );
  }
  if (!isPath(path)) {
    throw new InvalidRequestError(
      'path must be below baseUrl, such as "v1/reports/3": percent-encoded segments, none of them "." or ".."; client.follow takes a URL',
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

const forms: readonly string[] = ['stream', 'bytes', 'text', 'json'] satisfies readonly BodyForm[];

const acceptOf = ({ accept, as = 'json' }: OwnRequest): string =>
  accept ?? (as === 'json' ? jsonType : '*/*');

/** How the response is read: by `as`, otherwise by the accepted types. */
const readAsOf = (request: OwnRequest): ReadAs => {
  const { as } = request;
  if (as !== undefined) return as === 'json' ? 'text' : as;
  const types = acceptOf(request).split(',').map(parseMediaType);
  return types.every((type) => isJson(type) || isText(type)) ? 'text' : 'bytes';
};

/** @throws {@link InvalidRequestError} for options that contradict each other */
const checkForm = ({ as, schema, idleTimeoutMs, resumeFrom }: OwnRequest): void => {
  if (as !== undefined && !forms.includes(as))
    throw new InvalidRequestError('as must be stream, bytes, text or json');
  if (schema !== undefined && as !== undefined && as !== 'json')
    throw new InvalidRequestError(`schema checks JSON; remove schema, or remove as: ${JSON.stringify(as)}`);
  if (as !== 'stream' && (idleTimeoutMs !== undefined || resumeFrom !== undefined))
    throw new InvalidRequestError("idleTimeoutMs and resumeFrom need as: 'stream'");
};

/** A request to an own endpoint with its response. */
export interface OwnExchange extends Exchange {
  readonly api: CallContext;
  readonly own: OwnRequest;
}

/** Sends a request to an API's own endpoint. */
export const sendOwnRequest = async (api: CallContext, request: OwnRequest): Promise<OwnExchange> => {
  const { method, onProgress, resumeFrom } = request;
  if (!Object.hasOwn(methodRules, method)) {
    throw new InvalidRequestError(`method must be one of ${Object.keys(methodRules).join(', ')}`);
  }
  checkForm(request);
  if (request.schema !== undefined) requireSynchronous(request.schema);
  const url = toUrl(api.base, request);
  const observer = toObserver(onProgress);
  const { type, ...sent } = await toSentBody({ ...request, onProgress: observer });
  try {
    const fields = {
      [header.accept]: acceptOf(request),
      ...(type === undefined ? {} : { [header.contentType]: type }),
      ...rangeFields(resumeFrom),
    };
    const headers = { ...api.readFields, ...checkHeaderFields('accept and contentType', fields) };
    const parts = { method, url, headers, ...sent, readAs: readAsOf(request), onProgress: observer };
    const exchange = await sendRequest(api, parts, request, conditionsOf(request));
    // A server may respond before it has read all of the body, and does not need the rest.
    if (exchange.response.open === undefined) sent.oneShot?.cancel(undefined);
    return { ...exchange, api, own: request };
  } catch (error) {
    sent.oneShot?.cancel(error);
    throw error;
  }
};

/** @returns the media type of the body */
const checkHead = (exchange: OwnExchange, isEmpty: boolean): string => {
  const { status, headers } = exchange.response;
  const accept = acceptOf(exchange.own);
  if (status === 206 && exchange.request.headers[header.range] === undefined) {
    throw unexpected(exchange, 'the server sent a part of the content, but all of it was requested');
  }
  const mediaType = parseMediaType(headers.get(header.contentType)) || parseMediaType(accept);
  if (isEmpty || isAccepted(mediaType, accept)) return mediaType;
  throw unexpected(exchange, `the response is ${mediaType} where ${accept} was accepted (§4.3)`);
};

/**
 * The body of an own endpoint's response, in the requested form. By default, JSON is returned as its value, text as a string,
 * and anything else as bytes. The 304 of a conditional request gives `NotModified`.
 */
export const toOwnResult = async (exchange: OwnExchange): Promise<unknown> => {
  const { api, own } = exchange;
  const { as, schema } = own;
  const { status, headers, body, open } = exchange.response;
  if (status === 304) return toNotModified(exchange);
  if (open !== undefined) {
    return toBodyStream(api, exchange, own, () => checkHead(exchange, status === 204));
  }
  if (schema !== undefined) return toValue(exchange, schema);
  const mediaType = checkHead(exchange, body.length === 0);
  const read = (): string => (typeof body === 'string' ? body : decodeBody(body, headers));
  if (as === 'json' || (as === undefined && isJson(mediaType)))
    return body.length === 0 ? undefined : parseJson(exchange, read());
  return as === undefined && isText(mediaType) ? read() : body;
};
