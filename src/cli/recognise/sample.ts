import { isObject } from '../../options.ts';
import { isNullable, type Schema } from '../import/schemas/schema.ts';

// A body is bounded, but not its nesting.
const deepest = 20;

const everyIs = (values: readonly unknown[], type: string): boolean =>
  values.every((value) => typeof value === type);

const schemaOfPresent = (values: readonly unknown[], depth: number): Schema => {
  if (values.length === 0 || depth === deepest) return {};
  for (const type of ['string', 'number', 'boolean'] as const) {
    if (everyIs(values, type)) return { type };
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
