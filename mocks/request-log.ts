import { header } from '../src/conventions/headers.ts';
import type { Incoming } from './incoming.ts';
import type { Route } from './routes.ts';

/** A request that reached the mock. */
export interface MockRequest {
  /** As it was sent, for example `TRACK`. */
  readonly method: string;
  /** Of a token request without its query, which may hold what belongs into the form. */
  readonly url: string;
  /** Of the URL, percent-encoded. */
  readonly path: string;
  /** The query; empty of a token request. */
  readonly search: URLSearchParams;
  /** A copy; of `Authorization` only the name of the scheme, and of other fields that hold secrets nothing. */
  readonly headers: Headers;
  /** The status of the answer; 0 until there is one, and where a fault cut the connection instead. */
  readonly status: number;
  /** False for a path that is neither a declared collection nor the token endpoint. */
  readonly handled: boolean;
  /** The key of the collection. */
  readonly collection?: string;
  /** The value of a JSON body that was sent to a collection; never of a token request. */
  readonly body?: unknown;
  /** The grant of a token request (§4.1). */
  readonly grant?: 'password' | 'refresh_token';
}

/** An entry that is still being written. */
export type LogEntry = { -readonly [K in keyof MockRequest]: MockRequest[K] };

/** The latest requests, in the order they came. */
export interface RequestLog {
  readonly entries: readonly MockRequest[];
  begin(request: Incoming, url: URL, route: Route): LogEntry;
  reset(): void;
}

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

/** Made when somebody looks: a server under load makes thousands of entries that nobody reads. */
const createEntry = (request: Incoming, url: URL, route: Route): LogEntry => {
  const isToken = route.kind === 'token';
  const { headers: given } = request;
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
      headers ??= maskedHeaders(given);
      return headers;
    },
    status: 0,
    handled: route.kind !== 'nothing',
    ...('endpoint' in route && { collection: route.endpoint.key }),
  };
};

const usualLength = 10_000;

/** What a log knows beside its entries. */
export interface LogFacts {
  /** The keys that a request can have. */
  readonly collections: ReadonlySet<string>;
  /** How many entries it had and no longer has. */
  readonly dropped: number;
  /** How many of those led nowhere. */
  readonly droppedUnhandled: number;
}

const facts = new WeakMap<readonly MockRequest[], LogFacts>();

/** What the log knows whose entries these are; undefined for any other list of requests. */
export const factsOf = (requests: readonly MockRequest[]): LogFacts | undefined => facts.get(requests);

/** An empty log. */
export const createRequestLog = (keep: number | undefined, collections: ReadonlySet<string>): RequestLog => {
  const entries: LogEntry[] = [];
  const kept = keep ?? usualLength;
  const forget = (): void => void facts.set(entries, { collections, dropped: 0, droppedUnhandled: 0 });
  forget();
  const drop = (): void => {
    const gone = entries.splice(0, entries.length - kept);
    const { dropped = 0, droppedUnhandled = 0 } = factsOf(entries) ?? {};
    const unhandled = gone.filter(({ handled }) => !handled).length;
    facts.set(entries, {
      collections,
      dropped: dropped + gone.length,
      droppedUnhandled: droppedUnhandled + unhandled,
    });
  };
  return {
    entries,
    begin: (request, url, route) => {
      const entry = createEntry(request, url, route);
      entries.push(entry);
      // Seldom, and many at once: taking the first of a long list away moves all the others.
      if (entries.length > kept * 2) drop();
      return entry;
    },
    reset: () => {
      entries.length = 0;
      forget();
    },
  };
};
