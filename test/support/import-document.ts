import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import {
  type ApiDeclaration,
  collection,
  defineApi,
  endpoint,
  expandable,
  family,
  openEnum,
  resource,
} from 'restkin';
import * as presets from 'restkin/families';
import { expect } from 'vitest';
import * as z from 'zod';
import { importDocument } from '../../src/cli/import/import.ts';
import { loadDocument } from '../../src/cli/import/load.ts';
import { lostOperations } from './whole-import.ts';

export interface Imported {
  readonly imports: string;
  readonly declarations: string;
  readonly summary: string;
  readonly family?: string;
  readonly lists?: string;
  readonly sizes?: string;
  readonly names?: string;
  /** `Thing.name: a reason`. */
  readonly unfit: readonly string[];
}

/** Imports a document: an object, or a file's content. No operation of it may be lost. */
export const importOf = async (
  document: unknown,
  allowed: readonly string[] = [],
  preset?: string,
): Promise<Imported> => {
  const folder = await mkdtemp(join(tmpdir(), 'restkin-import-'));
  try {
    const file = join(folder, 'document.json');
    await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document));
    const loaded = await loadDocument(file, allowed);
    const { unfit, ...imported } = importDocument(loaded, preset);
    const whole = { ...imported, unfit: unfit.map(({ where, reason }) => `${where}: ${reason}`) };
    const reported = unfit.map(({ where }) => where);
    expect(lostOperations(loaded, apisOf(whole), reported)).toEqual([]);
    return whole;
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Runs the declarations that were written, and gives what they export. */
export const evaluate = ({ declarations }: Imported): Readonly<Record<string, unknown>> => {
  const names = [...declarations.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  const program = stripTypeScriptTypes(declarations).replaceAll(/^export const /gm, 'const ');
  const given = { collection, defineApi, endpoint, expandable, family, openEnum, resource, z, ...presets };
  // A block, because a program of another family has builders of its own.
  const run = compileFunction(`{ ${program}\nreturn { ${names.join(', ')} }; }`, Object.keys(given));
  return run(...Object.values(given));
};

/** The APIs among them. */
export const apisOf = (imported: Imported): readonly ApiDeclaration[] =>
  Object.values(evaluate(imported)).filter(
    (value): value is ApiDeclaration => typeof value === 'object' && value !== null && 'collections' in value,
  );
