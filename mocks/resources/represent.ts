import { isObject } from '../../src/schema/read-options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, fieldOf, fieldsOf, targetOf } from '../../src/schema/zod.ts';
import type { Names } from '../query/read-query.ts';
import { type Endpoint, findHeld } from './endpoints.ts';
import type { CollectionRoute, RouteValues } from './routes.ts';
import { isResource, type Json } from './schema.ts';
import type { Revision, Row } from './table.ts';

/** The part of a resource that a response has (§4.4). */
export interface Limits {
  /** Undefined for every field. */
  readonly fields: Names | undefined;
  /** Undefined for a relation that is not expanded. */
  readonly expand: Names | undefined;
}

/** Every field, and nothing expanded. */
export const wholeResource: Limits = { fields: undefined, expand: undefined };

/** What the links of a response depend on: where it is made, and which rows there are. */
export interface Place {
  readonly endpoint: Endpoint;
  readonly base: string;
  /** Of the endpoint, with what the request has for its parameters. */
  readonly path: string;
  readonly revision: number;
}

/** The place of a request. */
export const placeOf = (
  { endpoint, base }: CollectionRoute,
  values: RouteValues,
  revision: Revision,
): Place => {
  const encoded = (name: string): string => encodeURIComponent(values.parameters.get(name) ?? '');
  const path = endpoint.path.replace(/:(\w+)/g, (_parameter, name) => encoded(name));
  return { endpoint, base, path, revision: revision.count };
};

const linkTo = (home: Endpoint, id: unknown, place: Place): string =>
  `${place.base}/${home === place.endpoint ? place.path : home.path}/${encodeURIComponent(String(id))}`;

/** The URI of a related row, in the collection that has it; undefined when it can only be listed. */
const relationSelf = (id: unknown, target: Schema, place: Place): string | undefined => {
  const { endpoint } = place;
  const holder = findHeld(endpoint, target, id)?.holder ?? endpoint.holdersOf(target)[0];
  return holder?.operations.has('get') === true ? linkTo(holder, id, place) : undefined;
};

/** The URI of a resource inside another one or in a list: only where the same resource can be fetched. */
const copySelf = (value: Json, resource: Schema, place: Place): string | undefined => {
  const held = findHeld(place.endpoint, resource, value.id);
  const isSame = held !== undefined && JSON.stringify(held.row.value) === JSON.stringify(value);
  return isSame ? relationSelf(value.id, resource, place) : undefined;
};

/** The absolute URI of a row (§2.1); undefined when it cannot be fetched on its own. */
export const rowSelf = ({ id, value }: Row, place: Place): string | undefined => {
  const { home, resource } = place.endpoint;
  return home === undefined ? copySelf(value, resource, place) : linkTo(home, id, place);
};

/** `id` and `self` always return (§2.1); a link that the mock does not know stays as it is. */
const identity = (value: Json, self: string | undefined): Record<string, unknown> => {
  const link = self ?? value.self;
  return link === undefined ? { id: value.id } : { id: value.id, self: link };
};

const representFields = (
  value: Json,
  schema: Schema,
  limits: Limits,
  place: Place,
  into: Record<string, unknown>,
) => {
  for (const [name, inner] of Object.entries(value)) {
    if (Object.hasOwn(into, name)) continue;
    const named = limits.fields?.below.get(name);
    if (limits.fields !== undefined && named === undefined && name !== 'id') continue;
    const fields = named?.whole === false ? named : undefined;
    const expand = limits.expand?.below.get(name);
    const field = fieldOf(schema, name);
    const hasFields = field !== undefined && fieldsOf(field) !== undefined;
    into[name] = hasFields ? representField(name, inner, field, { fields, expand }, place) : inner;
  }
  return into;
};

const representField = (
  name: string,
  value: unknown,
  schema: Schema,
  limits: Limits,
  place: Place,
): unknown => {
  if (Array.isArray(value)) return value.map((item) => representField(name, item, schema, limits, place));
  if (!isObject(value)) return value;
  const target = targetOf(schema);
  if (target !== undefined) return representRelation(name, value, target, limits, place);
  const start = isResource(schema) ? identity(value, copySelf(value, coreOf(schema), place)) : {};
  return representFields(value, schema, limits, place, start);
};

