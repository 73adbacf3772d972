import type { ApiDeclaration, Collection } from '../index.ts';
import { suggest } from './arguments.ts';
import { UsageError } from './errors.ts';

/** The collection or resource of a path. */
export interface Target {
  /** Key of the collection in the declaration. */
  readonly key: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The id of one resource; undefined for the whole collection. */
  readonly id: string | undefined;
}

/** True when `--output` names a file, because the name of a format has neither a dot nor a slash. */
export const isFile = (output: string): boolean => /[./\\]/.test(output);

const decode = (segment: string): string => {
  if (segment.startsWith(':'))
    throw new UsageError(`The path has the name of a parameter; write its value in place of ${segment}`);
  if (segment.includes('?'))
    throw new UsageError('The path has a query; use --sort, --fields, --expand and --param');
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

/** How many segments of the path are a parameter or an id. */
const countVariables = ({ parameters, id }: Target): number =>
  Object.keys(parameters).length + (id === undefined ? 0 : 1);

const segmentsOf = (path: string): readonly string[] =>
  path
    .replace(/^\/|\/$/g, '')
    .split('/')
    .map(decode);

/** The target of a path; undefined for one that the API does not declare. */
export const findTarget = ({ collections }: ApiDeclaration, path: string): Target | undefined => {
  const segments = segmentsOf(path);
  const [best] = Object.entries(collections)
    .flatMap(([key, collection]) => match(key, collection.path, segments) ?? [])
    // A literal segment wins over a parameter: `orders/archive` is not the order with the id "archive".
    .toSorted((a, b) => countVariables(a) - countVariables(b));
  return best;
};

/**
 * Finds the target of a path below `/v<major>/`, for example `orders`, `orders/7` or `companies/3/orders`. Segments can
 * be percent-encoded.
 *
 * @throws {@link UsageError} for a path that the API does not declare
 */
export const resolvePath = (api: ApiDeclaration, path: string): Target => {
  const target = findTarget(api, path);
  if (target !== undefined) return target;
  const { name, version, collections } = api;
  const [first = ''] = segmentsOf(path);
  const paths = Object.values(collections).map((collection) => collection.path);
  const meant = suggest(first, [...new Set(paths.map((known) => known.split('/', 1)[0] ?? ''))]);
  const hint = meant === undefined || meant === first ? '.' : `; did you mean ${meant}?`;
  const advice = first === `v${version}` ? `; leave out ${first}.` : hint;
  throw new UsageError(`The API ${name} has no collection at this path${advice} It has ${paths.join(', ')}`);
};

/** The values that a string of the command line can mean, the likeliest first. */
const readingsOf = (strings: readonly string[]): readonly unknown[] => {
  const [value = '', ...more] = strings;
  if (more.length > 0) return [strings, strings.map(Number)];
  const list = value.split(',');
  const readings: unknown[] = [value];
  if (value.trim() !== '' && Number.isFinite(Number(value))) readings.push(Number(value));
  if (value === 'true' || value === 'false') readings.push(value === 'true');
  if (/^-?\d+$/.test(value)) readings.push(BigInt(value));
  if (!Number.isNaN(Date.parse(value))) readings.push(new Date(value));
  return [...readings, list, list.map(Number)];
};

/** The values of each name; a name can be given several times. */
const gather = (
  given: readonly string[],
): readonly (readonly [name: string, values: readonly string[]])[] => {
  const strings = new Map<string, readonly string[]>();
  for (const argument of given) {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(argument) ?? [];
    if (name === undefined) throw new UsageError('--param needs a name and a value: --param name=value');
    strings.set(name, [...(strings.get(name) ?? []), value]);
  }
  return [...strings];
};

/** Query parameters as they are given; a name that is given several times makes a list. */
export const readStrings = (given: readonly string[]): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    gather(given).map(([name, values]) => [name, values.length > 1 ? values : String(values[0])]),
  );

/**
 * Reads an endpoint's own query parameters. Each is tried as a string first, then as other types that its schema may require.
 *
 * @param given - `name=value`; a name that is given several times makes a list
 * @throws {@link UsageError} for an argument without a name, or an endpoint that declares no parameters
 */
export const readParams = async (
  { path, options }: Collection,
  given: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  if (given.length === 0) return undefined;
  const left = new Map(gather(given).map(([name, values]) => [name, [...readingsOf(values)]]));
  const values = Object.fromEntries([...left].map(([name, readings]) => [name, readings.shift()]));
  if (options.params === undefined) throw new UsageError(`${path} declares no parameters of its own`);
  // Called through Standard Schema, so that the version of zod does not matter.
  const { validate } = options.params['~standard'];
  for (;;) {
    const result = await validate(values);
    const wrong = result.issues
      ?.map(({ path = [] }) => String(path[0]))
      .find((name) => left.get(name)?.length);
    // The client reports values that do not fit, and names that are not declared.
    if (wrong === undefined) return values;
    values[wrong] = left.get(wrong)?.shift();
  }
};
