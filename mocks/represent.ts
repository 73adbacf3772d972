import { isObject } from '../src/options.ts';
import type { Schema } from '../src/schema/types/shape.ts';
import { coreOf, fieldOf, fieldsOf, targetOf } from '../src/schema/zod.ts';
import { addressOf } from './collections/address.ts';
import { type Held, serverOf } from './collections/link.ts';
import { parameterOf } from './collections/parents.ts';
import type { Call } from './exchange.ts';
import type { Paths, Selection } from './query/read-query.ts';
import { isResource, type Json } from './rows/schema.ts';
import { urnOf } from './rows/self.ts';
import type { Row } from './rows/store.ts';

/** Every field, and nothing expanded. */
export const wholeResource: Selection = { fields: undefined, expand: undefined };

/** `id` and `self` alone, which are always sent (§2.1). */
const identity: Selection = { fields: [], expand: undefined };

/** The rest of each path that begins with a name; undefined if none does. */
const restOf = (paths: Paths | undefined, name: string): Paths | undefined => {
  const rests = paths?.filter(([first]) => first === name).map(([, ...rest]) => rest);
  return rests?.length === 0 ? undefined : rests;
};

/** The URI of a row; undefined when its collection has no `get`, or a path that the row does not know. */
const linkTo = ({ holder, row }: Held, { route }: Call): string | undefined => {
  const server = serverOf(holder);
  if (server === undefined) return undefined;
  const here = server === route.collection ? route.parameters : undefined;
  const segments = server.segments.map((part) => {
    if (!part.startsWith(':')) return part;
    const name = part.slice(1);
    return encodeURIComponent(parameterOf(row, server, name) || (here?.get(name) ?? ''));
  });
  const address = addressOf(row, server);
  if (address === undefined || segments.includes('')) return undefined;
  return [route.base, ...segments, encodeURIComponent(address)].join('/');
};

/**
 * The URI of a resource inside another one or in a list; undefined unless the same resource can be fetched.
 */
const selfOfCopy = (value: Json, resource: Schema, call: Call): string | undefined => {
  const held = call.context.collections.find(call.route.collection.api, resource, value.id);
  const isSame = held !== undefined && JSON.stringify(held.row.value) === JSON.stringify(value);
  return isSame ? linkTo(held, call) : undefined;
};

/** The absolute URI of a row (§2.1); undefined when it cannot be fetched on its own. */
export const selfOf = (row: Row, call: Call): string | undefined => {
  const { collection } = call.route;
  return serverOf(collection) === undefined
    ? selfOfCopy(row.value, collection.resource, call)
    : linkTo({ holder: collection, row }, call);
};

/** @param self - of a resource; without one, the stored one is sent */
const representFields = (
  value: Json,
  schema: Schema,
  { fields, expand }: Selection,
  call: Call,
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
    return [[name, representField(name, inner, field, below, call)] as const];
  });
  return Object.fromEntries([...Object.entries(first), ...entries]);
};

/** A relation in the field with a name: `id` and `self`, or the related resource where it is expanded. */
const representRelation = (
  name: string,
  value: Json,
  target: Schema,
  selection: Selection,
  call: Call,
): Json => {
  const { collections } = call.context;
  const { api } = call.route.collection;
  const held = collections.find(api, target, value.id);
  const [owner] = collections.ownersOf(api, target);
  const unknown: Row = { id: String(value.id), value, changedAt: 0, below: new Map() };
  const linked = held ?? (owner && { holder: owner, row: unknown });
  const self = (linked && linkTo(linked, call)) ?? value.self ?? urnOf(name, value.id);
  const shown = selection.expand === undefined ? identity : selection;
  return representFields(held?.row.value ?? value, target, shown, call, self);
};

const representField = (
  name: string,
  value: unknown,
  schema: Schema,
  selection: Selection,
  call: Call,
): unknown => {
  if (Array.isArray(value)) return value.map((item) => representField(name, item, schema, selection, call));
  if (!isObject(value)) return value;
  const target = targetOf(schema);
  if (target !== undefined) return representRelation(name, value, target, selection, call);
  const self = isResource(schema) ? selfOfCopy(value, coreOf(schema), call) : undefined;
  return representFields(value, schema, selection, call, self);
};

/** A row as it is sent: with `self`, limited by `fields` and expanded by `expand` (§2.1, §4.4). */
export const represent = (row: Row, selection: Selection, call: Call): Json =>
  representFields(row.value, call.route.collection.resource, selection, call, selfOf(row, call));
