import { toInvalidOption } from '../../src/options.ts';
import { type ApiDeclaration, pathOf } from '../../src/schema/define-api.ts';
import { closestFirst, matchPath, type PathMatch } from '../../src/schema/match-path.ts';
import { nearestName } from '../../src/schema/nearest.ts';
import { tokenPathOf } from '../auth/tokens.ts';
import type { EndpointHandler, MockOptions } from '../options.ts';
import type { MockEndpoint } from './endpoints.ts';
import type { MockCollection } from './link.ts';
import type { Served } from './nothing.ts';

/** An endpoint of the application's own. */
export interface OwnEndpoint {
  /** Whose credentials it takes. */
  readonly api: ApiDeclaration;
  /** Its path with the version, as it was given. */
  readonly key: string;
  readonly segments: readonly string[];
  readonly handler: EndpointHandler;
}

/** Path parameters by name, decoded. */
export type PathParameters = ReadonlyMap<string, string>;

/** A route to an endpoint of the application's own. */
export interface OwnRoute {
  readonly kind: 'own';
  readonly own: OwnEndpoint;
  readonly parameters: PathParameters;
}

/** A route to a collection or to one of its resources. */
export interface CollectionRoute {
  readonly kind: 'collection';
  readonly collection: MockCollection;
  /** Absolute, without a slash at its end: what `self`, Location and Link begin with. */
  readonly base: string;
  readonly parameters: PathParameters;
  /** The id in the path, or the other key of the collection; undefined for a request to the collection. */
  readonly id: string | undefined;
  /** The methods of the declared endpoints at the same path. */
  readonly endpointMethods: ReadonlySet<string>;
}

/** A route to what an API declares besides collections. */
export interface EndpointRoute {
  readonly kind: 'endpoint';
  /** The endpoint of the method; if none has it, another one at the path. */
  readonly endpoint: MockEndpoint;
  /** The methods of all declared endpoints at the path. */
  readonly endpointMethods: ReadonlySet<string>;
  /** The collection of an action. */
  readonly collection?: MockCollection;
  readonly base: string;
  readonly parameters: PathParameters;
}

/** What is at a path. */
export type Route =
  | { readonly kind: 'token' }
  | { readonly kind: 'nothing'; readonly served: Served }
  | OwnRoute
  | EndpointRoute
  | CollectionRoute;

/**
 * The own endpoints of a mock. Each belongs to the first API of its version.
 *
 * @throws `InvalidRequestError` for a key that is neither the name of a declared endpoint nor a path of
 * an API of the mock
 */
export const createOwnEndpoints = (
  apis: readonly ApiDeclaration[],
  declared: readonly MockEndpoint[],
  handlers: MockOptions['endpoints'] = {},
): readonly OwnEndpoint[] =>
  Object.entries(handlers).flatMap(([key, handler]) => {
    if (handler === undefined || declared.some((one) => one.key === key)) return [];
    // With a slash in front, the type takes a path of one segment, too.
    const path = key.replace(/^\//, '');
    const api = apis.find((one) => path.startsWith(pathOf(one, '')));
    if (api !== undefined) return [{ api, key, segments: path.split('/'), handler }];
    const names = declared.map((one) => one.key);
    const meant = names.find((name) => name.endsWith(`.${key}`)) ?? nearestName(key, names);
    const versions = apis.map((one) => pathOf(one, '')).join(' or ');
    const advice =
      meant === undefined ? `, and a path must begin with ${versions}` : `; did you mean ${meant}?`;
    throw toInvalidOption(
      `createMock: endpoints: ${JSON.stringify(key)} is not the name of a declared endpoint or action${advice}`,
    );
  });

/**
 * The decoded segments of a URL below a base URL; none for a URL somewhere else, and for malformed
 * percent-encoding.
 */
const segmentsBelow = (base: string, { origin, pathname }: URL): readonly string[] => {
  const path = origin + pathname;
  if (!path.startsWith(`${base}/`)) return [];
  const segments = path.slice(base.length + 1).split('/');
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return [];
  }
};

/** A path of a mock that a URL matches. */
interface Found<E> extends PathMatch {
  readonly at: E;
}

/** What a mock has at a path, the closest first. */
const findAt = <E extends { readonly api: ApiDeclaration; readonly segments: readonly string[] }>(
  all: readonly E[],
  given: readonly string[],
  optionsOf: (at: E) => { readonly trailingSlash?: boolean } = () => ({}),
): readonly Found<E>[] => {
  const found = all.flatMap((at) => {
    const maySlash = optionsOf(at).trailingSlash === true || at.api.wire?.family.trailingSlash === true;
    const isSlashed = maySlash && given.at(-1) === '';
    const match = matchPath(at.segments, isSlashed ? given.slice(0, -1) : given);
    return match === undefined ? [] : [{ at, ...match }];
  });
  return closestFirst(found);
};

const hasNoId = ({ id }: PathMatch): boolean => id === undefined;

/** A base URL without a slash at its end, and without credentials, which no request shows. */
const toBase = (url: string | undefined): string | undefined => {
  if (url === undefined) return undefined;
  const { origin, pathname } = new URL(url);
  return (origin + pathname).replace(/\/+$/, '');
};

/** What is at a URL for a method. */
export type FindRoute = (url: URL, method: string) => Route;

/** Routes below a base URL and to the token endpoint (§4.1, §9). */
export const createRoutes = (
  collections: readonly MockCollection[],
  owns: readonly OwnEndpoint[],
  endpoints: readonly MockEndpoint[],
  { baseUrl, authUrl, tokens }: MockOptions,
): FindRoute => {
  const onlyBase = toBase(baseUrl);
  const onlyAuth = toBase(authUrl);
  const tokenPath = tokenPathOf(tokens);
  const all = [...collections, ...owns, ...endpoints].map(({ segments }) => segments.join('/'));
  const served = { base: onlyBase, paths: [...new Set(all)], tokenPath };
  return (url, method) => {
    if (`${url.origin}${url.pathname}` === `${onlyAuth ?? url.origin}/${tokenPath}`) return { kind: 'token' };
    const base = onlyBase ?? url.origin;
    const segments = segmentsBelow(base, url);

    const own = findAt(owns, segments).find(hasNoId);
    if (own !== undefined) return { kind: 'own', own: own.at, parameters: own.parameters };

    const [foundCollection] = findAt(collections, segments, (at) => at.declaration.options);
    // A collection is preferred to an endpoint whose path spells less out.
    const mostUnknowns = foundCollection?.unknowns ?? Number.POSITIVE_INFINITY;
    const foundEndpoints = findAt(endpoints, segments, (at) => at.declared.options)
      .filter(hasNoId)
      .filter(({ unknowns }) => unknowns <= mostUnknowns);
    const endpointMethods = new Set<string>(foundEndpoints.map(({ at }) => at.declared.method));

    const withMethod = foundEndpoints.find(({ at }) => at.declared.method === method);
    if (withMethod === undefined && foundCollection !== undefined) {
      const { at: collection, parameters, id } = foundCollection;
      return { kind: 'collection', collection, base, parameters, id, endpointMethods };
    }
    const foundEndpoint = withMethod ?? foundEndpoints[0];
    if (foundEndpoint === undefined) return { kind: 'nothing', served };
    const { at: endpoint, parameters } = foundEndpoint;
    const collection = collections.find(
      ({ api, key }) => api === endpoint.api && key === endpoint.collection,
    );
    return {
      kind: 'endpoint',
      endpoint,
      endpointMethods,
      base,
      parameters,
      ...(collection && { collection }),
    };
  };
};
