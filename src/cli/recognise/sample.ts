import * as z from 'zod/mini';
import { toJSONSchema } from 'zod/v4/core';
import { isObject } from '../../options.ts';
import { isNullable, type Schema } from '../import/schemas/schema.ts';

// A body is bounded, but not its nesting.
const deepest = 20;

const everyIs = (values: readonly unknown[], type: string): boolean =>
  values.every((value) => typeof value === type);

/** The forms of a time that zod has a schema for, from the strictest. */
const timeForms = [z.iso.datetime(), z.iso.datetime({ offset: true }), z.iso.datetime({ local: true })].map(
  (form) => {
    const { format, pattern = '' } = toJSONSchema(form);
    return { type: 'string', pattern, ...(format !== undefined && { format }) } as const;
  },
);

/** Fewer values may be times by chance. */
const fewestTimes = 3;

/** The form that all of the strings have; undefined for none. */
const timeFormOf = (values: readonly unknown[]): Schema | undefined => {
  if (values.length < fewestTimes) return undefined;
  return timeForms.find(({ pattern }) => {
    const expression = new RegExp(pattern);
    return values.every((value) => expression.test(String(value)));
  });
};

const schemaOfPresent = (values: readonly unknown[], depth: number): Schema => {
  if (values.length === 0 || depth === deepest) return {};
  for (const type of ['string', 'number', 'boolean'] as const) {
    if (everyIs(values, type)) return (type === 'string' && timeFormOf(values)) || { type };
  }
  if (values.every((value) => Array.isArray(value)))
    return { type: 'array', items: schemaOf(values.flat(), depth + 1) };
  if (!values.every(isObject)) return {};
  const names = [...new Set(values.flatMap(Object.keys))];
  const fields = names.map((name) => {
    const found = values.filter((value) => Object.hasOwn(value, name)).map((value) => value[name]);
    return [name, schemaOf(found, depth + 1)] as const;
  });
  const required = names.filter((name) => values.every((value) => Object.hasOwn(value, name)));
  return { type: 'object', properties: Object.fromEntries(fields), required };
};

/** The schema that values have in common. What was only ever `null`, or of several types, is unknown. */
export const schemaOf = (values: readonly unknown[], depth = 0): Schema => {
  const schema = schemaOfPresent(
    values.filter((value) => value !== null),
    depth,
  );
  const isKnown = Object.keys(schema).length > 0;
  return isKnown && values.includes(null) && !isNullable(schema)
    ? { anyOf: [schema, { type: 'null' }] }
    : schema;
};
