import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { bundle } from '@scalar/json-magic/bundle';
import { upgrade } from '@scalar/openapi-upgrader';
import { UsageError } from '../errors.ts';
import { cannotRead } from '../io.ts';
import { isObject, type Json, stringAt } from './json.ts';

const timeoutMs = 30_000;

const isUrl = (name: string): boolean => /^https?:\/\//i.test(name);

/** A URL without the parts that may hold a secret. */
const withoutSecrets = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

const parse = async (name: string, content: string): Promise<unknown> => {
  try {
    if (/^\s*\{/.test(content)) return JSON.parse(content);
    const { load } = await import('js-yaml');
    return load(content);
  } catch (error) {
    // The rest of the message quotes the document.
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UsageError(`${name} is neither JSON nor YAML: ${reason.replace(/:$/, '')}`);
  }
};

const readLocal = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw cannotRead(file, error);
  }
};

const readRemote = async (url: string, stop: AbortSignal): Promise<string> => {
  const name = withoutSecrets(url);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url, { redirect: 'error', signal });
    if (!response.ok) throw new UsageError(`GET ${name}: status ${response.status}`);
    return await response.text();
  } catch (error) {
    if (error instanceof UsageError || stop.aborted) throw error;
    throw new UsageError(`GET ${name}: no complete response; a redirect is not followed`);
  }
};

/** The key of a document among those that references lead to: the name of its file, which names a schema that is a whole file. */
const keyOf = (name: string): string =>
  /\.\w+$/.test(name) ? (name.split(/[\\/]/).at(-1) ?? '').replace(/\.\w+$/, '') : `${name}2`;

/** Whether a file, a folder, a URL or a host of `allowed` covers a file or a URL. */
const isAllowed = (target: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => {
    if (isUrl(one) !== isUrl(target)) return false;
    if (isUrl(one)) return new URL(one).href === target || new URL(one).href === `${new URL(target).origin}/`;
    const path = resolve(one);
    return path === target || target.startsWith(path.endsWith(sep) ? path : path + sep);
  });

const checkVersion = (document: Json): void => {
  const version = stringAt(document, 'openapi') ?? stringAt(document, 'swagger');
  if (version !== undefined && /^(?:2\.0|3\.[01])(?:\.|$)/.test(version)) return;
  throw new UsageError(
    version === undefined
      ? 'The document is not an OpenAPI document: `openapi` must be a version in quotation marks, such as "3.1.0"'
      : `The document has the OpenAPI version ${JSON.stringify(version.slice(0, 20))}; 2.0, 3.0 and 3.1 can be imported`,
  );
};

/**
 * Reads a document as OpenAPI 3.1, with the documents that its references lead to in it. References to other files and URLs are
 * refused, except to those in `allowed`: a file, a folder, a URL, or a host such as `https://schemas.example.com`.
 *
 * @throws {@link UsageError} for a file that is not a document
 */
export const loadDocument = async (
  file: string,
  allowed: readonly string[],
  stop: AbortSignal,
): Promise<Json> => {
  const document = await parse(file, await readLocal(file));
  if (!isObject(document))
    throw new UsageError(`${file} is not an OpenAPI document: it does not contain an object`);
  checkVersion(document);
  const read = async (target: string) => {
    if (!isAllowed(target, allowed)) {
      const [kind, name, flag] = isUrl(target)
        ? ['host', withoutSecrets(target), new URL(target).origin]
        : ['file', relative(dirname(resolve(file)), target), relative('.', target)];
      throw new UsageError(
        `${file}: a reference to ${JSON.stringify(name)} leads to another ${kind}; if it may be read, add --allow-ref=${flag}`,
      );
    }
    const content = isUrl(target) ? await readRemote(target, stop) : await readLocal(target);
    const data = await parse(isUrl(target) ? withoutSecrets(target) : target, content);
    return { ok: true as const, data, raw: content };
  };
  const plugins = [{ type: 'loader' as const, validate: () => true, exec: read }];
  const whole = await bundle(
    { ...document },
    { origin: resolve(file), plugins, treeShake: false, compress: keyOf },
  );
  return { ...upgrade({ ...whole }, '3.1') };
};
