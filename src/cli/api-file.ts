import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { conventions } from '../families/family.ts';
import { type ApiDeclaration, defineApi } from '../index.ts';
import { isObject } from '../options.ts';
import { UsageError } from './errors.ts';
import { printable } from './io.ts';

/** Recognised by its shape: the file imports another copy of restkin, whose classes and symbols differ. */
const isDeclaration = (value: unknown): value is ApiDeclaration =>
  isObject(value) && typeof value.version === 'number' && 'auth' in value && isObject(value.collections);

/** What a file with `import` and `export` is refused with where its name or its package.json says CommonJS. */
const commonJsPattern =
  /^(?:Cannot use import statement|Cannot use 'import\.meta'|Unexpected token 'export')/;

/** A file that TypeScript imports as the compiler wants it, without an extension or by that of its output. */
const compilerPath = /'.*[/\\][^./\\]+(?:\.[cm]?js)?' imported from .*\.[cm]?tsx?$/;

/** The name that makes a file a module, or what to pass in its place. */
const wayTo = (path: string): string => {
  const name = basename(path, extname(path));
  return /tsx?$/.test(path) ? `name it ${name}.mts, or pass the compiled file` : `name it ${name}.mjs`;
};

/**
 * Why a file cannot be loaded as CommonJS.
 *
 * @param file - the absolute path of the API file
 */
const commonJsReason = ({ stack = '' }: Error, file: string): string => {
  // The error may be that of a file that the API file imports.
  const [, at = file] = /^(?:file:\/\/)?(\/.*|[A-Za-z]:.*?):\d+$/m.exec(stack) ?? [];
  return `${at === file ? 'it' : at} has \`import\` or \`export\`, and is CommonJS by its name or by "type" in package.json; ${wayTo(at)}`;
};

const reasonOf = (error: unknown, file: string): string => {
  const { code, message } = (error ?? {}) as Readonly<Partial<Record<string, unknown>>>;
  const text = typeof message === 'string' ? message : String(error);
  if (error instanceof SyntaxError && commonJsPattern.test(text)) return commonJsReason(error, file);
  const [, emptyFile] = /^The requested module '(\.[^']*)' does not provide an export/.exec(text) ?? [];
  if (emptyFile !== undefined)
    return `${text}; if it has that export, it is CommonJS by its name or by "type" in package.json: ${wayTo(emptyFile)}`;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return /"\.[cm]?tsx?"/.test(text)
      ? 'this runtime does not run TypeScript; use Node 22.18 or newer, Bun or Deno, or pass the compiled file'
      : 'it must be a JavaScript or TypeScript file, such as api.js or api.ts';
  }
  if (code === 'ERR_MODULE_NOT_FOUND' && compilerPath.test(text))
    return `${text}; Node imports TypeScript by its name, such as './orders.ts'; or pass the compiled file`;
  return text;
};

const importFile = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`${file} does not exist`);
  if (/\.(json|ya?ml)$/i.test(file)) {
    throw new UsageError(
      `${file} declares no API; name a file that calls defineApi. "restkin import" writes one from an OpenAPI document`,
    );
  }
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${printable(reasonOf(error, path))}`);
  }
};

/**
 * The declarations that a file exports, each with the name of its export; with `--api`, only the one of that
 * name.
 *
 * @param file - JavaScript, or TypeScript where the runtime strips types
 * @throws {@link UsageError} for a file that cannot be loaded or declares no API, and for an unknown name
 */
export const loadApis = async (
  file: string,
  name: string | undefined,
): Promise<ReadonlyMap<ApiDeclaration, string>> => {
  const exported = Object.entries(await importFile(file)).flatMap(([key, value]) =>
    isDeclaration(value) ? [[value, key] as const] : [],
  );
  if (exported.length === 0)
    throw new UsageError(`${file} declares no API: it must export what defineApi returns`);
  const apis = new Map(exported.filter(([, key]) => name === undefined || key === name));
  // A plain object of the same shape is checked here.
  for (const api of apis.keys()) defineApi(api);
  if (apis.size > 0) return apis;
  const names = exported.map(([, key]) => key).join(', ');
  throw new UsageError(`${file} exports no API as ${JSON.stringify(name)}; it exports ${names}`);
};

/** The declaration that `--api` names, or the only one of a file. Several are a {@link UsageError}. */
export const loadApi = async (file: string, name: string | undefined): Promise<ApiDeclaration> => {
  const apis = await loadApis(file, name);
  const [first, ...more] = apis.keys();
  if (first !== undefined && more.length === 0) return first;
  const names = [...apis.values()].join(', ');
  throw new UsageError(`${file} declares several APIs: choose one of ${names} with --api=<name>`);
};

/** An API as a person reads it: its name, and its version where its family has one in the path (§9). */
export const titleOf = (api: ApiDeclaration): string =>
  (api.wire?.family ?? conventions).path.includes('{version}') ? `${api.name} v${api.version}` : api.name;