/** A relation has a `self` in every declaration. Where nothing serves its resource, that is a name which no client follows. */
const representRelation = (
  name: string,
  value: Json,
  target: Schema,
  limits: Limits,
  place: Place,
): unknown => {
  const urn = `urn:${encodeURIComponent(name)}:${encodeURIComponent(String(value.id))}`;
  const start = { id: value.id, self: relationSelf(value.id, target, place) ?? value.self ?? urn };
  if (limits.expand === undefined) return start;
  const related = findHeld(place.endpoint, target, value.id)?.row.value;
  return representFields(related ?? value, target, limits, place, start);
};

/** A row as it is sent: with `self`, limited by `fields` and expanded by `expand` (§2.1, §4.4). */
const representRow = (row: Row, limits: Limits, place: Place): Json =>
  representFields(
    row.value,
    place.endpoint.resource,
    limits,
    place,
    identity(row.value, rowSelf(row, place)),
  );

interface Formatted {
  readonly place: Place;
  readonly json: string;
}

const isSame = (a: Place, b: Place): boolean =>
  a.path === b.path && a.base === b.base && a.revision === b.revision;

/** A row is never changed but replaced, so its JSON is made once: a list asks for every row on each of its pages. */
const formatted = new WeakMap<Row, Formatted>();

/** A row as JSON; that of a whole resource is kept. */
export const formatRow = (row: Row, limits: Limits, place: Place): string => {
  if (limits.fields !== undefined || limits.expand !== undefined) {
    return JSON.stringify(representRow(row, limits, place));
  }
  const known = formatted.get(row);
  if (known !== undefined && isSame(known.place, place)) return known.json;
  const json = JSON.stringify(representRow(row, limits, place));
  formatted.set(row, { place, json });
  return json;
};

const latest = <T>(items: Iterable<T>, timeOf: (item: T) => number): number => {
  let time = 0;
  for (const item of items) time = Math.max(time, timeOf(item));
  return time;
};

/** When the part of other rows that a nested resource shows last changed: all of it, or its link. */
const linkChangedAt = (value: Json, resource: Schema, isInFull: boolean, endpoint: Endpoint): number => {
  const holders = endpoint.holdersOf(resource);
  // The link of a relation to the only collection of its kind is always the same.
  if (!isInFull && holders.length === 1) return 0;
  const members = latest(holders, ({ table }) => table.membersChangedAt);
  const shown = isInFull ? findHeld(endpoint, resource, value.id)?.row.changedAt : undefined;
  return Math.max(members, shown ?? 0);
};

const newest = (value: unknown, schema: Schema, expand: Names | undefined, endpoint: Endpoint): number => {
  if (Array.isArray(value)) return latest(value, (item) => newest(item, schema, expand, endpoint));
  if (!isObject(value)) return 0;
  const target = targetOf(schema);
  const isInFull = target === undefined || expand !== undefined;
  const related = target && isInFull ? findHeld(endpoint, target, value.id)?.row.value : undefined;
  const linked = target ?? (isResource(schema) ? coreOf(schema) : undefined);
  const link = linked ? linkChangedAt(value, linked, isInFull, endpoint) : 0;
  return Math.max(link, newestBelow(related ?? value, schema, expand, endpoint));
};

const newestBelow = (value: Json, schema: Schema, expand: Names | undefined, endpoint: Endpoint): number =>
  latest(Object.entries(fieldsOf(schema) ?? {}), ([name, field]) =>
    newest(value[name], field, expand?.below.get(name), endpoint),
  );

/** When a representation last changed: its row, a resource that it holds in full, or the target of its links. */
export const changedAt = ({ value, changedAt }: Row, endpoint: Endpoint, expand: Names | undefined): number =>
  Math.max(changedAt, newestBelow(value, endpoint.resource, expand, endpoint));
