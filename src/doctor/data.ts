import { identityFields, pathSeparator } from '../conventions.ts';
import { below, parseAny } from '../schema/parse.ts';
import { isObject } from '../schema/read-options.ts';
import type { Schema, Shape } from '../schema/types/shape.ts';
import { checksOf, definitionOf, elementOf, innerOf, kindOf, targetOf, valuesOf } from '../schema/zod.ts';
import type { Json } from './exchange.ts';

/** A value of a record with what is declared for it. */
export interface Place {
  readonly schema: Schema;
  readonly value: unknown;
  /** The dotted path of the field, the same for all items of a list. */
  readonly path: string;
  /** The dotted path of this value. */
  readonly example: string;
}

/** The fields that a schema itself declares; undefined when it is no object. */
const shapeOf = (schema: Schema): Shape | undefined =>
  kindOf(schema) === 'object' ? definitionOf(schema).shape : undefined;

/** True for a resource inside of another one, or a reference to one (§2.1). */
export const isNestedResource = (schema: Schema): boolean => {
  const shape = shapeOf(schema);
  return shape !== undefined && identityFields.every((name) => Object.hasOwn(shape, name));
};

/** What a schema with a wrapper or a codec says of the wire. */
const wireSchema = (schema: Schema): Schema | undefined =>
  kindOf(schema) === 'pipe' ? definitionOf(schema).in : innerOf(schema);

/** True for a string that is declared as a timestamp. */
export const isTimestamp = (schema: Schema): boolean =>
  checksOf(schema).some(({ format }) => format === 'datetime');

/** True when a value fits; a schema that has to wait is taken to fit. */
export const fits = (schema: Schema, value: unknown): boolean => {
  const parsed = parseAny(schema, value);
  if (!(parsed instanceof Promise)) return parsed.ok;
  parsed.catch(() => undefined);
  return true;
};

/** Every value below a place that the declaration describes; a missing one is undefined. */
export const placesIn = (place: Place): readonly Place[] => {
  const { schema, value, path, example } = place;
  const element = elementOf(schema);
  if (element !== undefined && Array.isArray(value)) {
    return value.flatMap((item, index) =>
      placesIn({ schema: element, value: item, path, example: below(example, index) }),
    );
  }
  const inner = element === undefined ? wireSchema(schema) : undefined;
  if (inner !== undefined && value !== undefined && value !== null)
    return placesIn({ ...place, schema: inner });
  const shape = shapeOf(schema);
  if (shape === undefined || !isObject(value)) return [place];
  return [
    place,
    ...Object.entries(shape).flatMap(([name, field]) =>
      placesIn({
        schema: field,
        value: Object.hasOwn(value, name) ? value[name] : undefined,
        path: below(path, name),
        example: below(example, name),
      }),
    ),
  ];
};

/** The places of a record. */
export const placesOf = (resource: Schema, record: Json): readonly Place[] =>
  placesIn({ schema: resource, value: record, path: '', example: '' });

/** How the data differs from the declaration. */
export type Difference = 'missing' | 'null' | 'type' | 'value' | 'unknown';

/** One kind of difference at one path. */
export interface DataFinding {
  readonly kind: Difference;
  readonly path: string;
  /** Records that have it. */
  readonly count: number;
  /** Records that were compared. */
  readonly of: number;
  /** Where it is in the first of them. */
  readonly example: string;
  /** What is declared; undefined for an unknown field. */
  readonly schema: Schema | undefined;
  /** The values that are not declared, or the types that the data has. */
  readonly seen: readonly string[];
}

const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : Number.isInteger(value)
        ? 'integer'
        : typeof value;

const differenceAt = ({ schema, value }: Place): Difference | undefined => {
  if (isObject(value) && shapeOf(schema) !== undefined) return undefined;
  // Its form is judged by §2.1 timestamps.
  if (typeof value === 'string' && isTimestamp(schema)) return undefined;
  if (fits(schema, value)) return undefined;
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return typeof value === 'string' && valuesOf(schema).length > 0 ? 'value' : 'type';
};

/** `id` and `self` are judged by rules of their own (§2.1). */
const isIdentity = (path: string): boolean =>
  identityFields.includes((path.split(pathSeparator).at(-1) ?? '') as 'id');

const unknownAt = ({ schema, value, path, example }: Place): readonly Place[] => {
  const shape = shapeOf(schema);
  // A reference that came in full is judged by §2.1 nested resource.
  if (shape === undefined || !isObject(value) || targetOf(schema) !== undefined) return [];
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(shape, name) && !identityFields.includes(name as 'id'))
    .map((name) => ({ schema, value: value[name], path: below(path, name), example: below(example, name) }));
};

// A server may have any number of fields that are not declared.
const mostFindings = 100;

/** Compares records with the declaration of their resource. Each path has one finding of a kind. */
export const compareData = (resource: Schema, records: readonly Json[]): readonly DataFinding[] => {
  const found = new Map<string, DataFinding>();
  const add = (kind: Difference, { path, example, schema, value }: Place, counted: Set<string>): void => {
    const key = `${kind} ${path}`;
    const known = found.get(key);
    const seen = kind === 'value' ? String(value) : typeOf(value);
    found.set(key, {
      kind,
      path,
      count: (known?.count ?? 0) + (counted.has(key) ? 0 : 1),
      of: records.length,
      example: known?.example ?? example,
      schema: kind === 'unknown' ? undefined : schema,
      seen: [...new Set([...(known?.seen ?? []), seen])].slice(0, 20),
    });
    counted.add(key);
  };
  for (const [index, record] of records.entries()) {
    const counted = new Set<string>();
    for (const place of placesIn({ schema: resource, value: record, path: '', example: String(index) })) {
      const kind = isIdentity(place.path) ? undefined : differenceAt(place);
      if (kind !== undefined) add(kind, place, counted);
      for (const unknown of unknownAt(place)) add('unknown', unknown, counted);
    }
  }
  return [...found.values()].slice(0, mostFindings);
};
