import { pathSeparator } from '../conventions.ts';
import type { Schema, Shape } from './types/shape.ts';
import { fieldsOf, targetOf } from './zod.ts';

/** The schema at a dotted path below a schema; undefined when there is none. */
const schemaAt = (schema: Schema, path: string): Schema | undefined => {
  let at: Schema | undefined = schema;
  for (const name of path.split(pathSeparator)) {
    const shape: Shape | undefined = at && fieldsOf(at);
    at = shape && Object.hasOwn(shape, name) ? shape[name] : undefined;
  }
  return at;
};

/** True when a resource has a field at this path. */
export const hasField = (resource: Schema, path: string): boolean => schemaAt(resource, path) !== undefined;

/** True when a resource has a nested resource at this path that can be expanded. */
export const isExpandable = (resource: Schema, path: string): boolean => {
  const schema = schemaAt(resource, path);
  return schema !== undefined && targetOf(schema) !== undefined;
};

/** What is wrong with a list of names, as they stand in `parameter`; undefined when all of them exist. */
export const checkNames = (
  parameter: string,
  names: unknown,
  exists: (name: string) => boolean,
): string | undefined => {
  if (!Array.isArray(names)) return `\`${parameter}\` must be an array of field names`;
  for (const name of names) {
    if (typeof name !== 'string' || !exists(name))
      return `\`${parameter}\` names the unknown field "${String(name)}"`;
  }
  return undefined;
};
