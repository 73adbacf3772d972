import { tokenPath, versionPrefix } from '../../src/conventions.ts';
import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import { Refusal } from '../message.ts';
import type { EndpointHandler } from '../options.ts';
import type { Endpoint } from './link.ts';

/** An endpoint of the application's own. */
export interface OwnEndpoint {
  /** Whose credentials it takes. */
  readonly api: ApiDeclaration;
  /** Its path with the version, as it was given. */
  readonly key: string;
  readonly segments: readonly string[];
  readonly handler: EndpointHandler;
}

/** A route to an endpoint of the application's own. */
export interface OwnRoute {
  readonly kind: 'own';
  readonly own: OwnEndpoint;
  /** The segments of the parameters, as sent. */
  readonly encoded: Readonly<Record<string, string>>;
}

/** A route to a collection or to one of its resources. */
export interface CollectionRoute {
  readonly kind: 'collection' | 'item';
  readonly endpoint: Endpoint;
  /** Absolute, without a slash at its end: what `self`, Location and Link begin with. */
  readonly base: string;
  /** The segments of the parameters and of the id, as sent. */
  readonly encoded: Readonly<Record<string, string>>;
}

/** What is at a path. */
export type Route = { readonly kind: 'token' } | { readonly kind: 'nothing' } | OwnRoute | CollectionRoute;

/** The name of the id among the parameters of an item. */
export const idParameter = '';

/** The path of a URL below a base URL; undefined when the URL is somewhere else. */
const pathBelow = ({ origin, pathname }: URL, base: string): string | undefined =>
  `${origin}${pathname}`.startsWith(`${base}/`) ? `${origin}${pathname}`.slice(base.length + 1) : undefined;

/** The value of a segment; undefined for malformed percent-encoding. */
const tryDecode = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/**
 * The own endpoints of a mock. Each belongs to the first API of its version.
 *
 * @throws Error for a path that belongs to no API of the mock
 */
export const createOwnEndpoints = (
  apis: readonly ApiDeclaration[],
  handlers: Readonly<Record<string, EndpointHandler | undefined>> = {},
): readonly OwnEndpoint[] =>
  Object.entries(handlers).flatMap(([key, handler]) => {
    if (handler === undefined) return [];
    const api = apis.find(({ version }) => key.startsWith(`${versionPrefix}${version}/`));
    if (api !== undefined) return [{ api, key, segments: key.split('/'), handler }];
    const versions = apis.map(({ version }) => `${versionPrefix}${version}/`).join(' or ');
    throw new Error(`endpoints: the path ${JSON.stringify(key)} must begin with ${versions}`);
  });

/** The segments of the parameters; undefined when the path does not match. */
const matchSegments = (
  wanted: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined => {
  if (segments.length !== wanted.length) return undefined;
  const encoded: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const pattern = wanted[index] ?? '';
    if (pattern.startsWith(':')) {
      if (segment === '') return undefined;
      encoded[pattern.slice(1)] = segment;
    } else if (tryDecode(segment) !== pattern) return undefined;
  }
  return encoded;
};

/**
 * The endpoint at a path, or at a path without its last segment, which is then an id. A literal segment beats a parameter:
 * `orders/archive` is not the order with the id "archive".
 */
const findMatch = <E extends Pick<Endpoint, 'segments'>>(
  endpoints: readonly E[],
  segments: readonly string[],
  haveItems: boolean,
) =>
  endpoints
    .flatMap((endpoint) => {
      const isBelow = haveItems && segments.length > endpoint.segments.length;
      const encoded = matchSegments(isBelow ? [...endpoint.segments, ':'] : endpoint.segments, segments);
      return encoded === undefined ? [] : [{ endpoint, encoded }];
    })
    .toSorted((a, b) => Object.keys(a.encoded).length - Object.keys(b.encoded).length)[0];

/**
 * Routes below a base URL and to the token endpoint (§4.1, §9). The options have been checked.
 */
export const createRoutes = (
  endpoints: readonly Endpoint[],
  owns: readonly OwnEndpoint[],
  baseUrl: string | undefined,
  authUrl: string | undefined,
) => {
  const normal = (base: string | undefined): string | undefined =>
    base && new URL(base).href.replace(/\/+$/, '');
  const [onlyBase, onlyAuth] = [normal(baseUrl), normal(authUrl)];
  return (url: URL): Route => {
    if (pathBelow(url, onlyAuth ?? url.origin) === tokenPath) return { kind: 'token' };
    const base = onlyBase ?? url.origin;
    const segments = pathBelow(url, base)?.split('/') ?? [];
    const own = findMatch(owns, segments, false);
    if (own !== undefined) return { kind: 'own', own: own.endpoint, encoded: own.encoded };
    const found = findMatch(endpoints, segments, true);
    if (found === undefined) return { kind: 'nothing' };
    const kind = Object.hasOwn(found.encoded, idParameter) ? 'item' : 'collection';
    return { kind, ...found, base };
  };
};

/**
 * The parameters of a route, decoded.
 *
 * @throws {@link Refusal} 400 for malformed percent-encoding
 */
export const readParameters = (encoded: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(encoded).map(([name, segment]) => {
      const value = tryDecode(segment);
      if (value === undefined) throw new Refusal(400, 'The path has invalid percent-encoding');
      return [name, value];
    }),
  );
