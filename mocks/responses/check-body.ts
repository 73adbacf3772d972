import { type ErrorItem, pathSeparator } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, fieldOf } from '../../src/schema/zod.ts';
import { completeRow } from '../generate/rows.ts';
import { type Binding, type Endpoint, findHeld } from '../resources/endpoints.ts';
import { bodySchemaOf, fits, type Json, normalise, parse, relationsOf } from '../resources/schema.ts';
import { invalidItem, Refusal } from './message.ts';
import type { Call } from './read.ts';

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

/** @throws {@link Refusal} 400 for the id */
export const refuseId = (message: string, endpoint: Endpoint): void =>
  refuseItems([invalidItem('id', message)], endpoint);

/**
 * A body in the form it is stored in.
 *
 * @param own - the schema that the declaration has for this operation, if any; with it, a bare id names a relation
 * @throws {@link Refusal} 400 for anything but an object
 */
export const toResource = (body: unknown, { route }: Call, own: Schema | undefined): Json => {
  if (!isObject(body)) throw new Refusal(400, 'The request body must be a JSON object');
  // An object stays one.
  return normalise(body, route.endpoint.resource, { takesIds: own !== undefined }) as Json;
};

/**
 * A body in the form it is stored in, checked by the schema that the declaration has for this operation, if any.
 * With such a schema, the fields that the body lacks are generated, because a real server would know them.
 *
 * @throws {@link Refusal} 400 for anything but an object, and for one that does not fit its own schema
 */
export const toNewResource = async (
  body: unknown,
  operation: 'create' | 'replace',
  call: Call,
): Promise<Json> => {
  const { endpoint } = call.route;
  const own = endpoint.collection.options.bodies?.[operation];
  const value = toResource(body, call, own);
  if (own === undefined) return bind(value, call);
  await checkBody(own, body, endpoint);
  return bind(completeRow(endpoint, value), call);
};

/** @throws {@link Refusal} 400 with one item per field in error (§7.2.3) */
export const checkBody = async (schema: Schema, body: unknown, endpoint: Endpoint): Promise<void> => {
  const { errors } = await parse(schema, body);
  refuseItems(errors, endpoint);
};

/** The relations to unknown rows. */
const findDangling = (value: Json, endpoint: Endpoint): readonly ErrorItem[] =>
  relationsOf(value, endpoint.resource).flatMap(({ path, target, value: { id } }) => {
    const [holder] = endpoint.holdersOf(target);
    if (holder === undefined || findHeld(endpoint, target, id) !== undefined) return [];
    return [invalidItem(`${path}.id`, `There is no ${holder.key} resource with this id`)];
  });

/**
 * Checks a whole resource, and the relations of the part that changes.
 *
 * @throws {@link Refusal} 400 with one item per field in error (§7.2.3)
 */
export const checkResource = async (value: Json, changed: Json, endpoint: Endpoint): Promise<void> => {
  await checkBody(bodySchemaOf(endpoint.collection.resource), value, endpoint);
  refuseItems(findDangling(changed, endpoint), endpoint);
};

/** The value of a path parameter, for a field of a resource. */
const toField = (value: string, resource: Schema, name: string): unknown => {
  const field = fieldOf(resource, name);
  return field !== undefined && !fits(coreOf(field), value) ? Number(value) : value;
};

const boundValue = ({ parameter, field, target }: Binding, { route, parameters }: Call): unknown => {
  const value = parameters.get(parameter) ?? '';
  if (target === undefined) return toField(value, route.endpoint.resource, field);
  const [holder] = route.endpoint.holdersOf(target);
  const row = findHeld(route.endpoint, target, value)?.row;
  if (holder !== undefined && row === undefined) {
    throw new Refusal(404, `There is no ${holder.key} resource with the id ${JSON.stringify(value)}`);
  }
  return { id: row?.id ?? toField(value, target, 'id') };
};

/** A resource created below a path belongs there: `companies/3/orders` sets the company. */
const bind = (value: Json, call: Call): Json => ({
  ...value,
  ...Object.fromEntries(
    call.route.endpoint.bindings.map((binding) => [binding.field, boundValue(binding, call)]),
  ),
});
