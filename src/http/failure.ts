import { header, methodRules, validationStatuses } from '../conventions.ts';
import { toApiError } from '../errors/api-error.ts';
import { ConnectionError, type FailureCause } from '../errors/connection-error.ts';
import { type ParsedErrorBody, parseErrorBody, toShown } from '../errors/error-body.ts';
import { RedirectRefusedError } from '../errors/response-error.ts';
import type { RequestError } from '../errors/restkin-error.ts';
import { readRetryAfter } from '../headers/dates.ts';
import { isBrowser } from '../runtime.ts';
import { type ApiRequest, type ApiResponse, contextOf, isSuccess, isWebPage, type Send } from './message.ts';
import { originOf, parseUrl, repetitionNote } from './url.ts';

const certificate = 'nothing was sent: the certificate of the server';

// undici refuses arguments before it sends anything.
const refused =
  'nothing was sent: `fetch` refused a header such as `expect`, or a dispatcher of another undici';

const headersTooLarge =
  'the headers of the response are too large; Node takes more with --max-http-header-size=65536';

/** The failures that another attempt would meet too, by code. */
const lastingFaults: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', `${certificate} has expired`],
  ['CERT_NOT_YET_VALID', `${certificate} is not valid yet; check the clock of this machine`],
  ['ERR_TLS_CERT_ALTNAME_INVALID', `${certificate} is for another host; check the URL`],
  // The server responds to the first bytes of TLS with plain text.
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'nothing was sent: the server does not speak TLS at this port; check `https:`',
  ],
  ['UND_ERR_INVALID_ARG', refused],
  ['UND_ERR_NOT_SUPPORTED', refused],
  ['UND_ERR_HEADERS_OVERFLOW', headersTooLarge],
  ['HPE_HEADER_OVERFLOW', headersTooLarge],
]);

/** The codes of a certificate that this machine does not trust. */
const isUntrusted = /SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)/;

/** What happened, for a failure that another attempt would meet too; undefined for any other code. */
const lastingFaultOf = (code: string): string | undefined =>
  isUntrusted.test(code)
    ? `${certificate} is not trusted; name the file of its issuer in NODE_EXTRA_CA_CERTS`
    : lastingFaults.get(code);

/** Codes that prove that no request left this machine, beside those of {@link lastingFaults}. */
const notSentCode = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;

/** True for a failure that another attempt would meet too. */
export const isLasting = (error: unknown): boolean =>
  error instanceof ConnectionError && lastingFaultOf(error.reason ?? '') !== undefined;

/** The properties that are read from a failure, whatever its class. */
type Failure = Readonly<
  Partial<Record<'name' | 'message' | 'code' | 'syscall' | 'hostname' | 'host' | 'cause' | 'digest', unknown>>
>;

/** A failure and what caused it; bounded, because causes may form a loop. */
const causesOf = (error: unknown, most = 5): readonly Failure[] => {
  if (typeof error !== 'object' || error === null || most === 0) return [];
  const failure: Failure & { readonly errors?: readonly unknown[] } = error;
  // An AggregateError holds one failure for each address of a host.
  return [failure, ...causesOf(failure.cause ?? failure.errors?.[0], most - 1)];
};

/** Of a port that `fetch` blocks, such as 6000. */
const blockedPort = /^bad port$|: Requests to port \d+ are blocked$/;

/**
 * Messages that are the only sign that nothing was sent: in Deno for a failed connection, in Node for failed
 * TLS or a failed tunnel. With any other message, the request counts as sent.
 */
const notSentMessage = /client error \(Connect\)|before secure TLS connection|when HTTP Tunneling/;

