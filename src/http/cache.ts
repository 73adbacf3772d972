import { header, paginationHeader } from '../conventions.ts';
import type { ApiRequest, ApiResponse, Send } from './message.ts';
import { defaultSupportHeaders, isConditional } from './message.ts';

/**
 * Options of the cache.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl, auth, cache: { entries: 100 } });
 * ```
 */
export interface CacheOptions {
  /** Most responses that are kept; the least recently used one is dropped first. */
  readonly entries: number;
}

/** Responses by user, URL and request headers, each with its ETag. */
export interface ResponseCache {
  readonly entries: number;
  readonly responses: Map<string, ApiResponse>;
}

export const createCache = ({ entries }: CacheOptions): ResponseCache => ({ entries, responses: new Map() });

// RFC 9111 §5.2.2.5: such a response, for example with a person's data, must not be stored.
const noStore = /(?:^|,)\s*no-store\s*(?:,|$)/i;

// A body above this is not worth its memory.
const mostBodyLength = 1_048_576;

/** Headers that no response depends on. `user` stands for the credentials; the others are new for each request. */
const ignored: ReadonlySet<string> = new Set([header.authorization, ...defaultSupportHeaders]);

// Every other header counts, whether or not the server sends `Vary`: two tenants may have the same URL and the same ETag.
const keyOf = ({ user = '', url, headers, readAs = 'text' }: ApiRequest): string =>
  JSON.stringify([user, url, readAs, Object.entries(headers).filter(([name]) => !ignored.has(name))]);

const mayBeKept = ({ headers, body }: ApiResponse): boolean =>
  // An empty ETag cannot be sent in `If-None-Match`.
  (headers.get(header.etag) ?? '') !== '' &&
  body.length <= mostBodyLength &&
  !noStore.test(headers.get('cache-control') ?? '');

const isCacheable = ({ method, headers, readAs }: ApiRequest): boolean =>
  method === 'GET' && readAs !== 'stream' && !isConditional(headers);

const pagingFields: readonly string[] = [header.link, ...Object.values(paginationHeader)];

/** The headers of a 304 replace those of the stored response (RFC 9111 §4.3.4). */
const refresh = (known: ApiResponse, notModified: ApiResponse): ApiResponse => {
  const headers = new Headers(known.headers);
  // They are replaced together: a page that has become the last one has no next link.
  const hasOldPaging = !pagingFields.some((name) => notModified.headers.has(name));
  if (!hasOldPaging) for (const name of pagingFields) headers.delete(name);
  notModified.headers.forEach((value, name) => {
    // A 304 has no body, so its `Content-*` headers do not describe the stored one. Its ETag is not stored either: if it
    // differs, a later 304 would confirm a body that it does not belong to.
    if (!name.startsWith('content-') && name !== header.etag) headers.set(name, value);
  });
  return { ...known, headers, hasOldPaging };
};

/**
 * Stores responses that have an ETag and revalidates them with `If-None-Match`; a 304 returns the stored response (§7.1).
 * Every call still sends a request.
 */
export const withCache = (send: Send, cache: ResponseCache | undefined): Send => {
  if (cache === undefined) return send;
  const { entries, responses } = cache;

  const remember = (key: string, response: ApiResponse): void => {
    responses.delete(key);
    responses.set(key, response);
    if (responses.size > entries) responses.delete(responses.keys().next().value as string);
  };

  return async (request) => {
    if (!isCacheable(request)) return send(request);
    const key = keyOf(request);
    const known = responses.get(key);
    const etag = known?.headers.get(header.etag);
    const received = await send(
      etag == null ? request : { ...request, headers: { ...request.headers, [header.ifNoneMatch]: etag } },
    );
    const isFresh = received.status === 304 && known !== undefined;
    const response = isFresh ? refresh(known, received) : received;
    if (response.status !== 200 || !mayBeKept(response)) {
      responses.delete(key);
      return response;
    }
    remember(key, response);
    // The caller may change the bytes and headers that it gets.
    const body = typeof response.body === 'string' ? response.body : response.body.slice();
    const headers = new Headers(response.headers);
    return { ...response, headers, body, forget: () => responses.delete(key) };
  };
};
