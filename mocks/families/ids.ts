// The name of an id in the paths of a family. Inside, the mock has `id`.
import { descendingPrefix, pathSeparator } from '../../src/conventions.ts';
import type { WholeFamily } from '../../src/families/family.ts';
import { schemaAt } from '../../src/schema/field-paths.ts';
import type { Schema } from '../../src/schema/types/shape.ts';

/** A path of a query, which may end with the id of a resource. One to sort by may have a sign. */
export const readPath = (given: string, resource: Schema, { idField }: WholeFamily): string => {
  const sign = given.startsWith(descendingPrefix) ? descendingPrefix : '';
  const path = given.slice(sign.length);
  const names = path.split(pathSeparator);
  const isId = names.at(-1) === idField && schemaAt(resource, path) === undefined;
  return sign + (isId ? names.with(-1, 'id') : names).join(pathSeparator);
};

/** The path of an invalid field as the family has it. */
export const writeFieldPath = (path: string, { idField }: WholeFamily): string =>
  path
    .split(pathSeparator)
    .map((name) => (name === 'id' ? idField : name))
    .join(pathSeparator);
