import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, fieldOf, fieldsOf, targetOf } from '../../src/schema/zod.ts';
import type { Names } from '../query/read-query.ts';
import { type Endpoint, findHeld } from './endpoints.ts';
import { isResource, type Json } from './schema.ts';
import type { Row } from './table.ts';

/** The part of a resource that a response has (§4.4). */
export interface Limits {
  /** Undefined for every field. */
  readonly fields: Names | undefined;
  /** Undefined for a relation that is not expanded. */
  readonly expand: Names | undefined;
}

/** Every field, and nothing expanded. */
export const wholeResource: Limits = { fields: undefined, expand: undefined };

/** What the links of a response depend on: its endpoint and URL, and the rows that exist. */
export interface Place {
  readonly endpoint: Endpoint;
  readonly base: string;
  /** The path of the endpoint, with the values of the request for its parameters. */
  readonly path: string;
  readonly revision: number;
}

const linkTo = (home: Endpoint, id: unknown, place: Place): string =>
  `${place.base}/${home === place.endpoint ? place.path : home.path}/${encodeURIComponent(String(id))}`;

const selfIn = (holder: Endpoint | undefined, id: unknown, place: Place): string | undefined =>
  holder?.operations.has('get') === true ? linkTo(holder, id, place) : undefined;

/** The URI of a resource inside another one or in a list; undefined unless the same resource can be fetched. */
const copySelf = (value: Json, resource: Schema, place: Place): string | undefined => {
  const held = findHeld(place.endpoint, resource, value.id);
  const isSame = held !== undefined && JSON.stringify(held.row.value) === JSON.stringify(value);
  return isSame ? selfIn(held.holder, value.id, place) : undefined;
};

/** The absolute URI of a row (§2.1); undefined when it cannot be fetched on its own. */
export const rowSelf = ({ id, value }: Row, place: Place): string | undefined => {
  const { home, resource } = place.endpoint;
  return home === undefined ? copySelf(value, resource, place) : linkTo(home, id, place);
};

/** A representation while it is being made. */
interface View {
  readonly place: Place;
  /** When its row, a resource that it shows in full, or the target of its links last changed. */
  changedAt: number;
}

/** Records that a link, or a row that is shown, depends on the rows of these collections. */
const noteRows = (view: View, holders: readonly Endpoint[], shown?: Row): void => {
  for (const { table } of holders) view.changedAt = Math.max(view.changedAt, table.membersChangedAt);
  view.changedAt = Math.max(view.changedAt, shown?.changedAt ?? 0);
};

/** `id` and `self` are always sent (§2.1). If the mock has no `self` for a resource, the stored one is sent. */
const identity = (value: Json, self: string | undefined): Record<string, unknown> => {
  const link = self ?? value.self;
  return link === undefined ? { id: value.id } : { id: value.id, self: link };
};

const representFields = (
  value: Json,
  schema: Schema,
  limits: Limits,
  view: View,
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
    into[name] = hasFields ? representField(name, inner, field, { fields, expand }, view) : inner;
  }
  return into;
};

const representField = (
  name: string,
  value: unknown,
  schema: Schema,
  limits: Limits,
  view: View,
): unknown => {
  if (Array.isArray(value)) return value.map((item) => representField(name, item, schema, limits, view));
  if (!isObject(value)) return value;
  const target = targetOf(schema);
  if (target !== undefined) return representRelation(name, value, target, limits, view);
  if (!isResource(schema)) return representFields(value, schema, limits, view, {});
  const { endpoint } = view.place;
  const resource = coreOf(schema);
  noteRows(view, endpoint.holdersOf(resource), findHeld(endpoint, resource, value.id)?.row);
  return representFields(value, schema, limits, view, identity(value, copySelf(value, resource, view.place)));
};

/** The declaration promises a `self`. If nothing serves the resource, it is a URN, which no client follows. */
const representRelation = (
  name: string,
  value: Json,
  target: Schema,
  limits: Limits,
  view: View,
): unknown => {
  const { endpoint } = view.place;
  const holders = endpoint.holdersOf(target);
  const held = findHeld(endpoint, target, value.id);
  const link = selfIn(held?.holder ?? holders[0], value.id, view.place) ?? value.self;
  const self = link ?? `urn:${encodeURIComponent(name)}:${encodeURIComponent(String(value.id))}`;
  const start = { id: value.id, self };
  if (limits.expand === undefined) {
    // The link to the only collection of a resource is always the same.
    if (holders.length > 1) noteRows(view, holders);
    return start;
  }
  noteRows(view, holders, held?.row);
  return representFields(held?.row.value ?? value, target, limits, view, start);
};

/** A row as it is sent, with what it depends on. */
interface Formatted {
  readonly place: Place;
  readonly json: string;
  readonly changedAt: number;
}

/** A row as it is sent: with `self`, limited by `fields` and expanded by `expand` (§2.1, §4.4). */
const representRow = (row: Row, limits: Limits, place: Place): Formatted => {
  const view: View = { place, changedAt: row.changedAt };
  const start = identity(row.value, rowSelf(row, place));
  const json = JSON.stringify(representFields(row.value, place.endpoint.resource, limits, view, start));
  return { place, json, changedAt: view.changedAt };
};

const isSame = (a: Place, b: Place): boolean =>
  a.path === b.path && a.base === b.base && a.revision === b.revision;

/** The JSON of whole rows. It is valid for the place it was made for, because a row is replaced and never changed. */
const formatted = new WeakMap<Row, Formatted>();

/** A row as JSON, and when that last changed. The JSON of a whole resource is kept. */
export const formatRow = (row: Row, limits: Limits, place: Place): Formatted => {
  const isWhole = limits.fields === undefined && limits.expand === undefined;
  const known = isWhole ? formatted.get(row) : undefined;
  if (known !== undefined && isSame(known.place, place)) return known;
  const made = representRow(row, limits, place);
  if (isWhole) formatted.set(row, made);
  return made;
};
