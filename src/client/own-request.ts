import { header, type Method, methodRules } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isAcceptable, parseMediaType } from '../headers/media-type.ts';
import type { HeaderFields } from '../http/fields.ts';
import type { BaseUrl } from '../http/url.ts';
import { checkFieldValue, checkOf, checkStrings, createReader } from '../options.ts';
import { appendParameters } from '../query/query.ts';
import { requireSynchronous } from '../schema/codec.ts';
import { type ApiDeclaration, isDeclaration } from '../schema/define-api.ts';
import type { Schema } from '../schema/types/shape.ts';
import { isSchema } from '../schema/zod.ts';
import { type Call, callWith } from './call.ts';
import type { ApiContext, ClientContext } from './context.ts';
import type { Exchange, RequestParts } from './exchange.ts';
import { type ConditionalOptions, conditionalChecks } from './options.ts';
import { outcomes, parseJson, toNotModified, toValue, unexpected } from './outcome.ts';
import { toSentBody } from './request-body.ts';

/**
 * How the body of a response arrives: the value of its JSON, a string, bytes, or unread as the `Response` of
 * `fetch`.
 */
export type BodyForm = 'json' | 'text' | 'bytes' | 'response';

/**
 * The type of a body that is not JSON, by its form. No interface: the declaration file of a program could not
 * name it.
 */
export type BodyByForm = {
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly response: Response;
};

/** A request to an API's own endpoint, for {@link Client.request}. */
export interface OwnRequest<S extends string = string> extends ConditionalOptions {
  /** One of those of §4.2; GET, DELETE and OPTIONS have no body. {@link Client.fetch} sends that of a DELETE. */
  readonly method: Method;
  /**
   * Path below the base URL, with the version if there is one (§9). No leading slash; a trailing slash is
   * sent.
   */
  readonly path: string;
  /** Query parameters; lists are joined with commas, dates are ISO 8601. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** The lists in `query` that are sent as one parameter for each item: `status=open&status=shipped`. */
  readonly repeated?: readonly string[] | undefined;
  /**
   * A value to send as JSON; a form, also with files; or, together with `contentType`, bytes, a blob, a
   * `ReadableStream` or a string, which is then sent as it is. A stream is sent once: its request is neither
   * retried nor resent after a 401.
   */
  readonly body?: unknown;
  /** Content type of a body that is not JSON; by default that in `headers`, of a blob or of a form. */
  readonly contentType?: string | undefined;
  /** The accepted content types (§4.3); `application/json` by default, any type when `as` is not `json`. */
  readonly accept?: string | undefined;
  /**
   * How the body of the response arrives; `json` by default. With `response` the time limits, the place of
   * `concurrency` and `maxResponseBytes` end at the headers, and `signal` reaches the body.
   */
  readonly as?: BodyForm | undefined;
  /**
   * Checks and types the JSON of the response. An empty 202 gives `Accepted`, an empty 204 `Done`, except for
   * a GET.
   */
  readonly schema?: Schema | undefined;
  /** The API that the endpoint belongs to: the request uses its scheme. */
  readonly api?: ApiDeclaration | undefined;
  /** The scheme to use without `api`, when the client has several; the first one by default. */
  readonly auth?: S | undefined;
}

const forms: readonly unknown[] = ['json', 'text', 'bytes', 'response'] satisfies readonly BodyForm[];

const isMethod = (method: unknown): boolean => Object.hasOwn(methodRules, String(method));
const checkMethod = checkOf(isMethod, `one of ${Object.keys(methodRules).join(', ')}`);

const owner = 'client.request';

const readOwnRequest = createReader<OwnRequest>(
  {
    ...conditionalChecks,
    method: checkMethod,
    path: undefined,
    query: undefined,
    repeated: checkStrings,
    body: undefined,
    contentType: checkFieldValue,
    accept: checkFieldValue,
    as: checkOf((as) => forms.includes(as), `one of ${forms.join(', ')}`),
    schema: checkOf(isSchema, 'a schema of zod 4'),
    api: checkOf(isDeclaration, 'what defineApi returned'),
    auth: undefined,
  },
  { required: ['method'] },
);

