import type { ApiDeclaration, Collection } from '../index.ts';
import { readPairs } from './arguments.ts';
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
    // `orders/archive` is not the order with the id "archive" where it is declared.
    .toSorted((a, b) => Number(a.id !== undefined) - Number(b.id !== undefined));
  if (best !== undefined) return best;
  const paths = Object.values(collections).map((collection) => collection.path);
  throw new UsageError(
    `The API ${name} has no collection at this path. Its paths, without the version, are ${paths.join(', ')}`,
  );
};

const parse = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/**
 * Reads an endpoint's own query parameters: each as a string, or as JSON where its schema refuses the string.
 *
 * @param given - `name=value`
 */
export const readParams = async (
  collection: Collection | undefined,
  given: readonly string[] | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  if (given === undefined) return undefined;
  const strings = readPairs('--param', given);
  // Called through Standard Schema, so that the version of zod does not matter.
  const result = await collection?.options.params?.['~standard'].validate(strings);
  const refused = new Set(result?.issues?.map(({ path: [name] = [] }) => name));
  // The client reports values that still do not fit, and names that are not declared.
  return Object.fromEntries(
    Object.entries(strings).map(([name, value]) => [name, refused.has(name) ? parse(value) : value]),
  );
};
