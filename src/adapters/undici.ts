/**
 * A cheaper `fetch` for Node, over the `request` of undici. Needs undici.
 *
 * @module restkin/undici
 */

import { Readable } from 'node:stream';
import { arrayBuffer, text } from 'node:stream/consumers';
import { type Dispatcher, EnvHttpProxyAgent, getGlobalDispatcher } from 'undici';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import type { Fetch, FetchInit, FetchResponse } from '../index.ts';
import { createReader } from '../options.ts';
import { decode, ignore } from './undici/decode.ts';

/** Options of {@link undiciFetch}. */
export interface UndiciFetchOptions {
  /**
   * Sends the requests, for example a `ProxyAgent`; the application closes it. By default the global
   * dispatcher of undici, which `setGlobalDispatcher` replaces.
   *
   * It must send each request to the request's own origin, as `Agent`, `ProxyAgent` and `MockAgent` do. A
   * `Pool` or a `Client` sends everything to one origin, passwords too, and is refused.
   */
  readonly dispatcher?: Dispatcher | undefined;
}

// By name, because there may be two copies of undici.
const boundToOneOrigin: ReadonlySet<string> = new Set(['Client', 'Pool', 'BalancedPool', 'RoundRobinPool']);

const checkDispatcher = (name: string, given: unknown): void => {
  if (given === undefined) return;
  const dispatcher = given as Partial<Dispatcher> | null;
  const isBound = boundToOneOrigin.has(dispatcher?.constructor?.name ?? '');
  if (typeof dispatcher?.request === 'function' && !isBound) return;
  throw new InvalidRequestError(`${name} must be a dispatcher of undici for any origin, such as an Agent`);
};

const readOptions = createReader<UndiciFetchOptions>({ dispatcher: checkDispatcher });

let proxies: Dispatcher | undefined;

/** The global dispatcher, or one with the proxies of the environment where Node is to use them. */
const globalDispatcher = (): Dispatcher => {
  const dispatcher = getGlobalDispatcher();
  if (process.env.NODE_USE_ENV_PROXY !== '1' || dispatcher.constructor.name !== 'Agent') return dispatcher;
  proxies ??= new EnvHttpProxyAgent();
  return proxies;
};

/** Also of a `Headers` and of pairs, which a `fetch` around this one may pass. */
const toFields = (headers: FetchInit['headers']): FetchInit['headers'] =>
  Symbol.iterator in headers ? Object.fromEntries(new Headers(headers)) : headers;

type SentBody = Exclude<Dispatcher.DispatchOptions['body'], undefined>;

/** A body as undici sends it, with the content type that the built-in `fetch` gives to files and forms. */
const toSent = async (given: FetchInit): Promise<readonly [FetchInit['headers'], SentBody]> => {
  const headers = toFields(given.headers);
  const { body } = given;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return [headers, body];
  if (body instanceof ReadableStream) return [headers, Readable.from(body)];
  const encoded = new Response(body);
  const type = encoded.headers.get('content-type');
  const typed = type === null ? headers : { 'content-type': type, ...headers };
  return [typed, new Uint8Array(await encoded.arrayBuffer())];
};

const toWeb = (body: Readable): NonNullable<FetchResponse['body']> => {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // Without a listener, the failure of a body that nobody reads would end the process.
      cancel: () => void body.on('error', ignore).destroy(),
    },
    { highWaterMark: 0 },
  );
};

/** Values as the built-in `fetch` has them: a character for each byte. */
const toHeaders = (fields: Dispatcher.ResponseData['headers']): Headers => {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(fields)) {
    for (const each of typeof value === 'string' ? [value] : value) {
      headers.append(name, /[^\0-\xff]/.test(each) ? Buffer.from(each).toString('latin1') : each);
    }
  }
  return headers;
};

// Their responses have no body (Fetch, "null body status").
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

const toResponse = (data: Dispatcher.ResponseData): FetchResponse => {
  const { statusCode, statusText, headers: fields, body } = data;
  const headers = toHeaders(fields);
  if (bodiless.has(statusCode)) {
    // A server that sends one all the same breaks its connection, not this response.
    body.on('error', ignore).resume();
    return {
      status: statusCode,
      statusText,
      headers,
      body: null,
      text: async () => '',
      arrayBuffer: async () => new ArrayBuffer(0),
    };
  }
  // Without a body, this names the coding that one would have.
  const field = headers.get('content-length') === '0' ? null : headers.get('content-encoding');
  const decoded = field === null ? body : decode(body, field);
  let stream: FetchResponse['body'];
  return {
    status: statusCode,
    statusText,
    headers,
    // A web stream costs more than the rest of the response, so it is made only where one is read.
    get body() {
      stream ??= toWeb(decoded);
      return stream;
    },
    text: () => (decoded === body ? body.text() : text(decoded)),
    arrayBuffer: () => (decoded === body ? body.arrayBuffer() : arrayBuffer(decoded)),
  };
};

/**
 * Makes a `fetch` for a client over undici. It sends what the built-in `fetch` sends, and costs less CPU. It
 * never follows a redirect, and only the signal and the dispatcher's time limit for connecting end a request.
 *
 * @throws `InvalidRequestError` for invalid options, and for a dispatcher that is bound to one origin
 * @example
 * ```ts
 * import { createClient } from 'restkin';
 * import { undiciFetch } from 'restkin/undici';
 *
 * const client = createClient({ baseUrl, auth, fetch: undiciFetch() });
 * ```
 */
export const undiciFetch = (options?: UndiciFetchOptions): Fetch => {
  const { dispatcher } = readOptions(options, 'undiciFetch');
  return async (url, init) => {
    const [headers, body] = await toSent(init);
    const { method, signal } = init;
    // A part of an encoded body cannot be decoded.
    const encoding = headers.range === undefined ? 'gzip, deflate, br' : 'identity';
    try {
      const { origin, pathname, search } = new URL(url);
      // The method of the dispatcher itself, because `request` of undici refuses a dispatcher of another
      // major version.
      const response = await (dispatcher ?? globalDispatcher()).request({
        origin,
        path: pathname + search,
        method: method as Dispatcher.HttpMethod,
        headers: { accept: '*/*', 'user-agent': 'node', 'accept-encoding': encoding, ...headers },
        body,
        signal,
        // The signal limits the time.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      return toResponse(response);
    } catch (error) {
      // As the built-in `fetch`: whatever undici throws, an assertion of its own too, is a failure of the
      // request.
      throw new TypeError('fetch failed', { cause: error });
    }
  };
};