const toUrl = ({ href }: BaseUrl, { path, query, repeated }: OwnRequest): string => {
  const url = new URL(`${href}/${path}`);
  // A URL parser drops tabs, `.` and `..`, encoded or not, and reads `\\` as `/`.
  if (typeof path !== 'string' || /^$|^\/|\/\/|[?#]/.test(path) || url.href !== `${href}/${path}`) {
    throw new InvalidRequestError(
      'client.request: path must be below baseUrl, as "v1/reports/3": encoded, no leading slash, no query; client.follow takes a URL',
    );
  }
  appendParameters(url.searchParams, `${owner}: query`, query, repeated);
  return url.href;
};

/** What a request to an own endpoint sends, besides the options of its call. */
interface OwnContent extends Pick<OwnRequest, 'method' | 'body' | 'contentType' | 'accept'> {
  readonly url: string;
  readonly as: BodyForm;
  /** The header fields of the call. */
  readonly headers: HeaderFields | undefined;
}

/** The request to an own endpoint. @throws {@link InvalidRequestError} for a body that cannot be sent */
export const toOwnParts = (
  { headers: common }: ApiContext,
  { method, url, as, accept, headers, ...content }: OwnContent,
  owner: string,
): RequestParts & { readonly headers: HeaderFields } => {
  const contentType = new Headers(headers).get(header.contentType) ?? content.contentType;
  const { type, body } = toSentBody(method, content.body, contentType, owner);
  const accepted = accept ?? ((as === 'json' && common[header.accept]) || '*/*');
  return {
    method,
    url,
    headers: { [header.accept]: accepted, ...(type !== undefined && { [header.contentType]: type }) },
    body,
    readAs: as === 'json' ? 'text' : as,
  };
};

/**
 * The body of a response of an own endpoint, in the form that it asks for. `accept` are the types that it may
 * have.
 */
export const toOwnBody = (exchange: Exchange, as: BodyForm, accept: string): unknown => {
  const { headers, body, unread } = exchange.response;
  if (unread !== undefined) return unread;
  if (body.length === 0) return as === 'json' ? undefined : body;
  const mediaType = parseMediaType(headers.get(header.contentType));
  if (mediaType !== '' && !isAcceptable(mediaType, accept))
    throw unexpected(exchange, `the response is ${mediaType} where ${accept} was accepted (§4.3)`);
  return as === 'json' ? parseJson(exchange, body as string) : body;
};

/** @throws {@link UnexpectedResponseError} for a response whose body was cut */
export const requireWhole = (exchange: Exchange): void => {
  if (exchange.response.isCut)
    throw unexpected(exchange, 'the connection was lost before the end of the body');
};

/** The result of a request to an own endpoint, in the form that it asks for. */
const toOwnResult = (exchange: Exchange, as: BodyForm, accept: string, schema?: Schema): unknown => {
  const { status, body } = exchange.response;
  if (status === 304) return toNotModified(exchange);
  requireWhole(exchange);
  if (schema === undefined) return toOwnBody(exchange, as, accept);
  const isEmptyWrite = body.length === 0 && !methodRules[exchange.request.method].safe;
  const toOutcome = isEmptyWrite ? outcomes[status] : undefined;
  return toOutcome === undefined ? toValue(exchange, schema) : toOutcome(exchange);
};

/** `request` of a client. */
export const createRequest =
  (context: ClientContext) =>
  (given: OwnRequest): Call<unknown> =>
    callWith(
      context.beginCall,
      () => {
        const options = readOwnRequest(given, owner);
        const { api: declaration, auth, schema, as = 'json' } = options;
        if (declaration !== undefined && auth !== undefined)
          throw new InvalidRequestError(`${owner} takes api or auth, not both: the API names its scheme`);
        if (schema !== undefined && as !== 'json')
          throw new InvalidRequestError(`${owner}: schema checks JSON; leave out \`as\`, or \`schema\``);
        if (schema !== undefined) requireSynchronous(schema);
        const api = declaration === undefined ? context.forScheme(auth) : context.forApi(declaration);
        const content = { ...options, as, url: toUrl(api.base, options), headers: options.headers };
        const parts = toOwnParts(api, content, owner);
        const accept = parts.headers[header.accept] ?? '*/*';
        return { api, options, parts, toResult: (exchange) => toOwnResult(exchange, as, accept, schema) };
      },
      given,
    );
