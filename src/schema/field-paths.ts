// Dotted paths to the fields of a resource, as queries and declarations name them.
import { descendingPrefix, pathSeparator } from '../conventions.ts';
import { isStrings } from '../options.ts';
import { nearestName } from './nearest.ts';
import type { Schema } from './types/shape.ts';
import { fieldOf, fieldsOf, targetOf } from './zod.ts';

/** The rest of each path that leads through a name. */
export const pathsBelow = (paths: readonly string[], name: string): readonly string[] => {
  const prefix = name + pathSeparator;
  return paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
};

/** The schema at a dotted path below a schema; undefined when there is none. */
export const schemaAt = (schema: Schema, path: string): Schema | undefined => {
  let at: Schema | undefined = schema;
  for (const name of path.split(pathSeparator)) at = at && fieldOf(at, name);
  return at;
};

/**
 * The path that a misspelt one probably means: its first unknown name with a known one of the same object.
 */
const nearestPath = (resource: Schema, path: string): string | undefined => {
  const names = path.split(pathSeparator);
  let at = resource;
  for (const [index, name] of names.entries()) {
    const field = fieldOf(at, name);
    if (field === undefined) {
      const nearest = nearestName(name, Object.keys(fieldsOf(at) ?? {})) ?? name;
      const meant = names.with(index, nearest).join(pathSeparator);
      return schemaAt(resource, meant) && meant;
    }
    at = field;
  }
  return undefined;
};

/** Names the field that is probably meant, with the sign of the given name, or else the fields that there are. */
const fieldsLike = (resource: Schema, name: string, path: string): string => {
  const nearest = nearestPath(resource, path);
  if (nearest !== undefined) return `; did you mean "${name.slice(0, -path.length)}${nearest}"?`;
  return `; the resource has ${Object.keys(fieldsOf(resource) ?? {}).join(', ')}`;
};

// A resource may contain itself, and a message has an end.
const levelsNamed = 3;
const mostNamed = 20;

/** The paths to the nested resources that can be expanded. */
const expandablePaths = (schema: Schema, levels = levelsNamed): readonly string[] =>
  Object.entries(levels > 0 ? (fieldsOf(schema) ?? {}) : {}).flatMap(([name, field]) => [
    ...(targetOf(field) === undefined ? [] : [name]),
    ...expandablePaths(field, levels - 1).map((path) => name + pathSeparator + path),
  ]);

/** Names what `expand` takes. */
const expandableIn = (resource: Schema, allowed: true | readonly string[]): string => {
  const names = allowed === true ? expandablePaths(resource) : allowed;
  return names.length > 0 ? `; it takes ${names.slice(0, mostNamed).join(', ')}` : '';
};

/**
 * What is wrong with the names of a `parameter`, of which `sort` may begin with a sign; undefined when the
 * resource has all of them.
 *
 * @param allowed - the only names that are declared; all of the resource by default
 */
export const checkNames = (
  resource: Schema,
  parameter: 'sort' | 'fields' | 'expand' | 'references' | 'key',
  names: unknown,
  allowed: true | readonly string[] = true,
): string | undefined => {
  if (!isStrings(names)) return `\`${parameter}\` must be an array of field names`;
  for (const name of names) {
    const path = parameter === 'sort' && name.startsWith(descendingPrefix) ? name.slice(1) : name;
    const schema = schemaAt(resource, path);
    if (schema === undefined) {
      const advice =
        parameter === 'expand' ? expandableIn(resource, allowed) : fieldsLike(resource, name, path);
      return `\`${parameter}\` names the unknown field "${name}"${advice}`;
    }
    if (parameter === 'expand' && targetOf(schema) === undefined)
      return `\`expand\` names a field that is not expandable(): "${name}"${expandableIn(resource, allowed)}`;
    if (allowed !== true && !allowed.includes(path))
      return `\`${parameter}\` is not declared for the field "${path}"; add it to \`${parameter}\` of its collection()`;
  }
  return undefined;
};
