import { header } from '../../src/conventions.ts';
import type { Route } from '../resources/routes.ts';
import type { Incoming } from '../responses/message.ts';

/** A request that reached the mock: an item of `mock.requests`, and what {@link assertRequests} compares. */
export interface MockRequest<K extends string = string> {
  /** As it was sent, for example `TRACK`. */
  readonly method: string;
  /** Absolute; for a token request without its query, which may wrongly contain the credentials. */
  readonly url: string;
  /** The path of the URL, percent-encoded. */
  readonly path: string;
  /** The query; empty for a token request. */
  readonly search: URLSearchParams;
  /** A copy; `Authorization` is reduced to the name of the scheme, and other headers with secrets are masked. */
  readonly headers: Headers;
  /** The status of the response; 0 until there is one, and where a fault cut the connection instead. */
  readonly status: number;
  /** False for a path that the mock does not serve. */
  readonly handled: boolean;
  /** The key of the collection. */
  readonly collection?: K;
  /** The value of a JSON body that was sent to a collection; never of a token request. */
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
    const scheme = copy.get(name)?.split(' ', 1)[0];
    if (scheme !== undefined) copy.set(name, scheme);
  }
  return copy;
};

/** Headers and query are read on demand: most entries of a server under load are never looked at. */
const createEntry = (request: Incoming, url: URL, route: Route): LogEntry => {
  const isToken = route.kind === 'token';
  const { headers: received } = request;
  let headers: Headers | undefined;
  let search: URLSearchParams | undefined;
  return {
    method: request.method,
    url: isToken ? `${url.origin}${url.pathname}` : url.href,
    path: url.pathname,
    get search() {
      search ??= new URLSearchParams(isToken ? '' : url.search);
      return search;
    },
    get headers() {
      headers ??= maskedHeaders(received);
      return headers;
    },
    status: 0,
    handled: route.kind !== 'nothing',
    ...('endpoint' in route && { collection: route.endpoint.key }),
  };
};

/** What a log knows besides its entries. */
export interface LogFacts {
  /** The keys that a request can have; undefined where they are not known. */
  readonly collections: ReadonlySet<string> | undefined;
  /** How many entries the log has discarded. */
  readonly discarded: number;
  /** How many of the discarded entries were to unknown paths. */
  readonly discardedUnhandled: number;
}

const facts = new WeakMap<readonly MockRequest[], LogFacts>();

/** The facts of the log with these entries. Any other array of requests counts as complete. */
export const logFactsOf = (requests: readonly MockRequest[]): LogFacts =>
  facts.get(requests) ?? { collections: undefined, discarded: 0, discardedUnhandled: 0 };

/** A log of the latest requests, in the order of their arrival. */
export const createRequestLog = (collections: ReadonlySet<string>, keep = 10_000) => {
  const entries: LogEntry[] = [];
  const known = { collections, discarded: 0, discardedUnhandled: 0 };
  facts.set(entries, known);
  const drop = (): void => {
    const gone = entries.splice(0, entries.length - keep);
    known.discarded += gone.length;
    known.discardedUnhandled += gone.filter(({ handled }) => !handled).length;
  };
  return {
    entries: entries as readonly MockRequest[],
    begin: (request: Incoming, url: URL, route: Route): LogEntry => {
      const entry = createEntry(request, url, route);
      entries.push(entry);
      // Many at a time, because removing the first entry of a long array moves all the others.
      if (entries.length > keep * 2) drop();
      return entry;
    },
    reset: (): void => {
      entries.length = 0;
      known.discarded = 0;
      known.discardedUnhandled = 0;
    },
  };
};
