import { ApiError, type AuthScheme, basicAuth, createClient, customAuth, tokenAuth } from '../../index.ts';
import { isObject } from '../../options.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { credentialsOf, readHeaders, tokenRequestOf, urlsOf } from '../login.ts';

/** A response as it was seen. */
export interface SeenResponse {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A list as it was asked for first, and what was seen of it after that. */
export type SeenResponses = readonly [SeenResponse, ...SeenResponse[]];

/** GETs a URL of the one origin. */
export type Observe = (url: URL) => Promise<SeenResponse>;

const maxResponseBytes = 4_000_000;

/** The fields of `--header` alone, or with the login of the environment where they have none. */
const authOf = (fields: Readonly<Record<string, string>>, io: Io): AuthScheme => {
  const credentials = credentialsOf(io);
  if (credentials === undefined || fields.authorization !== undefined) return customAuth(() => fields);
  const { authUrl } = urlsOf({}, io);
  return authUrl === undefined
    ? basicAuth(credentials)
    : tokenAuth({ authUrl, ...credentials, ...tokenRequestOf(io) });
};

/** Creates what GETs URLs of one origin, each once, with the login. */
export const createObserve = (
  origin: string,
  given: readonly string[],
  allowInsecure: boolean,
  io: Io,
): Observe => {
  const fields = readHeaders(given);
  const auth = authOf(fields, io);
  // A custom scheme has the fields already.
  const headers = auth.kind === 'custom' ? {} : fields;
  const client = createClient({ baseUrl: origin, auth, allowInsecure, maxResponseBytes, retry: false });
  return async (url) => {
    const where = `${url.origin}${url.pathname}`;
    const accept = { ...headers, accept: 'application/json' };
    const response = await client.fetch(url, { headers: accept, signal: io.signal });
    if (!response.ok) throw new ApiError({ status: response.status, url: where });
    const body: unknown = await response.json().catch(() => undefined);
    if (Array.isArray(body) || isObject(body)) return { url, headers: response.headers, body };
    throw new UsageError(`GET ${where}: the response is not JSON; name the URL of a list`);
  };
};
