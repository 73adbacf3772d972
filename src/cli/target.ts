import type { ApiDeclaration } from '../index.ts';
import { UsageError } from './errors.ts';

/** The collection or resource of a path. */
export interface Target {
  /** Key of the collection in the declaration. */
  readonly key: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The id of one resource; undefined for the whole collection. */
  readonly id: string | undefined;
}

const decode = (segment: string): string => {
  if (segment.includes('?')) throw new UsageError('The path has a query; use --sort, --fields and --param');
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new UsageError('The path has invalid percent-encoding');
  }
};

const match = (key: string, pattern: string, segments: readonly string[]): Target | undefined => {
  const wanted = pattern.split('/');
  if (segments.length !== wanted.length && segments.length !== wanted.length + 1) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) parameters[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return { key, parameters, id: segments[wanted.length] };
};

/**
 * Finds the target of a path below `/v<major>/`, for example `orders`, `orders/7` or `companies/3/orders`.
 * Segments can be percent-encoded.
 *
 * @throws {@link UsageError} for a path that the API does not declare
 */
export const resolvePath = ({ name, collections }: ApiDeclaration, path: string): Target => {
  const segments = path.replace(/^\//, '').split('/').map(decode);
  // Often an unset variable of a shell: without its id, the path would be that of all resources.
  if (segments.some((segment) => segment === ''))
    throw new UsageError(
      'A segment of the path is empty: an id is missing, or a slash is too many, as in orders/ or companies//orders',
    );
  const [best] = Object.entries(collections)
    .flatMap(([key, collection]) => match(key, collection.path, segments) ?? [])
    // `orders/archive` is not the order with the id "archive" where it is declared.
    .toSorted((a, b) => Number(a.id !== undefined) - Number(b.id !== undefined));
  if (best !== undefined) return best;
  const paths = Object.values(collections).map((collection) => collection.path);
  throw new UsageError(
    `The API ${name} has no collection at this path. Its paths, without the version, are ${paths.join(', ')}`,
  );
};
