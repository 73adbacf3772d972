// Which of the operations that belong to no collection are declared as endpoints.
import { defineApi, endpoint } from '../../index.ts';
import { toParameterName } from './identifiers.ts';
import type { Operation } from './operations.ts';

/**
 * A path of the document with `:name` for a parameter. Documents also have names that are no names in a
 * declaration.
 */
const toPath = (path: string, ending: string): string =>
  path.replace(/(?<=^|\/)\{([^{}]+)\}(?=\/|$)/g, (_, name: string) => {
    const own = /^[A-Za-z_]\w*$/.test(name) ? name : toParameterName(name);
    return `:${own}${ending}`;
  });

/** Whether an API can have an endpoint: what decides is the declaration itself. */
const isPossible = (method: Operation['method'], path: string): boolean => {
  try {
    const endpoints = { own: endpoint(method, path) };
    defineApi({ name: 'imported', version: 1, auth: 'custom', collections: {}, endpoints });
    return true;
  } catch {
    return false;
  }
};

/** A method and a path without the names of its parameters: two endpoints of an API cannot share it. */
const placeOf = (method: string, path: string): string => `${method} ${path.replace(/:\w+/g, ':')}`;

/**
 * Creates a function that finds the path of an operation as an endpoint of an API; undefined where it cannot
 * be one. It gives each place once.
 *
 * @param prefix - what the paths of the API start with
 * @param taken - methods and paths that collections have
 */
export const createEndpointPaths = (
  prefix: string,
  taken: readonly { readonly method: string; readonly path: string }[],
) => {
  const places = new Set(taken.map(({ method, path }) => placeOf(method, path)));
  return ({ method }: Operation, path: string): string | undefined => {
    if (!path.startsWith(prefix)) return undefined;
    const below = path.slice(prefix.length);
    // A call has options beside its path parameters, whose names these cannot have.
    const candidates = [toPath(below, ''), toPath(below, 'Value')];
    const own = candidates.find((candidate) => isPossible(method, candidate));
    if (own === undefined || places.has(placeOf(method, own))) return undefined;
    places.add(placeOf(method, own));
    return own;
  };
};
