// Relations of a family: inside, the mock holds them as the conventions do, as `{ id }`.
import type { WholeFamily } from '../../src/families/family.ts';
import { isObject } from '../../src/options.ts';
import { pathsBelow } from '../../src/schema/field-paths.ts';
import { isAbsent } from '../../src/schema/resource.ts';
import type { ExpansionTarget, Schema } from '../../src/schema/types/shape.ts';
import {
  coreOf,
  definitionOf,
  fieldOf,
  fieldsOf,
  innerOf,
  kindOf,
  objectOf,
  oncePer,
  targetOf,
  withInner,
} from '../../src/schema/zod.ts';

/**
 * What stands for a resource inside: a reference, whatever the family has. It leads to the resource in the
 * same form, and is marked where the family leaves it out.
 */
const referenceTo = (target: Schema, isLeftOut: boolean): Schema => {
  const id = fieldOf(target, 'id');
  const reference = objectOf(() => (id === undefined ? {} : { id }));
  if (isLeftOut) Object.assign(reference, { isAbsent: true });
  return Object.defineProperty(reference, 'target', { get: () => withReferences(target) });
};

/** A schema whose relations are references, for a family that has their ids, or nothing. */
export const withReferences: (schema: Schema) => Schema = oncePer((schema) => {
  const { target }: Schema & Partial<ExpansionTarget> = schema;
  if (target !== undefined) return referenceTo(target, isAbsent(schema));
  const inner = innerOf(schema);
  if (inner !== undefined) return withInner(schema, withReferences(inner));
  if (kindOf(schema) !== 'object') return schema;
  const definition = definitionOf(schema);
  const fields = () =>
    Object.fromEntries(
      Object.entries(definition.shape ?? {}).map(([name, field]) => [name, withReferences(field)]),
    );
  return Object.assign(
    objectOf(fields, definition),
    Object.hasOwn(schema, 'isResource') && { isResource: true },
  );
});

const idOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(idOf);
  return isObject(value) ? value.id : value;
};

/**
 * A value as a server of the family sends it: relations that are not expanded are their ids, or are left out.
 *
 * @param expand - dotted paths of the relations that are expanded
 */
export const showRelations = (
  value: unknown,
  schema: Schema,
  expand: readonly string[],
  family: WholeFamily,
): unknown => {
  if (Array.isArray(value)) return value.map((item) => showRelations(item, schema, expand, family));
  if (!isObject(value)) return value;
  const fields = fieldsOf(schema) ?? {};
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const field = fields[name];
    if (field === undefined) return [[name, inner] as const];
    const deeper = pathsBelow(expand, name);
    const isExpanded = expand.includes(name) || deeper.length > 0;
    const isRelation = targetOf(coreOf(field)) !== undefined;
    if (!isRelation || isExpanded) return [[name, showRelations(inner, field, deeper, family)] as const];
    return family.unexpanded === 'id' ? [[name, idOf(inner)] as const] : [];
  });
  return Object.fromEntries(entries);
};
