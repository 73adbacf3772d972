import { nearestName } from './nearest.ts';

/** What the segments of a path stand for in a declared path. */
export interface PathMatch {
  /** The values of its `:name` segments, by name. */
  readonly parameters: ReadonlyMap<string, string>;
  /** One more segment after the declared ones, the id of a resource; undefined without one. */
  readonly id: string | undefined;
  /** How many of the segments are not spelled out in the declaration. */
  readonly unknowns: number;
}

/**
 * Matches the decoded segments of a path with those of a declared one. It is undefined if they do not match,
 * or if a parameter or the id is empty.
 */
export const matchPath = (
  declared: readonly string[],
  segments: readonly string[],
): PathMatch | undefined => {
  if (segments.length !== declared.length && segments.length !== declared.length + 1) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, part] of declared.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':') && segment !== '') parameters.set(part.slice(1), segment);
    else if (part !== segment) return undefined;
  }
  const id = segments[declared.length];
  if (id === '') return undefined;
  return { parameters, id, unknowns: parameters.size + (id === undefined ? 0 : 1) };
};

/**
 * The matches in the order in which they are preferred: `orders/archive` is not the order with the id
 * "archive" where that path is declared.
 */
export const closestFirst = <M extends PathMatch>(matches: readonly M[]): readonly M[] =>
  matches.toSorted((a, b) => a.unknowns - b.unknowns);

/** A declared path with the segments of another one in place of its parameters. */
const fillParameters = (declared: string, given: string): string => {
  const segments = given.split('/');
  return declared
    .split('/')
    .map((part, index) => (part.startsWith(':') ? segments[index] || part : part))
    .join('/');
};

/**
 * The path that a misspelt one probably means: a declared one or a resource below it, with its parameters
 * from the given path. Undefined when there is none.
 */
export const nearestPath = (given: string, declared: readonly string[]): string | undefined => {
  const known = [...declared, ...declared.map((path) => `${path}/:id`)];
  return nearestName(
    given,
    known.map((path) => fillParameters(path, given)),
  );
};