/** Reads a failure. The cause is undefined when it has no name that may be shown. */
export const readFailure = (error: unknown) => {
  const causes = causesOf(error);
  // The first value that has the form of a name. The forms are too narrow to match a secret.
  const find = (property: keyof Failure, form: RegExp, among = causes): string | undefined =>
    among
      .map((cause) => cause[property])
      .find((value): value is string => typeof value === 'string' && form.test(value));
  const code = find('code', /^\w{3,41}$/);
  // The innermost name is the most specific one.
  const name = find('name', /^[A-Za-z]{3,40}$/, causes.toReversed());
  const syscall = find('syscall', /^[a-z]{2,20}$/);
  const hostname = find('hostname', /^[\w.:-]{1,253}$/) ?? find('host', /^[\w.:-]{1,253}$/);
  // The outermost code decides: behind a connection that was lost, another one may have been refused.
  const isConnecting = causes.find((cause) => cause.code === code)?.syscall === 'connect';
  const isNotSentBy = (message: RegExp): boolean => find('message', message) !== undefined;
  const fault = lastingFaultOf(code ?? '');
  const isNotSent =
    isConnecting ||
    notSentCode.test(code ?? '') ||
    (fault !== undefined && fault !== headersTooLarge) ||
    [notSentMessage, blockedPort].some(isNotSentBy);
  const cause: FailureCause | undefined = name === undefined ? undefined : { name, code, syscall, hostname };
  return { cause, sent: !isNotSent };
};

/** Messages of runtimes for a failure of the network that has neither a code nor a cause. */
const networkMessage =
  /^(?:fetch failed|terminated|failed to fetch|load failed|network ?error|network (?:request|connection) | ?a network error|the internet connection|error sending request )/i;

const programErrors = /^(?:Assertion|Eval|Range|Reference|Syntax|URI)Error$/;

/**
 * True for an error of the program that `fetch` throws, a mistake or one of a framework: no connection was
 * lost, and another attempt would fail the same way.
 *
 * @param isGiven - whether `fetch` is the application's own: the built-in one throws a TypeError for every
 * network failure
 */
export const isProgramError = (error: unknown, isGiven: boolean): boolean => {
  const { name, code, cause, message, digest } = (error ?? {}) as Failure;
  // Next.js throws such an error to control the rendering of a page.
  if (typeof digest === 'string') return true;
  if (name !== 'TypeError') return programErrors.test(String(name));
  const isUsedStream = String(message).endsWith('disturbed or locked');
  return isUsedStream || (isGiven && (code ?? cause) === undefined && !networkMessage.test(String(message)));
};

/** A browser reports a lost connection and a response blocked by CORS with the same error. */
const corsHintFor = ({ url }: ApiRequest): string => {
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  return isBrowser() && location?.origin !== new URL(url).origin
    ? '; or the server does not allow this origin (CORS): check Access-Control-Allow-Origin'
    : '';
};

/** Ends an error where another server may have responded. */
export const baseUrlHint = '; check `baseUrl`';

/** What to check after a redirect: some servers redirect to the path with a slash at its end, or without. */
const redirectHint = (url: string, location: string): string => {
  const from = new URL(url).pathname;
  const to = parseUrl(location, url)?.pathname;
  return to === `${from}/` || from === `${to}/` ? '; check `trailingSlash`' : baseUrlHint;
};

/** Of the target it names the origin alone: the rest of a link may hold a secret. */
const toRedirectError = (request: ApiRequest, response?: ApiResponse): RedirectRefusedError => {
  const location = response?.headers.get(header.location) ?? '';
  const to = location && ` to ${originOf(location, request.mask, request.url)}`;
  // RFC 9110 §15.4.4: the target shows what was done, or it is a login form.
  const mayBeDone = response?.status === 303 && methodRules[request.method]?.safe === false;
  const note = mayBeDone ? ', and whether it was done (303) before you resend it' : '';
  const message = `redirect${to} refused${redirectHint(request.url, location)}${note}`;
  return new RedirectRefusedError({ ...contextOf(request, response), message, status: response?.status });
};

// Of Node's `fetch`, which ends a request after 300 s without a header, or without a piece of the body.
const limitOfRuntime = /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/;

/**
 * What happened, from the code and the messages of a failure, and what to check.
 *
 * @param option - the option that has the URL
 */
const describeFailure = (
  code: string,
  messages: readonly string[],
  sent: boolean,
  option: string,
): string => {
  const fault = lastingFaultOf(code);
  if (fault !== undefined) return fault;
  // By the message: the parser of undici 7 and 8 has no code.
  if (messages.some((message) => message.includes('Expected HTTP/')))
    return 'the response is not HTTP: the server may speak TLS at this port; check `http:`';
  const [, status] = /\((\d+)\).*when HTTP Tunneling/.exec(messages.join()) ?? [];
  if (status !== undefined)
    return `nothing was sent: the proxy ${status === '407' ? 'wants credentials' : 'refused'} (${status})`;
  if (limitOfRuntime.test(code))
    return 'a time limit of `fetch` ended the request, 300 s in Node; `undiciFetch` takes longer ones';
  if (messages.some((message) => blockedPort.test(message)))
    return 'nothing was sent: `fetch` blocks this port; the server must listen on another one';
  // The codes of zlib and zstd.
  if (code.startsWith('Z')) return 'the body cannot be decompressed';
  return sent
    ? 'the connection was lost before the response was complete'
    : `no connection could be made, nothing was sent; check ${option}, and that the server, or a proxy before it, runs`;
};

