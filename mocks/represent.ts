import { isObject } from '../src/options.ts';
import type { Schema } from '../src/schema/types/shape.ts';
import { coreOf, fieldOf, fieldsOf, targetOf } from '../src/schema/zod.ts';
import { type Collections, type Endpoint, type Held, parametersOf } from './collections/link.ts';
import { isResource, type Json } from './rows/schema.ts';
import type { Row } from './rows/store.ts';

/** Dotted paths as a tree (§2.1). */
export interface Names {
  /** True where a path ends, which selects everything below. */
  readonly whole: boolean;
  readonly below: ReadonlyMap<string, Names>;
}

/** The part of a resource that a response has (§4.4). */
export interface Selection {
  /** Undefined for every field. */
  readonly fields: Names | undefined;
  /** Undefined for a relation that is not expanded. */
  readonly expand: Names | undefined;
}

/** Every field, and nothing expanded. */
export const wholeResource: Selection = { fields: undefined, expand: undefined };

/** What the links of a response depend on. */
export interface Place {
  readonly collections: Collections;
  readonly endpoint: Endpoint;
  /** Absolute, without a slash at its end. */
  readonly base: string;
  /** The path parameters of the request, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The URI of a row; undefined when its collection has no `get`, or a path that the row does not know. */
const linkTo = ({ holder, row }: Held, { endpoint, base, parameters }: Place): string | undefined => {
  if (!holder.operations.has('get')) return undefined;
  const here = holder === endpoint ? parameters : new Map<string, string>();
  const known = new Map([...here, ...parametersOf(row, holder)]);
  if (!holder.parameters.every((name) => known.has(name))) return undefined;
  const segments = holder.segments.map((part) =>
    part.startsWith(':') ? encodeURIComponent(known.get(part.slice(1)) ?? '') : part,
  );
  return [base, ...segments, encodeURIComponent(String(row.id))].join('/');
};

/** The URI of a resource inside another one or in a list; undefined unless the same resource can be fetched. */
const copySelf = (value: Json, resource: Schema, place: Place): string | undefined => {
  const held = place.collections.find(place.endpoint, resource, value.id);
  const isSame = held !== undefined && JSON.stringify(held.row.value) === JSON.stringify(value);
  return isSame ? linkTo(held, place) : undefined;
};

/** The absolute URI of a row (§2.1); undefined when it cannot be fetched on its own. */
export const selfOf = (row: Row, place: Place): string | undefined => {
  const holder = place.collections.homeOf(place.endpoint);
  return holder === undefined
    ? copySelf(row.value, place.endpoint.resource, place)
    : linkTo({ holder, row }, place);
};

/** `id` and `self` are always sent (§2.1). If the mock has no `self` for a resource, the stored one is sent. */
const identity = (value: Json, self: string | undefined): Json => {
  const link = self ?? value.self;
  return link === undefined ? { id: value.id } : { id: value.id, self: link };
};

const representFields = (
  value: Json,
  schema: Schema,
  selection: Selection,
  place: Place,
  first: Json,
): Json => {
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const named = selection.fields?.below.get(name);
    const isLeftOut = selection.fields !== undefined && named === undefined && name !== 'id';
    if (isLeftOut || Object.hasOwn(first, name)) return [];
    const field = fieldOf(schema, name);
    if (field === undefined || fieldsOf(field) === undefined) return [[name, inner] as const];
    const fields = named?.whole === false ? named : undefined;
    const expand = selection.expand?.below.get(name);
    return [[name, representField(name, inner, field, { fields, expand }, place)] as const];
  });
  return Object.fromEntries([...Object.entries(first), ...entries]);
};

const representField = (
  name: string,
  value: unknown,
  schema: Schema,
  selection: Selection,
  place: Place,
): unknown => {
  if (Array.isArray(value)) return value.map((item) => representField(name, item, schema, selection, place));
  if (!isObject(value)) return value;
  const target = targetOf(schema);
  if (target !== undefined) return representRelation(name, value, target, selection, place);
  const first = isResource(schema) ? identity(value, copySelf(value, coreOf(schema), place)) : {};
  return representFields(value, schema, selection, place, first);
};

/** The declaration promises a `self`. If nothing serves the resource, it is a URN, which no client follows. */
const representRelation = (
  name: string,
  value: Json,
  target: Schema,
  selection: Selection,
  place: Place,
): unknown => {
  const { collections, endpoint } = place;
  const held = collections.find(endpoint, target, value.id);
  const [holder] = collections.holdersOf(endpoint, target);
  const missing: Row = { id: String(value.id), value, changedAt: 0, below: new Map() };
  const shown = held ?? (holder && { holder, row: missing });
  const urn = `urn:${encodeURIComponent(name)}:${encodeURIComponent(String(value.id))}`;
  const first = { id: value.id, self: (shown && linkTo(shown, place)) ?? value.self ?? urn };
  if (selection.expand === undefined) return first;
  return representFields(held?.row.value ?? value, target, selection, place, first);
};

/** A row as it is sent: with `self`, limited by `fields` and expanded by `expand` (§2.1, §4.4). */
export const represent = (row: Row, selection: Selection, place: Place): Json =>
  representFields(
    row.value,
    place.endpoint.resource,
    selection,
    place,
    identity(row.value, selfOf(row, place)),
  );
