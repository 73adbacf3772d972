import { header, type Method } from '../conventions.ts';
import { type Attempt, InvalidRequestError, type RequestErrorInit } from '../errors/restkin-error.ts';
import type { FetchResponse, RequestBody } from './fetch.ts';
import type { Mask } from './secrets.ts';
import { maskUrl } from './url.ts';

/**
 * A request as data. A web `Request` can be sent once and costs a clone per retry; this one is a value, which the
 * transport gives to `fetch` for each attempt.
 */
export interface ApiRequest {
  readonly method: Method;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /** How the response's body is read when the status is a success; an error body is always read as a string. */
  readonly readAs?: ReadAs;
  /** True when a 404 is a result, not an error: the caller asked whether the resource exists. */
  readonly mayBeMissing?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Removes the secrets of the client and of the request from what errors and events show. */
  readonly mask: Mask;
  /** The secrets that the request carries, for `mask`. Credentials are added as they are sent. */
  readonly carried: string[];
  /** The call that the request is part of, in errors and events. */
  readonly callId: string;
  /** Time limit for one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** For all attempts and waits: the time on `performance.now()` at which the request gives up. */
  readonly deadline: number;
}

/** How a body is read: whole, as a string or as bytes, or by the caller. */
export type ReadAs = 'text' | 'bytes' | 'response';

/** A response, read to its end, unless the caller reads it. */
export interface ApiResponse {
  /** URL of the request. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** True when a browser shows only the headers that the server exposes to other origins. */
  readonly filtered?: boolean;
  /** A string, or bytes where the request asked for them; empty when the response has no body, or is unread. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** True for a 201 whose body was lost with its connection. */
  readonly isCut?: boolean;
  /** What `fetch` gave for a success that the caller reads. */
  readonly unread?: FetchResponse | undefined;
  /** Every attempt, the successful one last; empty inside the pipeline. */
  readonly attempts: readonly Attempt[];
}

/** True for a 2xx. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One step of the pipeline: a request in, its response out. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** Headers that identify a request in the logs of servers and gateways. */
const supportHeaders: readonly string[] = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'correlation-id',
  'traceparent',
  'x-trace-id',
  'x-amzn-trace-id',
  'cf-ray',
];

const longestValue = 200;

/** The part of an error that identifies its request, with the support headers of its response. */
export const contextOf = (
  request: ApiRequest,
  response?: Pick<ApiResponse, 'headers'>,
): RequestErrorInit & { readonly method: string; readonly url: string } => {
  const { method, url, mask, callId } = request;
  const shown = supportHeaders.filter((name) => response?.headers.has(name));
  // Any header may echo a secret.
  const show = (name: string): string => mask(response?.headers.get(name) ?? '').slice(0, longestValue);
  const headers = Object.fromEntries(shown.map((name) => [name, show(name)]));
  return { method, url: maskUrl(url, mask), callId, headers };
};

/** Header fields by name, as {@link customAuth} returns them. */
export type HeaderFields = Readonly<Record<string, string>>;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Visible ASCII, spaces and tabs; runtimes differ in what they do with other characters.
const fieldValue = /^[\t\x20-\x7e]*$/;

// Headers of the connection itself (RFC 9110 §7.6.1). Runtimes drop them, or fail as if the connection was lost.
const connectionFields: ReadonlySet<string> = new Set([
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** True for a valid header name (RFC 9110 §5.1). */
export const isFieldName = (name: unknown): name is string => typeof name === 'string' && token.test(name);

/** True for a valid header value (RFC 9110 §5.5). */
export const isFieldValue = (value: unknown): value is string =>
  typeof value === 'string' && fieldValue.test(value);

/**
 * Checks headers before they are used: some runtimes quote an invalid value in their error, and a value may be secret.
 *
 * @returns the headers with names in lower case
 * @throws {@link InvalidRequestError} naming the header, never its value
 */
export const checkFields = (option: string, fields: HeaderFields): HeaderFields => {
  const checked: Record<string, string> = {};
  const isFields = typeof fields === 'object' && fields !== null;
  // The entries of a `Map` are not properties, so they would be lost.
  if (!isFields || (Symbol.iterator in fields && !(fields instanceof Headers)))
    throw new InvalidRequestError(`${option} must be an object of headers, such as { 'x-tenant': 'acme' }`);
  for (const [name, value] of fields instanceof Headers ? fields : Object.entries(fields)) {
    if (!isFieldName(name))
      throw new InvalidRequestError(`${option} has a header whose name is not an HTTP token`);
    if (!isFieldValue(value)) {
      throw new InvalidRequestError(`${option} has an invalid value for the header ${name}`);
    }
    const key = name.toLowerCase();
    if (connectionFields.has(key))
      throw new InvalidRequestError(
        `${option} cannot set ${key}, which belongs to the connection; remove it`,
      );
    checked[key] = value.trim();
  }
  return checked;
};

/** True for a conditional request, of which a 304 is a result (§7.1). Names are in lower case. */
export const isConditional = (fields: HeaderFields): boolean =>
  fields[header.ifNoneMatch] !== undefined ||
  fields[header.modifiedSince] !== undefined ||
  fields[header.ifModifiedSince] !== undefined;

// Only the name of a header tells whether its value is secret: a tenant's name may be as long as a key, and an error that
// hides it is useless. A credential under any other name belongs in `auth`.
const secretName =
  /^(?!idempotency-key$).*(?:auth|cookie|credential|key|passw|secret|session|signature|token)/;

/** The values of a request's headers that are secret, by their names, and must be masked when a server echoes them. */
export const secretsIn = (fields: HeaderFields): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (secretName.test(name) ? [value] : []));

/** {@link checkFields} for headers that do not authenticate; credentials belong in `auth`. */
export const checkHeaderFields = (option: string, fields: HeaderFields): HeaderFields => {
  const checked = checkFields(option, fields);
  if (Object.hasOwn(checked, header.authorization)) {
    throw new InvalidRequestError(`${option} cannot set ${header.authorization}; use auth`);
  }
  return checked;
};
