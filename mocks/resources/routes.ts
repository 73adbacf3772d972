import { tokenPath } from '../../src/conventions.ts';
import { Refusal } from '../responses/message.ts';
import type { Endpoint } from './endpoints.ts';

/** What is at a path. */
export type Route =
  | { readonly kind: 'token' }
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'collection' | 'item';
      readonly endpoint: Endpoint;
      /** Absolute, without a slash at its end: what `self`, Location and Link begin with. */
      readonly base: string;
      /** The segments of the parameters and of the id, as sent. */
      readonly encoded: Readonly<Record<string, string>>;
    };

/** A route to a collection or to one of its resources. */
export type CollectionRoute = Extract<Route, { readonly endpoint: Endpoint }>;

/** Finds the route of a URL. */
export type FindRoute = (url: URL) => Route;

const idParameter = '';

const withoutSlash = (value: string): string => value.replace(/\/+$/, '');

/** A base URL of the mock's options. */
interface Base {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
}

const parseBase = (base: string | undefined): Base | undefined => {
  if (base === undefined) return undefined;
  const { origin, pathname } = new URL(base);
  return { origin, path: withoutSlash(pathname) };
};

/** The path below a base; undefined when the URL is somewhere else. */
const pathBelow = (url: URL, base: Base | undefined): string | undefined => {
  if (base === undefined) return url.pathname.slice(1);
  const path = `${base.path}/`;
  return url.origin === base.origin && url.pathname.startsWith(path)
    ? url.pathname.slice(path.length)
    : undefined;
};

const tryDecode = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/**
 * The value of a segment.
 *
 * @throws {@link Refusal} 400 for malformed percent-encoding
 */
const decode = (segment: string): string => {
  const decoded = tryDecode(segment);
  if (decoded === undefined) throw new Refusal(400, 'The path is not well encoded');
  return decoded;
};

type Match = { readonly endpoint: Endpoint; readonly encoded: Record<string, string> };

const matchEndpoint = (endpoint: Endpoint, segments: readonly string[]): Match | undefined => {
  const wanted = segments.length > endpoint.segments.length ? [...endpoint.segments, ':'] : endpoint.segments;
  if (segments.length !== wanted.length) return undefined;
  const encoded: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const pattern = wanted[index] ?? '';
    if (pattern.startsWith(':')) {
      if (segment === '') return undefined;
      encoded[pattern.slice(1)] = segment;
    } else if (tryDecode(segment) !== pattern) return undefined;
  }
  return { endpoint, encoded };
};

/** A literal segment is more specific than a parameter: `orders/archive` is not the order with the id "archive". */
const mostSpecific = (matches: readonly Match[]): Match | undefined =>
  matches.toSorted((a, b) => Object.keys(a.encoded).length - Object.keys(b.encoded).length)[0];

/**
 * Routes below a base URL and to the token endpoint (§4.1, §9).
 *
 * @throws TypeError for an invalid URL
 */
export const createRoutes = (
  endpoints: readonly Endpoint[],
  baseUrl: string | undefined,
  authUrl: string | undefined,
): FindRoute => {
  const base = parseBase(baseUrl);
  const auth = parseBase(authUrl);
  return (url) => {
    if (pathBelow(url, auth) === tokenPath) return { kind: 'token' };
    const path = pathBelow(url, base);
    const segments = path?.split('/') ?? [];
    const found = mostSpecific(endpoints.flatMap((endpoint) => matchEndpoint(endpoint, segments) ?? []));
    if (found === undefined) return { kind: 'nothing' };
    const kind = Object.hasOwn(found.encoded, idParameter) ? 'item' : 'collection';
    return { kind, ...found, base: base === undefined ? url.origin : base.origin + base.path };
  };
};

/** The path parameters of a route and, for an item, its id; both decoded. */
export interface RouteValues {
  readonly id: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

/** @throws {@link Refusal} 400 for malformed percent-encoding */
export const readRoute = ({ encoded }: CollectionRoute): RouteValues => {
  const { [idParameter]: id, ...parameters } = encoded;
  return {
    id: id === undefined ? undefined : decode(id),
    parameters: new Map(Object.entries(parameters).map(([name, segment]) => [name, decode(segment)])),
  };
};
