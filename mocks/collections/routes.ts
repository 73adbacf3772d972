import { tokenPath } from '../../src/conventions.ts';
import { type ApiDeclaration, pathOf } from '../../src/schema/define-api.ts';
import type { EndpointHandler, MockOptions } from '../options.ts';
import type { MockEndpoint } from './endpoints.ts';
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
  readonly endpoint: Endpoint;
  /** Absolute, without a slash at its end: what `self`, Location and Link begin with. */
  readonly base: string;
  readonly parameters: PathParameters;
  /** The id in the path; undefined for a request to the collection. */
  readonly id: string | undefined;
}

/** A route to what an API declares besides collections. */
export interface EndpointRoute {
  readonly kind: 'endpoint';
  /** The endpoints at the path, by their methods. */
  readonly methods: ReadonlyMap<string, MockEndpoint>;
  /** The collection of an action. */
  readonly endpoint?: Endpoint;
  readonly base: string;
  readonly parameters: PathParameters;
}

/** What is at a path. */
export type Route =
  | { readonly kind: 'token' }
  | { readonly kind: 'nothing' }
  | OwnRoute
  | EndpointRoute
  | CollectionRoute;

/**
 * The own endpoints of a mock. Each belongs to the first API of its version.
 *
 * @throws Error for a key that is neither the name of a declared endpoint nor a path of an API of the mock
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
    const versions = apis.map((one) => pathOf(one, '')).join(' or ');
    throw new Error(
      `endpoints: ${JSON.stringify(key)} is not the name of a declared endpoint or action, and a path must begin with ${versions}`,
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

/**
 * What a path has in place of parameters and after the last segment, which is an id; undefined if it does not
 * match.
 */
const matchPath = (segments: readonly string[], given: readonly string[]) => {
  if (given.length !== segments.length && given.length !== segments.length + 1) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, part] of segments.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':') && value !== '') parameters.set(part.slice(1), value);
    else if (part !== value) return undefined;
  }
  const id = given[segments.length];
  return id === '' ? undefined : { parameters, id };
};

/**
 * The endpoints at a path, the closest first. A literal segment beats a parameter: `orders/archive` is not
 * the order with the id "archive".
 */
const findMatches = <E extends Pick<Endpoint, 'segments' | 'api'>>(
  endpoints: readonly E[],
  given: readonly string[],
  haveItems: boolean,
) => {
  const matches = endpoints.flatMap((endpoint) => {
    const isSlashed = endpoint.api.wire?.family.trailingSlash === true && given.at(-1) === '';
    const match = matchPath(endpoint.segments, isSlashed ? given.slice(0, -1) : given);
    return match === undefined || (match.id !== undefined && !haveItems) ? [] : [{ endpoint, ...match }];
  });
  const unknowns = ({ parameters, id }: (typeof matches)[number]) =>
    parameters.size + (id === undefined ? 0 : 1);
  return matches
    .map((match) => ({ ...match, unknowns: unknowns(match) }))
    .toSorted((a, b) => a.unknowns - b.unknowns);
};

/** Routes below a base URL and to the token endpoint (§4.1, §9). */
export const createRoutes = (
  endpoints: readonly Endpoint[],
  owns: readonly OwnEndpoint[],
  declared: readonly MockEndpoint[],
  { baseUrl, authUrl }: MockOptions,
) => {
  const [onlyBase, onlyAuth] = [baseUrl, authUrl].map((url) => url && new URL(url).href.replace(/\/+$/, ''));
  const routeTo = (
    segments: readonly string[],
    method: string,
    base: string,
    collection: { readonly unknowns: number } | undefined,
  ): EndpointRoute | undefined => {
    const matches = findMatches(declared, segments, false);
    const asked = matches.find(({ endpoint }) => endpoint.declared.method === method);
    const [first] = asked === undefined && collection === undefined ? matches : [asked];
    if (first === undefined || first.unknowns > (collection?.unknowns ?? first.unknowns)) return undefined;
    const { parameters, endpoint: found } = first;
    const path = found.segments.join('/');
    const here = matches.filter(({ endpoint }) => endpoint.segments.join('/') === path);
    const methods = new Map(here.map(({ endpoint }) => [endpoint.declared.method as string, endpoint]));
    const above = endpoints.find(({ api, key }) => api === found.api && key === found.collection);
    return { kind: 'endpoint', methods, base, parameters, ...(above && { endpoint: above }) };
  };
  return (url: URL, method: string): Route => {
    if (`${url.origin}${url.pathname}` === `${onlyAuth ?? url.origin}/${tokenPath}`) return { kind: 'token' };
    const base = onlyBase ?? url.origin;
    const segments = segmentsBelow(base, url);
    const [own] = findMatches(owns, segments, false);
    if (own !== undefined) return { kind: 'own', own: own.endpoint, parameters: own.parameters };
    const [found] = findMatches(endpoints, segments, true);
    const endpoint = routeTo(segments, method, base, found);
    if (endpoint !== undefined) return endpoint;
    return found === undefined
      ? { kind: 'nothing' }
      : { kind: 'collection', endpoint: found.endpoint, parameters: found.parameters, id: found.id, base };
  };
};
