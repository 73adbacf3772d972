import { isObject } from '../../src/options.ts';
import { targetOf } from '../../src/schema/zod.ts';
import { Refusal } from '../message.ts';
import { type Json, toFieldValue } from '../rows/schema.ts';
import type { Row } from '../rows/store.ts';
import type { Declared } from './declare.ts';
import type { Collections, MockCollection } from './link.ts';
import type { PathParameters } from './routes.ts';

/**
 * The path parameter that a row belongs to: by its field, or else by where it was created. Empty if the field
 * has no value, undefined for a row that belongs to any.
 */
export const parameterOf = (
  { value, below }: Row,
  { bindings }: Declared,
  name: string,
): string | undefined => {
  const bound = bindings.find(({ parameter }) => parameter === name);
  if (bound === undefined) return below.get(name);
  const held = value[bound.field];
  return String((isObject(held) ? held.id : held) ?? '');
};

/** Whether a row belongs to the path parameters of a request. */
export const isBelow = (row: Row, declared: Declared, parameters: PathParameters): boolean =>
  declared.parameters.every((name) => {
    const given = parameters.get(name);
    return given === undefined || given === (parameterOf(row, declared, name) ?? given);
  });

/**
 * Checks that the resources that a path names exist: the company of `companies/3/orders`.
 *
 * @throws {@link Refusal} 404 for an unknown one
 */
export const checkParents = (
  { api, bindings }: MockCollection,
  parameters: PathParameters,
  collections: Collections,
): void => {
  for (const { parameter, held } of bindings) {
    const given = parameters.get(parameter);
    const target = held && targetOf(held);
    if (given === undefined || target === undefined) continue;
    const [owner] = collections.ownersOf(api, target);
    if (owner !== undefined && collections.find(api, target, given) === undefined)
      throw new Refusal(404, `There is no ${owner.key} resource with the id ${JSON.stringify(given)}`);
  }
};

/**
 * The fields of a row that belongs below a path: `companies/3/orders` sets the company.
 *
 * @param value - the row without them; a nested resource in full gets the id of the path
 */
export const boundFields = (
  { bindings, resource }: MockCollection,
  parameters: PathParameters,
  value: Json,
): Json => {
  const fields: Record<string, unknown> = {};
  for (const { parameter, field, held } of bindings) {
    const given = parameters.get(parameter);
    if (given === undefined) continue;
    if (held === undefined) fields[field] = toFieldValue(given, resource, field);
    else if (targetOf(held) !== undefined) fields[field] = { id: toFieldValue(given, held, 'id') };
    else if (isObject(value[field])) fields[field] = { ...value[field], id: toFieldValue(given, held, 'id') };
  }
  return fields;
};
