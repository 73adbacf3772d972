import { header } from '../src/conventions/headers.ts';

/** A request that reached the mock. */
export interface MockRequest {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly search: URLSearchParams;
  /** A copy; of `Authorization` only the name of the scheme. */
  readonly headers: Headers;
  /** The status of the answer; 0 until there is one. */
  readonly status: number;
  /** The grant of a token request (§4.1). */
  readonly grant?: 'password' | 'refresh_token';
}

/** An entry that is still being written. */
export type LogEntry = { -readonly [K in 'status' | 'grant']?: MockRequest[K] } & { status: number };

/** Every request since the start, in the order they came. */
export interface RequestLog {
  readonly entries: readonly MockRequest[];
  begin(request: Request, url: URL): LogEntry;
  reset(): void;
}

const maskedHeaders = (headers: Headers): Headers => {
  const copy = new Headers(headers);
  const scheme = copy.get(header.authorization)?.split(' ', 1)[0];
  if (scheme !== undefined) copy.set(header.authorization, scheme);
  return copy;
};

/** An empty log. */
export const createRequestLog = (): RequestLog => {
  const entries: (MockRequest & LogEntry)[] = [];
  return {
    entries,
    begin: (request, url) => {
      const entry: MockRequest & LogEntry = {
        method: request.method,
        url: request.url,
        path: url.pathname,
        search: url.searchParams,
        headers: maskedHeaders(request.headers),
        status: 0,
      };
      entries.push(entry);
      return entry;
    },
    reset: () => {
      entries.length = 0;
    },
  };
};
