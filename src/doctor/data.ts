import { pathSeparator } from '../conventions.ts';
import { isObject } from '../options.ts';
import { below, parse } from '../schema/codec.ts';
import { isIdentified, isIdentityField } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { checksOf, definitionOf, knownValuesOf, targetOf } from '../schema/zod.ts';
import type { Json } from './exchange.ts';
import { showName } from './shown.ts';

/** A value of a record with its schema; of a field that is missing, the value is undefined. */
export interface Place {
  readonly schema: Schema;
  readonly value: unknown;
  /** The dotted path of the field, the same for all items of a list. */
  readonly path: string;
  /** The dotted path of this value, from the index of its record. */
  readonly example: string;
}

export const isTimestamp = (schema: Schema): boolean =>
  checksOf(schema).some(({ format }) => format === 'datetime');

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]00:00)$/;

/** True for a string in place of a timestamp in UTC (§2.1). */
export const isOtherTime = (schema: Schema, value: unknown): boolean =>
  isTimestamp(schema) && typeof value === 'string' && Number.isNaN(Date.parse(utc.exec(value)?.[0] ?? ''));

/** @throws {@link InvalidRequestError} for an asynchronous schema */
export const fits = (schema: Schema, value: unknown): boolean => parse(schema, value).ok;

const placesIn = (place: Place): readonly Place[] => {
  const { schema, value, path, example } = place;
  const { element, innerType, in: onWire, shape } = definitionOf(schema);
  if (element !== undefined && Array.isArray(value)) {
    return value.flatMap((item, index) =>
      placesIn({ schema: element, value: item, path, example: below(example, index) }),
    );
  }
  // A wrapper, or a codec.
  const inner = innerType ?? onWire;
  if (inner !== undefined && value !== undefined && value !== null)
    return placesIn({ ...place, schema: inner });
  if (shape === undefined || !isObject(value)) return [place];
  const fields = Object.entries(shape).flatMap(([name, field]) =>
    placesIn({
      schema: field,
      value: Object.hasOwn(value, name) ? value[name] : undefined,
      path: below(path, name),
      example: below(example, name),
    }),
  );
  return [place, ...fields];
};

/** Every value in some records that the declaration describes. */
export const placesOf = (resource: Schema, records: readonly unknown[]): readonly Place[] =>
  records.flatMap((value, record) =>
    placesIn({ schema: resource, value, path: '', example: String(record) }),
  );

type Declared = true | readonly string[] | undefined;

export const allows = (declared: Declared, path: string): boolean =>
  declared === true || declared?.includes(path) === true;

const isIdentity = (path: string): boolean => isIdentityField(path.split(pathSeparator).at(-1) ?? '');

/** The places that a query parameter can name: below no list, and not the `id` or `self` of a reference. */
export const namedPlaces = (
  resource: Schema,
  records: readonly Json[],
  declared: Declared,
): readonly Place[] =>
  placesOf(resource, records).filter(({ path, example }) => {
    // An example has the indexes of the lists around it, and a path has none.
    const isInList = example.replace(/^\d+\./, '') !== path;
    return allows(declared, path) && !isInList && (path === 'id' || !isIdentity(path));
  });

/** The values at a dotted path; a list on the way has several. */
export const valuesAt = (value: unknown, path: string): readonly unknown[] => {
  let found: readonly unknown[] = [value];
  for (const name of path.split(pathSeparator))
    found = found.flat().flatMap((at) => (isObject(at) && Object.hasOwn(at, name) ? [at[name]] : []));
  return found;
};

/**
 * The first place at each path that differs from the declaration.
 *
 * @param exceptTimes - whether another rule, §2.1 timestamps, judges strings in place of timestamps
 */
export const differencesIn = (
  resource: Schema,
  records: readonly unknown[],
  exceptTimes: boolean,
): readonly Place[] => {
  const wrong = placesOf(resource, records).filter(({ schema, value, path }) => {
    // Objects are compared by their fields.
    if (isObject(value) && definitionOf(schema).shape !== undefined) return false;
    const isJudged = isIdentity(path) || (exceptTimes && isOtherTime(schema, value));
    return !isJudged && !fits(schema, value);
  });
  return wrong.filter(({ path }, index) => wrong.findIndex((other) => other.path === path) === index);
};

/** The names of the fields of an object. The keys of a record, and those that a catchall takes, are data. */
export const namesIn = ({ schema, value }: Place): readonly string[] => {
  const { shape, catchall } = definitionOf(schema);
  if (shape === undefined || !isObject(value)) return [];
  // A resource keeps unknown fields without a declaration.
  const isOpen = catchall !== undefined && !isIdentified(schema);
  return Object.keys(value).filter((name) => !isOpen || Object.hasOwn(shape, name));
};

/** The paths of values that their `openEnum` does not list, with the number of records that have one. */
export const unlistedIn = (resource: Schema, records: readonly Json[]): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const record of records) {
    const paths = placesOf(resource, [record]).flatMap(({ schema, value, path }) => {
      const known = knownValuesOf(schema);
      return known === undefined || typeof value !== 'string' || known.includes(value) ? [] : [path];
    });
    for (const path of new Set(paths)) found.set(path, (found.get(path) ?? 0) + 1);
  }
  return found;
};

export const undeclaredIn = (resource: Schema, records: readonly Json[]): readonly string[] => {
  const paths = placesOf(resource, records).flatMap((place) => {
    const { shape = {} } = definitionOf(place.schema);
    // A reference that was sent in full is judged by §2.1 nested resource.
    if (targetOf(place.schema) !== undefined) return [];
    const names = namesIn(place).filter((name) => !Object.hasOwn(shape, name) && !isIdentityField(name));
    return names.map((name) => below(place.path, showName(name)));
  });
  return [...new Set(paths)];
};
