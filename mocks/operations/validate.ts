import { type ErrorItem, pathSeparator } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import { below } from '../../src/schema/codec.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, fieldsOf, targetOf } from '../../src/schema/zod.ts';
import type { MockCollection } from '../collections/link.ts';
import { boundFields, checkParents } from '../collections/parents.ts';
import type { CollectionRoute } from '../collections/routes.ts';
import type { Content } from '../content.ts';
import type { Call } from '../exchange.ts';
import { addMissingFields } from '../generate/rows.ts';
import { invalidItem, Refusal } from '../message.ts';
import { fits, parse } from '../rows/parse.ts';
import { bodySchemaOf, type Json, normalise, objectsIn } from '../rows/schema.ts';
import { repeatedValues } from '../rows/store.ts';

/**
 * @throws {@link Refusal} 400 with these items, each with its `reference` where the declaration has one
 * (§2.3)
 */
export const refuseItems = (items: readonly ErrorItem[], { declaration }: MockCollection): never => {
  const references = new Map(Object.entries(declaration.options.references ?? {}));
  const withReference = items.map((item) => {
    // The declaration names a field once for all items of an array.
    const names = item.field.split(pathSeparator).filter((name) => !/^\d+$/.test(name));
    const reference = references.get(names.join(pathSeparator));
    return reference === undefined ? item : { ...item, reference };
  });
  throw new Refusal(400, 'The request body is not valid', withReference);
};

/**
 * A body in the form it is stored in, checked by the schema that the declaration has for this operation, if
 * any.
 *
 * @param own - that schema; with it, a bare id names a relation
 * @throws {@link Refusal} 400 for anything but an object that fits
 */
export const toResource = (body: unknown, { route: { collection } }: Call, own: Schema | undefined): Json => {
  if (!isObject(body)) throw new Refusal(400, 'The request body must be a JSON object');
  const errors = own === undefined ? [] : parse(own, body).errors;
  if (errors.length > 0) refuseItems(errors, collection);
  const { unexpanded = 'reference' } = collection.declaration.wire?.family ?? {};
  const takesIds = own !== undefined || unexpanded !== 'reference';
  // The normal form of an object is an object.
  return normalise(body, collection.resource, { takesIds }) as Json;
};

/**
 * A resource with the fields that the path parameters of a request set.
 *
 * @throws {@link Refusal} 404 for a path that names an unknown resource
 */
const setPathFields = (value: Json, { route: { collection, parameters }, context }: Call): Json => {
  checkParents(collection, parameters, context.collections);
  return { ...value, ...boundFields(collection, parameters, value) };
};

/**
 * A resource with its relations, where the family leaves them out of bodies: the server sets them.
 *
 * @param source - makes a resource that has them
 */
const withAbsentRelations = (
  value: Json,
  { declaration, resource }: MockCollection,
  source: () => Json,
): Json => {
  if (declaration.wire?.family.unexpanded !== 'absent') return value;
  const relations = Object.entries(fieldsOf(resource) ?? {}).filter(
    ([, field]) => targetOf(field) !== undefined,
  );
  const missing = relations.map(([name]) => name).filter((name) => value[name] === undefined);
  if (missing.length === 0) return value;
  const set = source();
  return { ...value, ...Object.fromEntries(missing.map((name) => [name, set[name]])) };
};

/**
 * The resource that a POST creates. With a schema of its own, the required fields that the body lacks are
 * generated, because a real server sets them.
 */
export const toNewResource = (body: unknown, call: Call): Json => {
  const { collection } = call.route;
  const own = collection.declaration.options.bodies?.create;
  const value = toResource(body, call, own);
  const complete = (): Json => addMissingFields(collection, value, call.context.collections);
  const whole = own === undefined ? withAbsentRelations(value, collection, complete) : complete();
  return setPathFields(whole, call);
};

/**
 * The resource that a PUT replaces another one by. With a schema of its own, it keeps the stored fields that
 * this schema does not have, and those that a resource must have.
 */
export const toReplacement = (body: unknown, stored: Json, call: Call): Json => {
  const { collection } = call.route;
  const { resource, declaration } = collection;
  const own = declaration.options.bodies?.replace;
  const value = toResource(body, call, own);
  if (own === undefined) {
    const whole = withAbsentRelations(value, collection, () => stored);
    return setPathFields(whole, call);
  }
  const kept = Object.entries(stored).filter(([name]) => {
    const field = fieldOf(resource, name);
    const isRequired = field !== undefined && !fits(field, undefined);
    return isRequired || fieldOf(own, name) === undefined;
  });
  return setPathFields({ ...Object.fromEntries(kept), ...value }, call);
};

/**
 * Checks a whole resource, and the relations of the part that changes.
 *
 * @throws {@link Refusal} 400 with one item per field in error (§7.2.3)
 */
export const checkResource = (value: Json, changed: Json, { route: { collection }, context }: Call): void => {
  const { errors } = parse(bodySchemaOf(collection.resource), value);
  if (errors.length > 0) refuseItems(errors, collection);
  const isSentById = collection.declaration.wire?.family.unexpanded === 'id';
  const dangling: ErrorItem[] = [];
  for (const { path, value: found, schema } of objectsIn(changed, collection.resource)) {
    const target = targetOf(schema);
    const [holder] = target ? context.collections.ownersOf(collection.api, target) : [];
    if (target && holder && !context.collections.find(collection.api, target, found.id))
      dangling.push(
        invalidItem(isSentById ? path : below(path, 'id'), `There is no ${holder.key} resource with this id`),
      );
  }
  if (dangling.length > 0) refuseItems(dangling, collection);
};

/**
 * The resources of a JSON body after their checks, of one or of many where the declaration has bulk requests
 * (§8).
 *
 * @param check - may throw a {@link Refusal} for its item
 * @throws {@link Refusal} 413 above the limits that the collection declares, 400 for all items if one is not
 * valid
 */
export const checkBody = (
  { json: body, text }: Content,
  { collection }: CollectionRoute,
  check: (item: unknown) => Json,
) => {
  const { bulk } = collection.declaration.options;
  if (bulk === undefined || !Array.isArray(body)) return { isBulk: false, values: [check(body)] } as const;
  const bytes = new TextEncoder().encode(text).length;
  if (body.length > (bulk.maxItems ?? body.length) || bytes > (bulk.maxBytes ?? bytes))
    throw new Refusal(413, 'The bulk request is too large');
  const values: Json[] = [];
  const errors: ErrorItem[] = [];
  for (const [index, item] of body.entries()) {
    try {
      values.push(check(item));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400) throw error;
      const { items = [invalidItem('', error.message)] } = error;
      errors.push(...items.map((inner) => ({ ...inner, field: below(String(index), inner.field) })));
    }
  }
  if (errors.length > 0) refuseItems(errors, collection);
  // The second of two would replace the first.
  const repeated = [...new Set(['id', collection.keyField])].flatMap((name) =>
    repeatedValues(values.map((value) => value[name] ?? undefined)).map((index) =>
      invalidItem(`${index}.${name}`, `Another item has this ${name}`),
    ),
  );
  if (repeated.length > 0) refuseItems(repeated, collection);
  return { isBulk: true, values } as const;
};
