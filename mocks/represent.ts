import { isObject } from '../src/options.ts';
import type { Schema } from '../src/schema/types/shape.ts';
import { coreOf, fieldOf, fieldsOf, targetOf } from '../src/schema/zod.ts';
import { type Collections, type Held, serverOf } from './collections/link.ts';
import { parameterOf } from './collections/parents.ts';
import type { CollectionRoute } from './collections/routes.ts';
import { isResource, type Json } from './rows/schema.ts';
import { urnOf } from './rows/self.ts';
import type { Row } from './rows/store.ts';

/** Field paths (§2.1), each as its names. */
export type Paths = readonly (readonly string[])[];

/** The part of a resource that a response has (§4.4). */
export interface Selection {
  /** Undefined for every field. */
  readonly fields: Paths | undefined;
  /** Undefined for a relation that is not expanded. */
  readonly expand: Paths | undefined;
}

/** Every field, and nothing expanded. */
export const wholeResource: Selection = { fields: undefined, expand: undefined };

/** `id` and `self` alone, which are always sent (§2.1). */
const identity: Selection = { fields: [], expand: undefined };

/** The rest of each path that begins with a name; undefined if none does. */
const restOf = (paths: Paths | undefined, name: string): Paths | undefined => {
  const rests = paths?.filter(([first]) => first === name).map(([, ...rest]) => rest);
  return rests?.length === 0 ? undefined : rests;
};

/** What the links of a response depend on; a call is one. */
interface Place {
  readonly route: CollectionRoute;
  readonly context: { readonly collections: Collections };
}

/** The URI of a row; undefined when its collection has no `get`, or a path that the row does not know. */
const linkTo = ({ holder, row }: Held, { route }: Place): string | undefined => {
  const server = serverOf(holder);
  if (server === undefined) return undefined;
  const here = server === route.endpoint ? route.parameters : undefined;
  const segments = server.segments.map((part) => {
    if (!part.startsWith(':')) return part;
    const name = part.slice(1);
    return encodeURIComponent(parameterOf(row, server, name) || (here?.get(name) ?? ''));
  });
  return segments.includes('') ? undefined : [route.base, ...segments, encodeURIComponent(row.id)].join('/');
};

/**
 * The URI of a resource inside another one or in a list; undefined unless the same resource can be fetched.
 */
const copySelf = (value: Json, resource: Schema, place: Place): string | undefined => {
  const held = place.context.collections.find(place.route.endpoint.api, resource, value.id);
  const isSame = held !== undefined && JSON.stringify(held.row.value) === JSON.stringify(value);
  return isSame ? linkTo(held, place) : undefined;
};

/** The absolute URI of a row (§2.1); undefined when it cannot be fetched on its own. */
export const selfOf = (row: Row, place: Place): string | undefined => {
  const { endpoint } = place.route;
  return serverOf(endpoint) === undefined
    ? copySelf(row.value, endpoint.resource, place)
    : linkTo({ holder: endpoint, row }, place);
};

/** @param self - of a resource; without one, the stored one is sent */
const representFields = (
  value: Json,
  schema: Schema,
  { fields, expand }: Selection,
  place: Place,
  self: unknown = value.self,
): Json => {
  const hasSelf = self !== undefined && fieldOf(schema, 'self') !== undefined;
  const first = isResource(schema) ? { id: value.id, ...(hasSelf && { self }) } : {};
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const named = restOf(fields, name);
    const isLeftOut = fields !== undefined && named === undefined && name !== 'id';
    if (isLeftOut || Object.hasOwn(first, name)) return [];
    const field = fieldOf(schema, name);
    if (field === undefined || fieldsOf(field) === undefined) return [[name, inner] as const];
    // A path that ends here selects everything below.
    const isWhole = named?.some((rest) => rest.length === 0);
    const below = { fields: isWhole ? undefined : named, expand: restOf(expand, name) };
    return [[name, representField(name, inner, field, below, place)] as const];
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
  if (target === undefined) {
    const self = isResource(schema) ? copySelf(value, coreOf(schema), place) : undefined;
    return representFields(value, schema, selection, place, self);
  }
  const { collections } = place.context;
  const { api } = place.route.endpoint;
  const held = collections.find(api, target, value.id);
  const [holder] = collections.ownersOf(api, target);
  const missing: Row = { id: String(value.id), value, changedAt: 0, below: new Map() };
  const shown = held ?? (holder && { holder, row: missing });
  const self = (shown && linkTo(shown, place)) ?? value.self ?? urnOf(name, value.id);
  const kept = selection.expand === undefined ? identity : selection;
  return representFields(held?.row.value ?? value, target, kept, place, self);
};

/** A row as it is sent: with `self`, limited by `fields` and expanded by `expand` (§2.1, §4.4). */
export const represent = (row: Row, selection: Selection, place: Place): Json =>
  representFields(row.value, place.route.endpoint.resource, selection, place, selfOf(row, place));
