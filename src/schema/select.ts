import { $ZodString } from 'zod/v4/core';
import { requireSynchronous } from './codec.ts';
import { pathsBelow } from './field-paths.ts';
import { isAbsent, isIdentified, isIdentityField, isImpliedSelf, isResource } from './resource.ts';
import type { Schema, Shape } from './types/shape.ts';
import { definitionOf, innerOf, kindOf, objectOf, oncePer, targetOf, withInner } from './zod.ts';

/** The part of a resource that a query selects (§4.4). */
export interface Selection {
  /** The only fields that are returned, besides `id` and `self`; all fields when none is named. */
  readonly fields?: readonly string[] | undefined;
  /** The nested resources that are returned in full. */
  readonly expand?: readonly string[] | undefined;
}

const string = new $ZodString({ type: 'string' });

/**
 * The kept fields of an object: all of them without `fields`. `id` and `self` stay at every level that is
 * kept (§4.4).
 */
const selectShape = (
  shape: Shape,
  { fields, expand = [] }: Selection,
  keepsIdentity: boolean,
  fetchable: boolean,
): Shape => {
  const selected: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const isWhole = fields?.includes(name) ?? true;
    const inside = {
      fields: isWhole ? undefined : pathsBelow(fields ?? [], name),
      expand: pathsBelow(expand, name),
    };
    const isExpanded = expand.includes(name) || inside.expand.length > 0;
    if (!isExpanded && isAbsent(schema)) continue;
    const stays = keepsIdentity && isIdentityField(name);
    if (inside.fields?.length === 0 && !stays) continue;
    selected[name] = select(schema, inside, isExpanded);
  }
  // A resource that can be fetched on its own has a self link (§2.1), unless its declaration says otherwise.
  if (fetchable && keepsIdentity && isImpliedSelf(shape.self)) selected.self = string;
  return selected;
};

const selectObject = (schema: Schema, selection: Selection, fetchable: boolean): Schema => {
  const definition = definitionOf(schema);
  const selected = objectOf(
    () => selectShape(definition.shape ?? {}, selection, isIdentified(schema), fetchable),
    // A limited object drops its checks, which may read a field that is left out.
    selection.fields === undefined ? definition : { catchall: definition.catchall },
  );
  // A family may name its id otherwise.
  return isResource(schema) ? Object.assign(selected, { isResource: true }) : selected;
};

/** Paths do not lead into unions, records and tuples: what they hold stays as it is declared. */
const select = (schema: Schema, selection: Selection, expanded: boolean): Schema => {
  const inner = innerOf(schema);
  if (inner !== undefined) return withInner(schema, select(inner, selection, expanded));
  const target = targetOf(schema);
  if (target !== undefined) return expanded ? selectObject(target, selection, true) : schema;
  return kindOf(schema) === 'object' ? selectObject(schema, selection, false) : schema;
};

// Selections written in code are few; those computed for each call must not fill the memory.
const mostSelections = 200;

/**
 * The schemas of responses, limited by `fields` and expanded by `expand` (§4.4). zod compiles each one, so it
 * is kept.
 */
export const selectedSchemasOf = oncePer((resource: Schema) => {
  const derived = new Map<string, Schema>();
  return ({ fields, expand }: Selection, fetchable = true): Schema => {
    const key = JSON.stringify([fetchable, fields, expand]);
    const known = derived.get(key);
    if (known !== undefined) return known;
    requireSynchronous(resource);
    const limit = fields?.length ? fields : undefined;
    const schema = selectObject(resource, { fields: limit, expand }, fetchable);
    if (derived.size >= mostSelections) derived.clear();
    derived.set(key, schema);
    return schema;
  };
});
