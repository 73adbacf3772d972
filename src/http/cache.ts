import { header } from '../conventions.ts';
import { isConditional } from './header-fields.ts';
import type { ApiRequest, ApiResponse, Send } from './message.ts';

/** Options of the cache. */
export interface CacheOptions {
  /** Answers that are remembered at the most; the one that was not asked for longest goes first. */
  readonly entries: number;
}

/** Answers by user, URL and accepted types, each with the ETag to ask about it. */
export interface ResponseCache {
  readonly entries: number;
  readonly answers: Map<string, ApiResponse>;
}

/** A cache is made once per client. */
export const createCache = ({ entries }: CacheOptions): ResponseCache => ({ entries, answers: new Map() });

// RFC 9111 §5.2.2.5: such an answer, for example with a person's data, must not be kept anywhere.
const noStore = /(?:^|,)\s*no-store\s*(?:,|$)/i;

// A body above this is not worth its memory.
const mostBodyLength = 1_048_576;

const keyOf = ({ user = '', url, headers }: ApiRequest): string =>
  JSON.stringify([user, url, headers[header.accept] ?? '']);

const mayBeKept = ({ headers, body }: ApiResponse): boolean =>
  headers.has(header.etag) &&
  body.length <= mostBodyLength &&
  !noStore.test(headers.get('cache-control') ?? '');

const isCacheable = ({ method, headers }: ApiRequest): boolean => method === 'GET' && !isConditional(headers);

/** What a 304 says replaces what was said before (RFC 9111 §4.3.4). */
const refresh = (known: ApiResponse, notModified: ApiResponse): ApiResponse => {
  const headers = new Headers(known.headers);
  notModified.headers.forEach((value, name) => {
    // Lengths and encodings of a 304 are about a body that it does not have.
    if (!name.startsWith('content-')) headers.set(name, value);
  });
  return { ...known, headers };
};

/**
 * Remembers answers that have an ETag and asks with `If-None-Match` whether they still hold; a 304 gives the remembered
 * answer (§7.1). Every call still asks the server.
 */
export const withCache = (send: Send, cache: ResponseCache | undefined): Send => {
  if (cache === undefined) return send;
  const { entries, answers } = cache;

  const remember = (key: string, response: ApiResponse): void => {
    answers.delete(key);
    answers.set(key, response);
    if (answers.size > entries) answers.delete(answers.keys().next().value as string);
  };

  return async (request) => {
    if (!isCacheable(request)) return send(request);
    const key = keyOf(request);
    const known = answers.get(key);
    const etag = known?.headers.get(header.etag);
    const response = await send(
      etag == null ? request : { ...request, headers: { ...request.headers, [header.ifNoneMatch]: etag } },
    );
    const isFresh = response.status === 304 && known !== undefined;
    const answer = isFresh ? refresh(known, response) : response;
    if (answer.status === 200 && mayBeKept(answer)) remember(key, answer);
    else answers.delete(key);
    return answer;
  };
};
