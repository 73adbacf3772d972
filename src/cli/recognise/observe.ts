import { header } from '../../conventions.ts';
import { isJson, parseMediaType } from '../../headers/media-type.ts';
import { ApiError, createClient } from '../../index.ts';
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

const maxResponseBytes = 4_000_000;

/** Why a server refuses, and how to give credentials where none were given. */
const refusalNote = ({ status, headers }: Response, where: string, isLoggedIn: boolean): string => {
  if (status !== 401 && status !== 403) return '';
  if (isLoggedIn) return '; the credentials were refused';
  const takesBearer = /^bearer\b/i.test(headers.get(header.wwwAuthenticate) ?? '');
  const field = takesBearer ? 'Authorization: Bearer …' : 'X-Api-Key: …';
  return `; no credentials were given: npx restkin recognise ${where} --header "${field}"`;
};

/** Creates what GETs URLs of one origin, each once, with the login. */
export const createObserve = (
  origin: string,
  { auth, headers, isLoggedIn }: Login,
  allowInsecure: boolean,
  io: Io,
): Observe => {
  const client = createClient({ baseUrl: origin, auth, allowInsecure, maxResponseBytes, retry: false });
  return async (url) => {
    const where = `${url.origin}${url.pathname}`;
    const accept = { ...headers, accept: 'application/json' };
    const response = await client.fetch(url, { headers: accept, signal: io.signal });
    if (!response.ok) {
      const note = refusalNote(response, where, isLoggedIn);
      throw new ApiError({ status: response.status, url: where, note });
    }
    const body: unknown = await response.json().catch(() => undefined);
    if (Array.isArray(body) || isObject(body)) return { url, headers: response.headers, body };
    const mediaType = parseMediaType(response.headers.get(header.contentType));
    const isOther = mediaType !== '' && !isJson(mediaType);
    const what = isOther ? `is ${mediaType} where JSON was expected` : 'is not JSON';
    throw new UsageError(`GET ${where}: the response ${what}; name the URL of a list of the API`);
  };
};
