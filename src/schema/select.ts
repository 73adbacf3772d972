import { $ZodString } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import { requireSynchronous } from './codec.ts';
import { hasIdentity, isIdentityField } from './resource.ts';
import type { Schema, Shape } from './types/shape.ts';
import { definitionOf, innerOf, kindOf, objectOf, targetOf, withInner } from './zod.ts';

/** The part of a resource that a query selects (§4.4). */
export interface Selection {
  /** The only fields that are returned, besides `id` and `self`; all fields when none is named. */
  readonly fields?: readonly string[] | undefined;
  /** The nested resources that are returned in full. */
  readonly expand?: readonly string[] | undefined;
}

/** Dotted paths as a tree. A name whose value is undefined selects everything below it. */
type Names = ReadonlyMap<string, Names | undefined>;

const toTree = (paths: readonly string[], whole: boolean): Names => {
  const heads = new Map<string, string[] | undefined>();
  for (const path of paths) {
    const [head = '', ...rest] = path.split(pathSeparator);
    const below = heads.get(head);
    if (heads.has(head) && below === undefined && whole) continue;
    if (rest.length === 0) heads.set(head, whole ? undefined : (below ?? []));
    else heads.set(head, [...(below ?? []), rest.join(pathSeparator)]);
  }
  return new Map([...heads].map(([head, below]) => [head, below && toTree(below, whole)]));
};

const string = new $ZodString({ type: 'string' });

/** The kept fields of an object. `id` and `self` stay at every level that is kept (§4.4). */
const selectShape = (shape: Shape, fields: Names | undefined, expand: Names, fetchable: boolean): Shape => {
  const isResource = hasIdentity(shape);
  const selected: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const stays = isResource && isIdentityField(name);
    if (fields !== undefined && !fields.has(name) && !stays) continue;
    selected[name] = select(schema, fields?.get(name), expand.get(name) ?? none, expand.has(name));
  }
  // A resource that can be fetched on its own has a self link (§2.1).
  if (fetchable && isResource) selected.self = string;
  return selected;
};

const none: Names = new Map();

const selectObject = (
  schema: Schema,
  fields: Names | undefined,
  expand: Names,
  fetchable: boolean,
): Schema => {
  const definition = definitionOf(schema);
  return objectOf(
    () => selectShape(definition.shape ?? {}, fields, expand, fetchable),
    // A limited object drops its checks, which may read a field that is left out.
    fields === undefined ? definition : { catchall: definition.catchall },
  );
};

/** Paths do not lead into unions, records and tuples: what they hold stays as it is declared. */
const select = (schema: Schema, fields: Names | undefined, expand: Names, expanded: boolean): Schema => {
  const inner = innerOf(schema);
  if (inner !== undefined) return withInner(schema, select(inner, fields, expand, expanded));
  const target = targetOf(schema);
  if (target !== undefined) return expanded ? selectObject(target, fields, expand, true) : schema;
  return kindOf(schema) === 'object' ? selectObject(schema, fields, expand, false) : schema;
};

/** The schema of a response: a resource limited by `fields` and expanded by `expand` (§4.4). */
export const selectFrom = (resource: Schema, { fields, expand }: Selection, fetchable = true): Schema =>
  selectObject(
    resource,
    fields?.length ? toTree(fields, true) : undefined,
    toTree(expand ?? [], false),
    fetchable,
  );

// Selections written in code are few; those computed for each call must not fill the memory.
const mostSelections = 200;

/** Derives the schema of a resource once per selection of `fields` and `expand`, and remembers it. */
export const createSelectedSchemas = (
  resource: Schema,
  fetchable: boolean,
): ((selection: Selection) => Schema) => {
  const derived = new Map<string, Schema>();
  return ({ fields, expand }) => {
    const key = fields === undefined && expand === undefined ? '' : JSON.stringify([fields, expand]);
    const known = derived.get(key);
    if (known !== undefined) return known;
    requireSynchronous(resource);
    const schema = selectFrom(resource, { fields, expand }, fetchable);
    if (derived.size >= mostSelections) derived.clear();
    derived.set(key, schema);
    return schema;
  };
};
