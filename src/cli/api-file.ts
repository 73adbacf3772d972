import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ApiDeclaration } from '../index.ts';
import { isObject } from '../options.ts';
import { UsageError } from './errors.ts';
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

/** The place of an error in the user's own files, such as `orders.ts:7`; undefined when its stack names none. */
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

/** Imports a module. Rejects when a signal ends the command. */
const importModule = (url: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    import(url).then(resolve, reject);
  });

const importFile = async (file: string, signal: AbortSignal) => {
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

/** The declarations that a file exports, by the name of the export; with `--api`, only the one of that name. */
const loadNamed = async (
  file: string,
  name: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ApiDeclaration>> => {
  const isApi = (entry: [string, unknown]): entry is [string, ApiDeclaration] => isDeclaration(entry[1]);
  const apis = new Map(Object.entries(await importFile(file, signal)).filter(isApi));
  if (apis.size === 0) throw new UsageError(`${file} declares no API: it must export what defineApi returns`);
  if (name === undefined) return apis;
  const named = apis.get(name);
  if (named !== undefined) return new Map([[name, named]]);
  const names = [...apis.keys()].join(', ');
  throw new UsageError(`${file} exports no API as ${JSON.stringify(name)}; it exports ${names}`);
};

/**
 * The declaration that `--api` names; without it, every declaration that a file exports.
 *
 * @param file - JavaScript, or TypeScript where the runtime strips types
 * @param signal - ends the loading
 * @throws {@link UsageError} for a file that cannot be loaded or declares no API, and for an unknown name
 */
export const loadEvery = async (
  file: string,
  name: string | undefined,
  signal: AbortSignal,
): Promise<readonly ApiDeclaration[]> => [...new Set((await loadNamed(file, name, signal)).values())];

/**
 * The declaration that `--api` names, or the only one of a file.
 *
 * @throws {@link UsageError} as {@link loadEvery}, and when there are several
 */
export const loadApi = async (
  file: string,
  name: string | undefined,
  signal: AbortSignal,
): Promise<ApiDeclaration> => {
  const apis = await loadNamed(file, name, signal);
  const [first, ...more] = new Set(apis.values());
  if (first !== undefined && more.length === 0) return first;
  const names = [...apis.keys()].join(', ');
  throw new UsageError(`${file} declares several APIs: choose one of ${names} with --api=<name>`);
};
