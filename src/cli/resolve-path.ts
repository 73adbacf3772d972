import type { ApiDeclaration } from '../index.ts';
import { suggest } from './arguments.ts';
import { UsageError } from './errors.ts';

/** The collection or resource of a path. */
export interface Target {
  /** Key of the collection in the declaration. */
  readonly key: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Of one resource; undefined for the whole collection. */
  readonly id: string | undefined;
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new UsageError('The path has invalid percent-encoding');
  }
};

interface Match extends Target {
  readonly literals: number;
}

const match = (key: string, pattern: string, segments: readonly string[]): Match | undefined => {
  const wanted = pattern.split('/');
  if (segments.length !== wanted.length && segments.length !== wanted.length + 1) return undefined;
  const parameters: Record<string, string> = {};
  let literals = 0;
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) parameters[part.slice(1)] = segment;
    else if (part === segment) literals++;
    else return undefined;
  }
  return { key, parameters, id: segments[wanted.length], literals };
};

/**
 * Finds the target of a path below `/v<major>/`, for example `orders`, `orders/7` or `companies/3/orders`. Segments can
 * be percent-encoded.
 *
 * @throws {@link UsageError} for a path that the API does not declare
 */
export const resolvePath = ({ name, collections }: ApiDeclaration, path: string): Target => {
  const segments = path
    .replace(/^\/|\/$/g, '')
    .split('/')
    .map(decode);
  const [best] = Object.entries(collections)
    .flatMap(([key, collection]) => match(key, collection.path, segments) ?? [])
    // A literal segment wins over a parameter: `orders/archive` is not the order with the id "archive".
    .toSorted((a, b) => b.literals - a.literals);
  if (best !== undefined) return best;
  const paths = Object.values(collections).map((collection) => collection.path);
  const meant = suggest(segments[0] ?? '', [...new Set(paths.map((known) => known.split('/', 1)[0] ?? ''))]);
  const hint = meant === undefined || meant === segments[0] ? '.' : `; did you mean ${meant}?`;
  throw new UsageError(`The API ${name} has no collection at this path${hint} It has ${paths.join(', ')}`);
};
