import { type ErrorItem, pathSeparator } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { Binding } from '../collections/declare.ts';
import type { Collections, Endpoint } from '../collections/link.ts';
import type { Call } from '../exchange.ts';
import { completeRow } from '../generate/rows.ts';
import { invalidItem, Refusal } from '../message.ts';
import { bodySchemaOf, type Json, normalise, parse, relationsOf, toField } from '../rows/schema.ts';

const withReference = (item: ErrorItem, { collection }: Endpoint): ErrorItem => {
  const { references } = collection.options;
  if (references === undefined) return item;
  // The declaration names a field once for all items of an array.
  const names = item.field.split(pathSeparator).filter((name) => !/^\d+$/.test(name));
  const path = names.join(pathSeparator);
  const reference = Object.hasOwn(references, path) ? references[path] : undefined;
  return reference === undefined ? item : { ...item, reference };
};

/** @throws {@link Refusal} 400 with these items, if any, each with its `reference` where the declaration has one (§2.3) */
export const refuseItems = (items: readonly ErrorItem[], endpoint: Endpoint): void => {
  if (items.length === 0) return;
  throw new Refusal(
    400,
    'The request body is not valid',
    items.map((item) => withReference(item, endpoint)),
  );
};

/**
 * A body in the form it is stored in, checked by the schema that the declaration has for this operation, if any.
 *
 * @param own - that schema; with it, a bare id names a relation
 * @throws {@link Refusal} 400 for anything but an object that fits
 */
export const toResource = (body: unknown, { route }: Call, own: Schema | undefined): Json => {
  if (!isObject(body)) throw new Refusal(400, 'The request body must be a JSON object');
  if (own !== undefined) checkBody(own, body, route.endpoint);
  // An object stays one.
  return normalise(body, route.endpoint.resource, { takesIds: own !== undefined }) as Json;
};

/** @throws {@link Refusal} 400 with one item per field in error (§7.2.3) */
export const checkBody = (schema: Schema, body: unknown, endpoint: Endpoint): void =>
  refuseItems(parse(schema, body).errors, endpoint);

/**
 * A body as {@link toResource} reads it. With a schema of its own, the fields that the body lacks are generated, because a
 * real server would know them.
 */
export const toNewResource = (body: unknown, operation: 'create' | 'replace', call: Call): Json => {
  const { endpoint } = call.route;
  const { collections } = call.context;
  const own = endpoint.collection.options.bodies?.[operation];
  const value = toResource(body, call, own);
  const complete = own === undefined ? value : completeRow(endpoint, value, collections);
  return { ...complete, ...boundFields(endpoint, call.parameters, collections) };
};

/** The relations to unknown rows. */
const findDangling = (value: Json, endpoint: Endpoint, collections: Collections): readonly ErrorItem[] =>
  relationsOf(value, endpoint.resource).flatMap(({ path, target, value: { id } }) => {
    const [holder] = collections.holdersOf(endpoint, target);
    if (holder === undefined || collections.find(endpoint, target, id) !== undefined) return [];
    return [invalidItem(`${path}.id`, `There is no ${holder.key} resource with this id`)];
  });

/**
 * Checks a whole resource, and the relations of the part that changes.
 *
 * @throws {@link Refusal} 400 with one item per field in error (§7.2.3)
 */
export const checkResource = (value: Json, changed: Json, { route: { endpoint }, context }: Call): void => {
  checkBody(bodySchemaOf(endpoint.resource), value, endpoint);
  refuseItems(findDangling(changed, endpoint, context.collections), endpoint);
};

const boundValue = (
  { field, target }: Binding,
  value: string,
  endpoint: Endpoint,
  collections: Collections,
): unknown => {
  if (target === undefined) return toField(value, endpoint.resource, field);
  const [holder] = collections.holdersOf(endpoint, target);
  const row = collections.find(endpoint, target, value)?.row;
  if (holder !== undefined && row === undefined) {
    throw new Refusal(404, `There is no ${holder.key} resource with the id ${JSON.stringify(value)}`);
  }
  return { id: row?.id ?? toField(value, target, 'id') };
};

/** The fields of a resource that belongs below a path: `companies/3/orders` sets the company. */
const boundFields = (
  endpoint: Endpoint,
  parameters: ReadonlyMap<string, string>,
  collections: Collections,
): Json =>
  Object.fromEntries(
    endpoint.bindings.map((binding) => [
      binding.field,
      boundValue(binding, parameters.get(binding.parameter) ?? '', endpoint, collections),
    ]),
  );
