// The id of a resource under the name that a family has for it. Inside, the mock has `id`.
import { descendingPrefix, pathSeparator } from '../../src/conventions.ts';
import type { WholeFamily } from '../../src/families/family.ts';
import { isObject } from '../../src/options.ts';
import { schemaAt } from '../../src/schema/field-paths.ts';
import { isResource } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, fieldsOf, targetOf } from '../../src/schema/zod.ts';

/** A value in which the id of each resource has another name. */
const rename = (value: unknown, schema: Schema, before: string, after: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => rename(item, schema, before, after));
  if (!isObject(value)) return value;
  const isOfResource = targetOf(schema) !== undefined || isResource(coreOf(schema));
  const renamed: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const field = fieldsOf(schema)?.[name];
    const key = isOfResource && name === before ? after : name;
    renamed[key] = field === undefined ? inner : rename(inner, field, before, after);
  }
  return renamed;
};

/** A body of the family with `id` in its resources. */
export const readIds = (body: unknown, schema: Schema, { idField }: WholeFamily): unknown =>
  idField === 'id' ? body : rename(body, schema, idField, 'id');

/** A body as a server of the family sends it. */
export const writeIds = (body: unknown, schema: Schema, { idField }: WholeFamily): unknown =>
  idField === 'id' ? body : rename(body, schema, 'id', idField);

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
