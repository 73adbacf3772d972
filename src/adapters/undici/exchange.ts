import type { Dispatcher } from 'undici';
import { ArrivingBody, toFetchError } from './body.ts';
import { parseCodings } from './decoder.ts';
import { LightResponse, type RawFields, ResponseHeaders } from './response.ts';

/** A request in the form of a dispatcher. */
export interface DispatchedRequest {
  /** Without a fragment. */
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  readonly options: Dispatcher.DispatchOptions;
}

/** Headers that the connection sets itself; the built-in fetch drops them too. */
const ownFields: ReadonlySet<string> = new Set(['host', 'content-length']);

/** The headers, with those that the built-in fetch adds, because a server may rely on them. */
const toFields = (
  given: Iterable<readonly [string, string]>,
  isSecure: boolean,
  contentType?: string,
): string[] => {
  const fields: string[] = [];
  let hasAccept = false;
  let hasAgent = false;
  let hasEncoding = false;
  let hasType = false;
  // As the built-in fetch: proxies of plain HTTP may not support `br`.
  let encoding = isSecure ? 'br, gzip, deflate' : 'gzip, deflate';
  for (const [name, value] of given) {
    const key = name.toLowerCase();
    if (ownFields.has(key)) continue;
    fields.push(key, value);
    if (key === 'accept') hasAccept = true;
    else if (key === 'user-agent') hasAgent = true;
    else if (key === 'accept-encoding') hasEncoding = true;
    else if (key === 'content-type') hasType = true;
    // A range of an encoded body cannot be decoded.
    else if (key === 'range') encoding = 'identity';
  }
  if (!hasAccept) fields.push('accept', '*/*');
  if (!hasAgent) fields.push('user-agent', 'node');
  if (!hasEncoding) fields.push('accept-encoding', encoding);
  if (contentType !== undefined && !hasType) fields.push('content-type', contentType);
  return fields;
};

