import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiDeclaration } from '../index.ts';
import { printable } from './output/printable.ts';
import { UsageError } from './usage-error.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isCollection = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.path === 'string' &&
  isObject(value.options) &&
  isObject(value.resource) &&
  '_zod' in value.resource;

/**
 * Known by what it looks like: the file has a `restkin` of its own, often another copy, and no class or mark of it is
 * ours.
 */
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
    return 'this runtime does not run TypeScript; use Node 22.18 or newer, Bun or Deno, or name the compiled file';
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
 * The declarations that a file exports, by the name of the export; one may have several.
 *
 * @param file - TypeScript where the runtime takes types away, else JavaScript
 * @throws {@link UsageError} for a file that cannot be loaded, or that declares nothing
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
 * The declaration that is meant: the only one of a file, or the one that `--api` names.
 *
 * @throws {@link UsageError} as {@link loadApis}, and when it is not clear which one is meant
 */
export const loadApi = async (file: string, name: string | undefined): Promise<ApiDeclaration> => {
  const apis = await loadApis(file);
  const names = [...apis.keys()].join(', ');
  const [first, ...more] = new Set(apis.values());
  const chosen = name === undefined && more.length === 0 ? first : apis.get(name ?? '');
  if (chosen !== undefined) return chosen;
  throw new UsageError(
    name === undefined
      ? `${file} declares several APIs: choose one with --api=<name>, of ${names}`
      : `${file} has no API that is exported as ${JSON.stringify(name)}; it has ${names}`,
  );
};
