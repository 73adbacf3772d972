import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { bundle } from '@scalar/json-magic/bundle';
import { upgrade } from '@scalar/openapi-upgrader';
import { isObject } from '../../options.ts';
import { UsageError } from '../errors.ts';
import { cannotRead } from '../io.ts';
import { type Json, stringAt } from './json.ts';

const read = async (file: string): Promise<unknown> => {
  const content = await readFile(file, 'utf8').catch((error) => {
    throw cannotRead(file, error);
  });
  try {
    return /^\s*\{/.test(content) ? JSON.parse(content.trim()) : (await import('js-yaml')).load(content);
  } catch (error) {
    // The rest of the message quotes the document.
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UsageError(`${file} is neither JSON nor YAML: ${reason}`);
  }
};

/**
 * The key of a document among those that references lead to: the name of its file, which names a schema that
 * is a whole file.
 */
const keyOf = (name: string): string =>
  /\.\w+$/.test(name) ? (name.split(/[\\/]/).at(-1) ?? '').replace(/\.\w+$/, '') : `${name}2`;

/** Refuses a file that a reference leads to, unless it is one of `allowed` or in a folder of them. */
const checkAllowed = (file: string, target: string, allowed: readonly string[]): void => {
  if (/^https?:/i.test(target)) {
    const { origin, pathname } = new URL(target);
    throw new UsageError(
      `${file}: a reference leads to ${origin}${pathname}; save what is there, and refer to the file`,
    );
  }
  // A document may name itself.
  if (target === resolve(file)) return;
  if (allowed.some((one) => `${target}${sep}`.startsWith(resolve(one) + sep))) return;
  const name = JSON.stringify(relative(dirname(resolve(file)), target));
  throw new UsageError(
    `${file}: a reference to ${name} leads to another file; if it may be read, add --allow-ref=${relative('.', target)}`,
  );
};

const checkVersion = (document: Json): void => {
  const version = stringAt(document, 'openapi') ?? stringAt(document, 'swagger') ?? '';
  if (/^(?:2\.0|3\.[01])(?:\.|$)/.test(version)) return;
  throw new UsageError(
    'The document must be OpenAPI 2.0, 3.0 or 3.1, with its version in quotation marks, such as `"openapi": "3.1.0"`',
  );
};

/**
 * Reads a document as OpenAPI 3.1, with the documents in it that its references lead to; these must be among
 * `allowed`.
 */
export const loadDocument = async (file: string, allowed: readonly string[]): Promise<Json> => {
  const document = await read(file);
  if (!isObject(document))
    throw new UsageError(`${file} is not an OpenAPI document: it does not contain an object`);
  checkVersion(document);
  const exec = async (target: string) => {
    checkAllowed(file, target, allowed);
    return { ok: true as const, data: await read(target), raw: '' };
  };
  const plugins = [{ type: 'loader' as const, validate: () => true, exec }];
  const options = {
    origin: resolve(file),
    plugins,
    treeShake: false,
    compress: keyOf,
    // A `$ref` in an example, a default or an extension is data.
    traversal: 'document' as const,
  };
  return { ...upgrade({ ...(await bundle({ ...document }, options)) }, '3.1') };
};
