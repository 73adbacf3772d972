import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ApiDeclaration, Collection } from '../index.ts';
import { suggest } from './arguments.ts';
import { UsageError } from './errors.ts';
import { isObject } from './import/json.ts';
import { printable } from './io.ts';

const isCollection = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.path === 'string' &&
  isObject(value.options) &&
  isObject(value.resource) &&
  '_zod' in value.resource;

/** Recognised by its shape: the file imports another copy of restkin, whose classes and symbols differ. */
const isDeclaration = (value: unknown): value is ApiDeclaration =>
  isObject(value) &&
  typeof value.name === 'string' &&
  typeof value.version === 'number' &&
  (typeof value.auth === 'string' || Array.isArray(value.auth)) &&
  isObject(value.collections) &&
  Object.values(value.collections).every(isCollection);

const here = new URL('.', import.meta.url).href;

/** Where in a file of the user's own an error is, such as `orders.ts:7`. */
const placeOf = (stack: string): string | undefined => {
  for (const [, url = '', line] of stack.matchAll(/(file:\/\/[^\s)]+?):(\d+)/g))
    if (!url.startsWith(here) && !url.includes('/node_modules/'))
      return `${relative('.', fileURLToPath(url))}:${line}`;
  return undefined;
};

const reasonOf = (error: unknown): string => {
  const { code, message, stack } = (error ?? {}) as Readonly<Partial<Record<string, unknown>>>;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return /"\.[cm]?tsx?"/.test(String(message))
      ? 'this runtime does not run TypeScript; use Node 22.18 or newer, Bun or Deno, or pass the compiled file'
      : 'it must be a JavaScript or TypeScript file, such as api.js or api.ts';
  }
  if (typeof message !== 'string') return String(error);
  const place = typeof stack === 'string' ? placeOf(stack) : undefined;
  return place === undefined ? message : `${message} (${place})`;
};

/** Imports a module. Its top-level code may wait: for what never happens, or until a signal ends the command. */
const importModule = (url: string, signal: AbortSignal | undefined) =>
  new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    process.once('beforeExit', () => reject(new Error('its top-level `await` never ends')));
    import(url).then(resolve, reject);
  });

const importFile = async (file: string, signal: AbortSignal | undefined) => {
  const path = resolve(file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`${file} does not exist`);
  if (found.isDirectory()) throw new UsageError(`${file} is a folder; name the file that calls defineApi`);
  if (/\.(json|ya?ml)$/i.test(file)) {
    throw new UsageError(
      `${file} declares no API; name a file that calls defineApi. "restkin import" writes one from an OpenAPI document`,
    );
  }
  try {
    return await importModule(pathToFileURL(path).href, signal);
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${printable(reasonOf(error))}`);
  }
};

/**
 * The declarations that a file exports, by the name of the export. One declaration can have several names.
 *
 * @param file - JavaScript, or TypeScript where the runtime strips types
 * @param signal - ends the loading
 * @throws {@link UsageError} for a file that cannot be loaded, or that declares no API
 */
export const loadApis = async (
  file: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ApiDeclaration>> => {
  const found = new Map<string, ApiDeclaration>();
  for (const [name, value] of Object.entries(await importFile(file, signal))) {
    if (isDeclaration(value)) found.set(name, value);
  }
  if (found.size === 0)
    throw new UsageError(`${file} declares no API: it must export what defineApi returns`);
  return found;
};

/**
 * The only declaration of a file, or the one that `--api` names.
 *
 * @throws {@link UsageError} as {@link loadApis}, and when several are left
 */
export const loadApi = async (
  file: string,
  name: string | undefined,
  signal?: AbortSignal,
): Promise<ApiDeclaration> => {
  const apis = await loadApis(file, signal);
  const names = [...apis.keys()].join(', ');
  const [first, ...more] = new Set(apis.values());
  const chosen = name === undefined && more.length === 0 ? first : apis.get(name ?? '');
  if (chosen !== undefined) return chosen;
  throw new UsageError(
    name === undefined
      ? `${file} declares several APIs: choose one of ${names} with --api=<name>`
      : `${file} exports no API as ${JSON.stringify(name)}; it exports ${names}`,
  );
};

/**
 * The declaration that `--api` names; without it every one that a file exports.
 *
 * @throws {@link UsageError} as {@link loadApi}
 */
export const loadEvery = async (
  file: string,
  name: string | undefined,
  signal: AbortSignal,
): Promise<readonly ApiDeclaration[]> =>
  name === undefined
    ? [...new Set((await loadApis(file, signal)).values())]
    : [await loadApi(file, name, signal)];

/** The collection or resource of a path. */
export interface Target {
  /** Key of the collection in the declaration. */
  readonly key: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Of one resource; undefined for the whole collection. */
  readonly id: string | undefined;
}

/** True for what `--output` takes for a file: a format has neither a dot nor a slash. */
export const isFile = (output: string): boolean => /[./\\]/.test(output);

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
    .toSorted((a, b) => b.literals - a.literals);
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

const split = (argument: string): readonly [string, string] => {
  const at = argument.indexOf('=');
  if (at < 1) throw new UsageError('--param needs a name and a value: --param name=value');
  return [argument.slice(0, at), argument.slice(at + 1)];
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

const gather = (given: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const strings = new Map<string, readonly string[]>();
  for (const [name, value] of given.map(split)) strings.set(name, [...(strings.get(name) ?? []), value]);
  return strings;
};

/** Query parameters as they are given; a name that is given several times makes a list. */
export const readStrings = (given: readonly string[]): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    [...gather(given)].map(([name, values]) => [name, values.length > 1 ? values : String(values[0])]),
  );

/**
 * Reads an endpoint's own query parameters. Each is tried as a string first, then as other types that its schema may want.
 *
 * @param given - `name=value`; a name that is given several times makes a list
 * @throws {@link UsageError} for an argument without a name, or a name that the endpoint does not declare
 */
export const readParams = async (
  { path, options }: Collection,
  given: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  if (given.length === 0) return undefined;
  const left = new Map([...gather(given)].map(([name, values]) => [name, [...readingsOf(values)]]));
  const values = Object.fromEntries([...left].map(([name, readings]) => [name, readings.shift()]));
  if (options.params === undefined) throw new UsageError(`${path} declares no parameters of its own`);
  // Called through Standard Schema, so that the version of zod does not matter.
  const { validate } = options.params['~standard'];
  for (;;) {
    const result = await validate(values);
    if (result.issues === undefined) {
      const dropped = Object.keys(values).find((name) => !Object.hasOwn(Object(result.value), name));
      if (dropped !== undefined) throw new UsageError(`${path} does not declare the parameter ${dropped}`);
      return values;
    }
    const wrong = result.issues
      .map(({ path = [] }) => String(path[0]))
      .find((name) => left.get(name)?.length);
    // The client reports what does not fit.
    if (wrong === undefined) return values;
    values[wrong] = left.get(wrong)?.shift();
  }
};
