import { header, jsonType, type Method, methodRules } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isAccepted, parseMediaType } from '../headers/media-type.ts';
import { checkHeaderFields } from '../http/fields.ts';
import type { BaseUrl } from '../http/url.ts';
import { createReader } from '../options.ts';
import { formatParameter } from '../query/query.ts';
import { requireSynchronous } from '../schema/codec.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import type { Schema } from '../schema/types/shape.ts';
import { type Call, callWith } from './call.ts';
import { type ConditionalOptions, conditionalChecks } from './call-options.ts';
import type { ClientContext } from './context.ts';
import {
  type Accepted,
  type Done,
  parseJson,
  toAccepted,
  toNotModified,
  toValue,
  unexpected,
} from './outcome.ts';
import type { Exchange } from './pipeline.ts';
import { toSentBody } from './request-body.ts';

/**
 * How the body of a response to {@link Client.request} arrives: as the value of its JSON, as a string, as bytes, or unread as
 * the `Response` of `fetch`.
 */
export type BodyForm = 'json' | 'text' | 'bytes' | 'response';

/** A request to an API's own endpoint, for {@link Client.request}. */
export interface OwnRequest<S extends string = string> extends ConditionalOptions {
  /** One of those of §4.2; GET, DELETE and OPTIONS have no body. */
  readonly method: Method;
  /** Path below the base URL, with the version if there is one (§9). No leading slash; a trailing slash is sent. */
  readonly path: string;
  /** Query parameters; lists are joined with commas, dates are ISO 8601. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /**
   * A value to send as JSON; a form, also with files; or, together with `contentType`, bytes, a blob, a string of another type
   * or a `ReadableStream`. A stream is sent once: its request is neither retried nor resent after a 401.
   */
  readonly body?: unknown;
  /** Content type of a body that is not JSON; by default that of a blob. */
  readonly contentType?: string | undefined;
  /** The accepted content types (§4.3); `application/json` by default, any type when `as` is not `json`. */
  readonly accept?: string | undefined;
  /**
   * How the body of the response arrives; `json` by default. With `response` the time limits, the place of `concurrency` and
   * `maxResponseBytes` end at the headers, and `signal` reaches the body.
   */
  readonly as?: BodyForm | undefined;
  /** Checks and types the JSON of the response. An empty 202 gives `Accepted`, an empty 204 `Done`, except for a GET. */
  readonly schema?: Schema | undefined;
  /** The API that the endpoint belongs to: the request uses its scheme. */
  readonly api?: ApiDeclaration | undefined;
  /** The scheme to use, when the client has several and no `api` is given; the first one by default. */
  readonly auth?: S | undefined;
}

const readOwnRequest = createReader<OwnRequest>({
  ...conditionalChecks,
  method: undefined,
  path: undefined,
  query: undefined,
  body: undefined,
  contentType: undefined,
  accept: undefined,
  as: undefined,
  schema: undefined,
  api: undefined,
  auth: undefined,
});

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

const forms: readonly string[] = ['json', 'text', 'bytes', 'response'] satisfies readonly BodyForm[];

/** Prepares a request to an API's own endpoint. */
const prepareOwnRequest = (context: ClientContext, given: OwnRequest) => {
  const own = readOwnRequest(given, 'client.request');
  const { api: declaration, auth, method, schema, as = 'json' } = own;
  const { accept = as === 'json' ? jsonType : '*/*' } = own;
  if (declaration !== undefined && auth !== undefined)
    throw new InvalidRequestError('client.request takes api or auth, not both: the API names its scheme');
  const api = declaration === undefined ? context.forScheme(auth) : context.forApi(declaration);
  if (!Object.hasOwn(methodRules, method))
    throw new InvalidRequestError(`method must be one of ${Object.keys(methodRules).join(', ')}`);
  if (!forms.includes(as)) throw new InvalidRequestError(`as must be one of ${forms.join(', ')}`);
  if (schema !== undefined && as !== 'json')
    throw new InvalidRequestError(`schema checks JSON; remove schema, or remove as: ${JSON.stringify(as)}`);
  if (schema !== undefined) requireSynchronous(schema);
  const url = toUrl(api.base, own);
  const { type, body } = toSentBody(method, own.body, own.contentType);
  const fields = { [header.accept]: accept, ...(type !== undefined && { [header.contentType]: type }) };
  const headers = { ...api.readFields, ...checkHeaderFields('accept and contentType', fields) };
  const parts = { method, url, headers, body, readAs: as === 'json' ? 'text' : as } as const;
  return { api, parts, options: own, as, accept, schema };
};

/** What a success without a body means for a method that may have one (§4.2); undefined where it may not. */
const toEmptyOutcome = (exchange: Exchange): Accepted | Done | undefined => {
  const { status, body } = exchange.response;
  if (body.length > 0 || methodRules[exchange.request.method].safe) return undefined;
  if (status === 202) return toAccepted(exchange);
  return status === 204 ? { outcome: 'done' } : undefined;
};

/** The result of a request to an own endpoint, in the form that it asks for. */
const toOwnResult = (
  exchange: Exchange,
  { as, accept, schema }: ReturnType<typeof prepareOwnRequest>,
): unknown => {
  const { status, headers, body, unread } = exchange.response;
  if (status === 304) return toNotModified(exchange);
  if (unread !== undefined) return unread;
  if (schema !== undefined) return toEmptyOutcome(exchange) ?? toValue(exchange, schema);
  if (body.length === 0) return as === 'json' ? undefined : body;
  const mediaType = parseMediaType(headers.get(header.contentType));
  if (mediaType !== '' && !isAccepted(mediaType, accept))
    throw unexpected(exchange, `the response is ${mediaType} where ${accept} was accepted (§4.3)`);
  return as === 'json' ? parseJson(exchange, body as string) : body;
};

export const createRequest =
  (context: ClientContext) =>
  (given: OwnRequest): Call<unknown> =>
    callWith(context.beginCall, () => prepareOwnRequest(context, given), toOwnResult);
