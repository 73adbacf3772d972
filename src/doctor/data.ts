import { pathSeparator } from '../conventions.ts';
import { isObject } from '../options.ts';
import { below, parse } from '../schema/codec.ts';
import { isIdentityField } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { checksOf, definitionOf, elementOf, innerOf, targetOf, valuesOf } from '../schema/zod.ts';
import type { Json } from './exchange.ts';

/** A value of a record with what is declared for it. */
export interface Place {
  readonly schema: Schema;
  readonly value: unknown;
  /** The dotted path of the field, the same for all items of a list. */
  readonly path: string;
  /** The dotted path of this value, from the index of its record. */
  readonly example: string;
}

/** True for a string that is declared as a timestamp. */
export const isTimestamp = (schema: Schema): boolean =>
  checksOf(schema).some(({ format }) => format === 'datetime');

/** True when a value fits. An asynchronous schema counts as fitting. */
export const fits = (schema: Schema, value: unknown): boolean => {
  try {
    return parse(schema, value).ok;
  } catch {
    return true;
  }
};

/** A place, and every value below it that the declaration describes; a missing one is undefined. */
const placesIn = (place: Place): readonly Place[] => {
  const { schema, value, path, example } = place;
  const element = elementOf(schema);
  if (element !== undefined && Array.isArray(value)) {
    return value.flatMap((item, index) =>
      placesIn({ ...place, schema: element, value: item, example: below(example, index) }),
    );
  }
  const { type, in: input, shape } = definitionOf(schema);
  const inner = type === 'pipe' ? input : element === undefined ? innerOf(schema) : undefined;
  if (inner !== undefined && value !== undefined && value !== null)
    return placesIn({ ...place, schema: inner });
  if (shape === undefined || !isObject(value)) return [place];
  const fields = Object.entries(shape).flatMap(([name, field]) =>
    placesIn({
      ...place,
      schema: field,
      value: Object.hasOwn(value, name) ? value[name] : undefined,
      path: below(path, name),
      example: below(example, name),
    }),
  );
  return [place, ...fields];
};

/** Every place of some records. */
export const placesOf = (resource: Schema, records: readonly Json[]): readonly Place[] =>
  records.flatMap((value, record) =>
    placesIn({ schema: resource, value, path: '', example: String(record) }),
  );

/** How the data differs from the declaration. */
export type Difference = 'missing' | 'null' | 'type' | 'value' | 'unknown';

/** One kind of difference at one path, as in the first record that has it. */
export interface DataFinding extends Place {
  readonly kind: Difference;
}

/** The JSON type of a value. */
export const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : Number.isInteger(value)
        ? 'integer'
        : typeof value;

const differenceAt = ({ schema, value }: Place): Difference | undefined => {
  if (isObject(value) && definitionOf(schema).shape !== undefined) return undefined;
  // The form of a timestamp is judged by §2.1 timestamps.
  if (typeof value === 'string' && isTimestamp(schema)) return undefined;
  if (fits(schema, value)) return undefined;
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return typeof value === 'string' && valuesOf(schema).length > 0 ? 'value' : 'type';
};

/** `id` and `self` are judged by rules of their own (§2.1). */
const isIdentity = (path: string): boolean => isIdentityField(path.split(pathSeparator).at(-1) ?? '');

/** The fields of an object that are not declared. */
const unknownAt = (place: Place): readonly Place[] => {
  const { schema, value, path, example } = place;
  const { shape } = definitionOf(schema);
  // A reference that was sent in full is judged by §2.1 nested resource.
  if (shape === undefined || !isObject(value) || targetOf(schema) !== undefined) return [];
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(shape, name) && !isIdentityField(name))
    .map((name) => ({
      ...place,
      value: value[name],
      path: below(path, name),
      example: below(example, name),
    }));
};

// A server may have any number of fields that are not declared.
const mostFindings = 100;

/** Compares records with the declaration of their resource. Each kind of difference is one finding at a path. */
export const compareData = (resource: Schema, records: readonly Json[]): readonly DataFinding[] => {
  const found = new Map<string, DataFinding>();
  const add = (kind: Difference, place: Place): void => {
    const key = `${kind} ${place.path} ${kind === 'value' ? String(place.value) : ''}`;
    if (!found.has(key)) found.set(key, { ...place, kind });
  };
  for (const place of placesOf(resource, records)) {
    const kind = isIdentity(place.path) ? undefined : differenceAt(place);
    if (kind !== undefined) add(kind, place);
    for (const unknown of unknownAt(place)) add('unknown', unknown);
  }
  return [...found.values()].slice(0, mostFindings);
};
