import { header } from '../src/conventions.ts';
import { grantOf } from './auth/tokens.ts';
import type { Route } from './collections/routes.ts';
import type { Content } from './content.ts';

/** A request that reached the mock: an item of `mock.requests`. */
export interface MockRequest<K extends string = string> {
  /** As it was sent. */
  readonly method: string;
  /** Absolute; for a token request without its query, which may wrongly contain the credentials. */
  readonly url: string;
  /** The path of the URL, percent-encoded. */
  readonly path: string;
  /** The query; empty for a token request. */
  readonly search: URLSearchParams;
  /**
   * A copy; `Authorization` is reduced to the name of the scheme, and other headers with secrets are masked.
   */
  readonly headers: Headers;
  /** The status of the response; 0 until there is one, and where a fault cut the connection instead. */
  readonly status: number;
  /** False for a path that the mock does not serve. */
  readonly handled: boolean;
  /** The key of the collection. */
  readonly collection?: K;
  /**
   * The value of a JSON body that was sent to a collection or a declared endpoint, once it was read; never of
   * a token request.
   */
  readonly body?: unknown;
  /** The grant of a token request (§4.1). */
  readonly grant?: 'password' | 'refresh_token';
}

/** An entry that is still being written. */
export type LogEntry = { -readonly [K in keyof MockRequest]: MockRequest[K] };

const secretName =
  /(^|-)(auth|authentication|credentials?|token|jwt|secret|signature|password|session|cookie|api-?key)(-|$)/;

const maskedHeaders = (headers: Headers): Headers => {
  const copy = new Headers(headers);
  for (const name of headers.keys()) if (secretName.test(name)) copy.set(name, 'masked');
  for (const name of [header.authorization, 'proxy-authorization']) {
    const scheme = headers.get(name)?.split(' ', 1)[0];
    if (scheme !== undefined) copy.set(name, scheme);
  }
  return copy;
};

/** The most characters of bodies that a log holds; those of older requests are dropped. */
const maxBodies = 8_388_608;

/** A log keeps at least this many requests. */
const keep = 10_000;

/** A log of the latest requests, in the order of their arrival. */
export interface RequestLog {
  readonly entries: readonly MockRequest[];
  /** Adds the entry of a request that arrived. */
  begin(request: Request, url: URL, route: Route): LogEntry;
  /** Completes an entry, with the grant of a token request or the body of another one. */
  end(entry: LogEntry, status: number, content: Content | undefined, isToken: boolean): void;
  /** Forgets all requests. */
  reset(): void;
}

export const createLog = (): RequestLog => {
  const entries: LogEntry[] = [];
  const bodies: { readonly entry: LogEntry; readonly size: number }[] = [];
  let size = 0;
  return {
    entries,
    begin: (request, url, route) => {
      const isToken = route.kind === 'token';
      const entry: LogEntry = {
        method: request.method,
        url: isToken ? `${url.origin}${url.pathname}` : url.href,
        path: url.pathname,
        search: new URLSearchParams(isToken ? '' : url.search),
        headers: maskedHeaders(request.headers),
        status: 0,
        handled: route.kind !== 'nothing',
        ...('collection' in route && route.collection && { collection: route.collection.key }),
      };
      entries.push(entry);
      // Many at a time, because removing the first entry of a long array moves all the others.
      if (entries.length > keep * 2) entries.splice(0, entries.length - keep);
      return entry;
    },
    end: (entry, status, content, isToken) => {
      entry.status = status;
      if (content === undefined) return;
      const grant = isToken ? grantOf(content.text) : undefined;
      if (grant !== undefined) entry.grant = grant;
      if (isToken || content.json === undefined) return;
      entry.body = content.json;
      bodies.push({ entry, size: content.text.length });
      size += content.text.length;
      while (size > maxBodies) {
        const oldest = bodies.shift();
        size -= oldest?.size ?? size;
        delete oldest?.entry.body;
      }
    },
    reset: () => {
      entries.length = 0;
      bodies.length = 0;
      size = 0;
    },
  };
};
