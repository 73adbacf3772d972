import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiDeclaration } from '../index.ts';
import { UsageError } from './errors.ts';
import { printable } from './io.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

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

const reasonOf = (error: unknown): string => {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return 'this runtime does not run TypeScript; use Node 22.18 or newer, Bun or Deno, or pass the compiled file';
  }
  return typeof message === 'string' ? message : String(error);
};

const importFile = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`${file} does not exist`);
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${printable(reasonOf(error))}`);
  }
};

/**
 * The declarations that a file exports, by the name of the export. One declaration can have several names.
 *
 * @param file - JavaScript, or TypeScript where the runtime strips types
 * @throws {@link UsageError} for a file that cannot be loaded, or that declares no API
 */
export const loadApis = async (file: string): Promise<ReadonlyMap<string, ApiDeclaration>> => {
  const found = new Map<string, ApiDeclaration>();
  for (const [name, value] of Object.entries(await importFile(file))) {
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
export const loadApi = async (file: string, name: string | undefined): Promise<ApiDeclaration> => {
  const apis = await loadApis(file);
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
