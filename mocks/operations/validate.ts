import { type ErrorItem, pathSeparator } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import { below } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { targetOf } from '../../src/schema/zod.ts';
import type { Endpoint } from '../collections/link.ts';
import type { Call } from '../exchange.ts';
import { completeRow } from '../generate/rows.ts';
import { invalidItem, Refusal } from '../message.ts';
import { bodySchemaOf, type Json, normalise, objectsIn, parse, toField } from '../rows/schema.ts';

/** @throws {@link Refusal} 400 with these items, each with its `reference` where the declaration has one (§2.3) */
export const refuseItems = (items: readonly ErrorItem[], { collection }: Endpoint): never => {
  const references = new Map(Object.entries(collection.options.references ?? {}));
  const withReference = items.map((item) => {
    // The declaration names a field once for all items of an array.
    const names = item.field.split(pathSeparator).filter((name) => !/^\d+$/.test(name));
    const reference = references.get(names.join(pathSeparator));
    return reference === undefined ? item : { ...item, reference };
  });
  throw new Refusal(400, 'The request body is not valid', withReference);
};

/**
 * A body in the form it is stored in, checked by the schema that the declaration has for this operation, if any.
 *
 * @param own - that schema; with it, a bare id names a relation
 * @throws {@link Refusal} 400 for anything but an object that fits
 */
export const toResource = (body: unknown, { route: { endpoint } }: Call, own: Schema | undefined): Json => {
  if (!isObject(body)) throw new Refusal(400, 'The request body must be a JSON object');
  const errors = own === undefined ? [] : parse(own, body).errors;
  if (errors.length > 0) refuseItems(errors, endpoint);
  // An object stays one.
  return normalise(body, endpoint.resource, { takesIds: own !== undefined }) as Json;
};

/**
 * A body as {@link toResource} reads it, with the fields that the path parameters set: `companies/3/orders` sets the company.
 * With a schema of its own, the fields that the body lacks are generated, because a real server would know them.
 *
 * @throws {@link Refusal} 404 for a path that names an unknown resource
 */
export const toNewResource = (body: unknown, operation: 'create' | 'replace', call: Call): Json => {
  const {
    route: { endpoint, parameters },
    context: { collections },
  } = call;
  const own = endpoint.collection.options.bodies?.[operation];
  const value = toResource(body, call, own);
  const complete = own === undefined ? value : completeRow(endpoint, value, collections);
  const bound = endpoint.bindings.map(({ parameter, field, target }) => {
    const given = parameters.get(parameter) ?? '';
    if (target === undefined) return [field, toField(given, endpoint.resource, field)] as const;
    const [holder] = collections.holdersOf(endpoint, target);
    const row = collections.find(endpoint, target, given)?.row;
    if (holder !== undefined && row === undefined)
      throw new Refusal(404, `There is no ${holder.key} resource with the id ${JSON.stringify(given)}`);
    return [field, { id: row?.id ?? toField(given, target, 'id') }] as const;
  });
  return { ...complete, ...Object.fromEntries(bound) };
};

/**
 * Checks a whole resource, and the relations of the part that changes.
 *
 * @throws {@link Refusal} 400 with one item per field in error (§7.2.3)
 */
export const checkResource = (value: Json, changed: Json, { route: { endpoint }, context }: Call): void => {
  const { errors } = parse(bodySchemaOf(endpoint.resource), value);
  if (errors.length > 0) refuseItems(errors, endpoint);
  const dangling = [...objectsIn(changed, endpoint.resource)].flatMap(({ path, value: { id }, schema }) => {
    const target = targetOf(schema);
    const [holder] = target === undefined ? [] : context.collections.holdersOf(endpoint, target);
    if (target === undefined || holder === undefined || context.collections.find(endpoint, target, id))
      return [];
    return [invalidItem(below(path, 'id'), `There is no ${holder.key} resource with this id`)];
  });
  if (dangling.length > 0) refuseItems(dangling, endpoint);
};