/** Splits the URL for a dispatcher. A serialized URL has a scheme, an authority and a path. */
const toRequest = (
  href: string,
  signal: AbortSignal | null | undefined,
  rest: Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body'>,
): DispatchedRequest => {
  const pathAt = href.indexOf('/', 'https://'.length);
  const hashAt = href.indexOf('#', pathAt);
  const url = hashAt < 0 ? href : href.slice(0, hashAt);
  const options = {
    // undici reads more options, also from a polluted prototype: a `query` would be part of each URL.
    __proto__: null,
    origin: url.slice(0, pathAt),
    path: url.slice(pathAt),
    ...rest,
    // The signal limits the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return { url, signal: signal ?? undefined, options };
};

/** The request of a `Request`. Its body is read to the end, so that it is sent with its length. */
const readRequest = async (request: Request): Promise<DispatchedRequest> => {
  const { url, method, headers, signal } = request;
  const isSecure = url.startsWith('https:');
  if (!isSecure && !url.startsWith('http:')) throw new TypeError('fetch failed');
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  return toRequest(url, signal, { method, headers: toFields(headers, isSecure), body });
};

const methods: ReadonlySet<string> = new Set(['GET', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH']);

const isRecord = (headers: HeadersInit | undefined): headers is Record<string, string> =>
  headers !== undefined && Object.getPrototypeOf(headers) === Object.prototype;

/** A body that a dispatcher sends as it is, without holding it in memory; undefined for any other body. */
const toDirectBody = (body: unknown): Dispatcher.DispatchOptions['body'] | undefined => {
  if (body === null || typeof body === 'string') return body;
  const isDirect = body instanceof Uint8Array || body instanceof Blob || body instanceof ReadableStream;
  // The types of a dispatcher do not name all that it takes: it also sends a blob, and what can be iterated.
  return isDirect ? (body as unknown as Dispatcher.DispatchOptions['body']) : undefined;
};

/** The type that the built-in fetch gives to a body. */
const typeOf = (body: unknown): string | undefined => {
  if (typeof body === 'string') return 'text/plain;charset=UTF-8';
  return (body instanceof Blob && body.type) || undefined;
};

/** The request of simple arguments, without a `Request`, which would cost a tenth of the exchange. */
const readSimple = (input: unknown, init: RequestInit | undefined): DispatchedRequest | undefined => {
  if (typeof input !== 'string' || init === undefined) return undefined;
  const { method = 'GET', headers, signal } = init;
  if (!isRecord(headers) || !methods.has(method)) return undefined;
  const body = toDirectBody(init.body ?? null);
  if (body === undefined || (body !== null && method === 'GET')) return undefined;
  const url = URL.parse(input);
  const isSecure = url?.protocol === 'https:';
  if (url === null || (!isSecure && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const fields = toFields(Object.entries(headers), isSecure, typeOf(body));
  return toRequest(url.href, signal, { method, headers: fields, body });
};

const isEmpty = (init: RequestInit | undefined): boolean =>
  init === undefined || Object.keys(init).length === 0;

/**
 * Reads the arguments of `fetch`.
 *
 * @throws TypeError where `fetch` throws one, and for a scheme other than `http` and `https`
 */
export const toDispatched = (
  input: Request | string | URL,
  init: RequestInit | undefined,
): DispatchedRequest | Promise<DispatchedRequest> =>
  readSimple(input, init) ??
  readRequest(input instanceof Request && isEmpty(init) ? input : new Request(input, init));

type Controller = Dispatcher.DispatchController;

/** Statuses whose responses have no body, whatever the server sends (Fetch, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The handler of one dispatched request: it makes the response, and ends when the signal aborts. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: DispatchedRequest;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Controller | undefined;
  /** Undefined until the head of the response arrives, null for a response without a body. */
  #body: ArrivingBody | null | undefined;
  #isOver = false;

  constructor(
    request: DispatchedRequest,
    resolve: (response: Response) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    request.signal?.addEventListener('abort', this);
  }

  /** Sends the request. A dispatcher reports a failure to {@link onResponseError}, or throws it. */
  start(dispatcher: Dispatcher): void {
    try {
      dispatcher.dispatch(this.#request.options, this);
    } catch (error) {
      this.#fail(toFetchError('fetch failed', error));
    }
  }

  /** The signal aborts. */
  handleEvent(): void {
    this.#fail(this.#request.signal?.reason);
  }

  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#request.signal?.removeEventListener('abort', this);
    return true;
  }

  /** Rejects with the reason, and closes the connection. */
  #fail(reason: unknown): void {
    if (!this.#finish()) return;
    if (this.#body === undefined) this.#reject(reason);
    else this.#body?.fail(reason);
    this.#abort(reason);
  }

  #abort(reason: unknown): void {
    // The dispatcher passes the reason to onResponseError, which ignores it by now.
    this.#controller?.abort(reason instanceof Error ? reason : new Error('The request was aborted'));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // The caller gave up while the request waited for a connection: nothing is sent.
    if (this.#isOver) this.#abort(undefined);
  }

  onResponseStart(controller: Controller, status: number, fields: RawFields, statusText = ''): void {
    // 1xx: the final response follows.
    if (status < 200) return;
    const { url, signal, options } = this.#request;
    const headers = new ResponseHeaders(fields);
    let body: ArrivingBody | null = null;
    if (options.method !== 'HEAD' && !bodiless.has(status)) {
      try {
        body = new ArrivingBody(controller, parseCodings(headers.get('content-encoding')), signal);
      } catch (error) {
        this.#fail(toFetchError('fetch failed', error));
        return;
      }
    }
    this.#body = body;
    this.#resolve(new LightResponse({ url, status, statusText, headers }, body));
  }

  onResponseData(_controller: Controller, chunk: Buffer<ArrayBuffer>): void {
    if (this.#isOver) return;
    if (this.#body) this.#body.push(chunk);
    // A body where none is allowed: the connection cannot be reused.
    else if (this.#finish()) this.#abort(undefined);
  }

  onResponseEnd(): void {
    if (this.#finish()) this.#body?.complete();
  }

  onResponseError(_controller: Controller, error: unknown): void {
    this.#fail(toFetchError(this.#body === undefined ? 'fetch failed' : 'terminated', error));
  }
}
