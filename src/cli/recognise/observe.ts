import { header } from '../../conventions.ts';
import { isJson, parseMediaType } from '../../headers/media-type.ts';
import {
  ApiError,
  ConnectionError,
  createClient,
  isRestkinError,
  ResponseTooLargeError,
  TimeoutError,
} from '../../index.ts';
import { isObject } from '../../options.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Login } from './login.ts';

/** A response as it was seen. */
export interface SeenResponse {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A list as it was asked for first, and what was seen of it after that. */
export type SeenResponses = readonly [SeenResponse, ...SeenResponse[]];

/** A URL with other values of some parameters. */
export const withParameters = (url: URL, parameters: Readonly<Record<string, string>>): URL => {
  const probe = new URL(url);
  for (const [name, value] of Object.entries(parameters)) probe.searchParams.set(name, value);
  return probe;
};

/** GETs a URL of the one origin. */
export type Observe = (url: URL) => Promise<SeenResponse>;

const mostBytes = 4_000_000;
const longestMs = 30_000;

const asTokens =
  '; RESTKIN_USERNAME and RESTKIN_PASSWORD were sent as Basic: for tokens, set RESTKIN_AUTH_URL too';

/** Why a server refuses, and how to give credentials where none were given. */
const refusalNote = (
  { status, headers }: Response,
  where: string,
  { auth, isLoggedIn }: Pick<Login, 'auth' | 'isLoggedIn'>,
): string => {
  if (status !== 401 && status !== 403) return '';
  if (isLoggedIn) return `; the credentials were refused${auth.kind === 'basic' ? asTokens : ''}`;
  const takesBearer = /^bearer\b/i.test(headers.get(header.wwwAuthenticate) ?? '');
  const field = takesBearer ? 'Authorization: Bearer …' : 'X-Api-Key: …';
  return `; no credentials were given: npx restkin recognise ${where} --header "${field}"`;
};

/** The text of a body, which a server may send without an end. */
const readText = async ({ body, status }: Response, url: string): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes)
      throw new ResponseTooLargeError({ url, status, message: `the body is larger than ${mostBytes} bytes` });
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Creates what GETs URLs of one origin, each once, with the login.
 *
 * @param timeoutMs - for the headers of a response, and then for its body
 */
export const createObserve = (
  origin: string,
  login: Login,
  allowInsecure: boolean,
  io: Io,
  timeoutMs = longestMs,
): Observe => {
  const { auth, headers } = login;
  const client = createClient({ baseUrl: origin, auth, allowInsecure, timeoutMs, retry: false });

  const observe = async (url: URL, where: string, late: AbortController): Promise<SeenResponse> => {
    const accept = { ...headers, accept: 'application/json' };
    const signal = AbortSignal.any([io.signal, late.signal]);
    const response = await client.fetch(url, { headers: accept, signal });
    if (!response.ok) {
      const note = refusalNote(response, where, login);
      throw new ApiError({ status: response.status, url: where, note });
    }
    // The time limit of the client ends at the headers.
    const message = `no complete response within ${timeoutMs} ms`;
    const timer = setTimeout(
      () => late.abort(new TimeoutError({ url: where, message, sent: true })),
      timeoutMs,
    );
    const text = await readText(response, where).finally(() => clearTimeout(timer));
    const body = parseJson(text);
    if (Array.isArray(body) || isObject(body)) return { url, headers: response.headers, body };
    const mediaType = parseMediaType(response.headers.get(header.contentType));
    const isOther = mediaType !== '' && !isJson(mediaType);
    const what = isOther ? `is ${mediaType} where JSON was expected` : 'is not JSON';
    throw new UsageError(`GET ${where}: the response ${what}; name the URL of a list of the API`);
  };

  return async (url) => {
    const where = `${url.origin}${url.pathname}`;
    const late = new AbortController();
    try {
      return await observe(url, where, late);
    } catch (error) {
      io.signal.throwIfAborted();
      late.signal.throwIfAborted();
      if (error instanceof UsageError || isRestkinError(error)) throw error;
      const message = 'the connection was lost before the response was complete';
      throw new ConnectionError({ url: where, message, sent: true });
    }
  };
};