/**
 * Turns a failure of `fetch` into a {@link ConnectionError}, or that of a redirected stream in Node into a
 * refused redirect.
 */
export const toFetchError = (request: ApiRequest, error: unknown): RequestError => {
  const messages = causesOf(error).map(({ message }) => String(message));
  if (messages.includes('unexpected redirect')) return toRedirectError(request);
  const { cause, sent } = readFailure(error);
  const code = cause?.code === undefined ? '' : ` (${cause.code})`;
  const option = request.wire === undefined ? '`authUrl`' : '`baseUrl`';
  const what = describeFailure(cause?.code ?? '', messages, sent, option);
  const message = `${what}${code}${sent ? corsHintFor(request) : ''}`;
  return new ConnectionError({ ...contextOf(request), message, cause, sent });
};

/**
 * Why a 404 may say nothing about the resource: its URL is wrong, or a gateway sent it and not the API
 * (§7.2.2).
 */
const notFoundNote = ({ url, mayBeMissing, template }: ApiRequest, isOwn: boolean): string => {
  const repetition = repetitionNote(url);
  if (repetition !== '') return repetition;
  // Of a query or below a parent, the API's own message may say that a page or the parent is missing.
  if (template !== undefined && !(isOwn && /[?{]/.test(template + url)))
    return `; the declaration says ${template}${baseUrlHint}, \`version\` and the path`;
  return mayBeMissing && !isOwn ? baseUrlHint : '';
};

/** The hint in the message of an error status. */
const noteOf = (
  request: ApiRequest,
  response: ApiResponse,
  { isOwn, items, body }: ParsedErrorBody,
): string => {
  const { status, headers } = response;
  const challenge = headers.get(header.wwwAuthenticate) ?? '';
  // RFC 6750 §3.
  const [, scope] = /\bscope="([^"\\]+)"(?:,|$)/i.exec(challenge) ?? [];
  if (status === 403 && scope) return `; it needs the scope ${toShown(scope, request.mask)}`;
  const [, refusal] = /\berror_description="([^"\\]+)"/i.exec(challenge) ?? [];
  if (status === 401 && refusal) return `; ${toShown(refusal, request.mask)}`;
  if (status === 407) return '; a proxy wants credentials';
  // A 400 may be about no field.
  const mayHaveFields = status === 422 || (status === 400 && body?.includes('"errors":'));
  if (mayHaveFields && body && items?.length === 0) return '; for its fields, declare `invalid` in family()';
  const note = status === 404 ? notFoundNote(request, isOwn) : '';
  // The page of a gateway that limits requests, or whose server is down, says nothing of the URL.
  const isOfGateway = status >= 500 || status === 429 || status === 413;
  return note === '' && !isOfGateway && isWebPage(response)
    ? `; the response is a web page${baseUrlHint}`
    : note;
};

const requireSuccess = (request: ApiRequest, response: ApiResponse): ApiResponse => {
  const { status, headers, body } = response;
  if (isSuccess(status) || status === 304) return response;
  if (status < 400) throw toRedirectError(request, response);
  const context = contextOf(request, response);
  const { mask, wire } = request;
  const readItems = wire?.readItems;
  const said = parseErrorBody(typeof body === 'string' ? body : '', {
    mask,
    readItems: readItems && ((value) => readItems(value, status)),
    hasItems: validationStatuses.some((each) => each === status),
  });
  const note = noteOf(request, response, said);
  if (status === 404 && request.mayBeMissing && note === '') return response;
  throw toApiError({ ...context, ...said, status, note, retryAfterMs: readRetryAfter(headers) });
};

/**
 * Throws for every response that is not a success: by its status (§7.1), or for a redirect. A 304 is a result
 * and passes.
 */
export const withErrors =
  (send: Send): Send =>
  (request) =>
    send(request).then((response) => requireSuccess(request, response));
