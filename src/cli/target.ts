import type { ApiDeclaration } from '../index.ts';
import { endpointsOf, type NamedEndpoint } from '../schema/endpoints-of.ts';
import { closestFirst, matchPath, nearestPath } from '../schema/match-path.ts';
import { UsageError } from './errors.ts';

/** Path parameters by name. */
export type Parameters = Readonly<Record<string, string>>;

/** The collection or resource of a path. */
export interface CollectionTarget {
  readonly kind: 'collection';
  /** Key of the collection in the declaration. */
  readonly key: string;
  /** Those in the path; none where the collection is named by its key. */
  readonly parameters: Parameters;
  /** The id of one resource; undefined for the whole collection. */
  readonly id: string | undefined;
}

/** The declared GET endpoint of a path or a name. */
export interface EndpointTarget {
  readonly kind: 'endpoint';
  readonly endpoint: NamedEndpoint;
  /** Those in the path; none where the endpoint is named. */
  readonly parameters: Parameters;
}

export type Target = CollectionTarget | EndpointTarget;

const decode = (segment: string): string => {
  if (segment.includes('?')) throw new UsageError('The path has a query; use --sort, --fields and --param');
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new UsageError('The path has invalid percent-encoding');
  }
};

const toEndpointTarget = (endpoint: NamedEndpoint, parameters: Parameters): EndpointTarget => {
  const { key, path, declared, collection } = endpoint;
  if (declared.method === 'GET') return { kind: 'endpoint', endpoint, parameters };
  const kind = collection === undefined ? 'endpoint' : 'action';
  throw new UsageError(
    `The ${kind} ${key} is ${declared.method} ${path}, and restkin get sends GET alone; call it in a program`,
  );
};

/** The collection or the endpoint whose declared path is the closest to the segments. */
const findClosest = (api: ApiDeclaration, segments: readonly string[]): Target | undefined => {
  const collections = Object.entries(api.collections).flatMap(([key, { path }]) => {
    const match = matchPath(path.split('/'), segments);
    return match === undefined ? [] : [{ ...match, key }];
  });
  const endpoints = endpointsOf(api).flatMap((endpoint) => {
    const match = matchPath(endpoint.path.split('/'), segments);
    return match === undefined || match.id !== undefined ? [] : [{ ...match, endpoint }];
  });
  const isGet = ({ endpoint }: (typeof endpoints)[number]) => endpoint.declared.method === 'GET';
  const [best] = closestFirst([...endpoints.filter(isGet), ...collections]);
  // Without anything to read, the message names what is there.
  const found = best ?? endpoints[0];
  if (found === undefined) return undefined;
  const parameters = Object.fromEntries(found.parameters);
  if ('endpoint' in found) return toEndpointTarget(found.endpoint, parameters);
  return { kind: 'collection', key: found.key, parameters, id: found.id };
};

/** The most paths that a message lists. */
const mostPaths = 10;

/** The segments with the path of a collection in place of its key; undefined where they begin with no key. */
const expandKey = (
  { collections }: ApiDeclaration,
  [key = '', ...others]: readonly string[],
): readonly string[] | undefined => {
  const declared = Object.hasOwn(collections, key) ? collections[key] : undefined;
  return declared && [...declared.path.split('/'), ...others];
};

const hasParameters = (path: readonly string[]): boolean => path.some((segment) => segment.startsWith(':'));

/** Says that nothing is declared at a path, and which one was probably meant. */
const describeUnknown = (api: ApiDeclaration, segments: readonly string[]): string => {
  const given = segments.join('/');
  const expanded = expandKey(api, segments);
  const readable = endpointsOf(api).filter(({ declared }) => declared.method === 'GET');
  const collections = Object.values(api.collections);
  const paths = [...collections, ...readable].map(({ path }) => path);
  const nearest =
    expanded && hasParameters(expanded)
      ? expanded.join('/')
      : nearestPath(given, [...paths, ...readable.map(({ key }) => key)]);
  const unknown = `The API ${api.name} declares nothing at this path`;
  if (nearest !== undefined) return `${unknown}; did you mean ${nearest}?`;
  const more = paths.length > mostPaths ? `, and ${paths.length - mostPaths} more` : '';
  return `${unknown}. Its paths, without the version, are ${paths.slice(0, mostPaths).join(', ')}${more}`;
};

/** The target of the key of a collection in place of its path, without its path parameters if it has any. */
const findByKey = (api: ApiDeclaration, segments: readonly string[]): Target | undefined => {
  const path = expandKey(api, segments);
  if (path === undefined) return undefined;
  const [key = '', id, ...others] = segments;
  if (!hasParameters(path)) return findClosest(api, path);
  return others.length > 0 ? undefined : { kind: 'collection', key, parameters: {}, id };
};

/**
 * Finds the target of a path below `/v<major>/`, for example `orders`, `orders/7` or `companies/3/orders`, or
 * of the name of an endpoint. It may begin with the key of a collection in place of its path. Segments can be
 * percent-encoded.
 *
 * @throws {@link UsageError} for a path that the API does not declare, and for an endpoint that is not read
 * with GET
 */
export const resolvePath = (api: ApiDeclaration, path: string): Target => {
  const paths = Object.values(api.collections).map((collection) => collection.path);
  const named = paths.includes(path) ? undefined : endpointsOf(api).find(({ key }) => key === path);
  if (named !== undefined) return toEndpointTarget(named, {});
  const segments = path.replace(/^\//, '').split('/').map(decode);
  // Often an unset variable of a shell: without its id, the path would be that of all resources.
  if (segments.some((segment) => segment === ''))
    throw new UsageError(
      'A segment of the path is empty: an id is missing, or a slash is too many, as in orders/ or companies//orders',
    );
  const target = findClosest(api, segments) ?? findByKey(api, segments);
  if (target !== undefined) return target;
  throw new UsageError(describeUnknown(api, segments));
};
