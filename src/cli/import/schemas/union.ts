// Several schemas of which one applies, and `null` as one of them.
import { type Find, isNull, isNullable, isUnknown, resolve, type Schema, valuesOf } from './schema.ts';

const nullSchema: Schema = { type: 'null' };

/** A schema or `null`, as two options. */
export const nullable = (schema: Schema): Schema =>
  isNullable(schema) || isNull(schema) || isUnknown(schema) ? schema : { anyOf: [schema, nullSchema] };

/** A string without a format or a bound, which makes an enum beside it an open one. */
const isAnyString = (schema: Schema): boolean => schema.type === 'string' && Object.keys(schema).length === 1;

/** Known strings beside any other string, as one open enum. */
const openEnumOf = (options: readonly Schema[]): Schema | undefined => {
  const [one = {}, other = {}] = options;
  const known = isAnyString(one) ? other : one;
  const isOpen = options.length === 2 && options.some(isAnyString) && known.type === undefined;
  const values = valuesOf(known);
  const areStrings = values.length > 0 && values.every((value) => typeof value === 'string');
  return isOpen && areStrings ? { enum: values, isOpen: true } : undefined;
};

/** Schemas of which one applies. */
export const union = (all: readonly Schema[]): Schema => {
  const options = all.flatMap((one) => (isNullable(one) ? (one.anyOf ?? []) : [one]));
  const others = options.filter((one) => !isNull(one));
  const [first = nullSchema] = others;
  if (options.length === 0) return {};
  const unknown = others.find(isUnknown);
  if (unknown !== undefined) return unknown;
  const one: Schema = others.length > 1 ? (openEnumOf(others) ?? { anyOf: others }) : first;
  return others.length < options.length ? nullable(one) : one;
};

/** The field that tells objects apart: each requires it, with values that no other has. */
export const findDiscriminator = (options: readonly Schema[], find: Find): string | undefined => {
  const objects = options.map((option) => resolve(option, find));
  const valuesAt = ({ properties = {}, required = [] }: Schema, name: string): readonly unknown[] => {
    const field = resolve(properties[name] ?? {}, find);
    return required.includes(name) && !field.isOpen ? valuesOf(field) : [];
  };
  const [first, ...others] = objects;
  if (others.length === 0) return undefined;
  return first?.required?.find((name) => {
    const values = objects.map((object) => valuesAt(object, name));
    const all = values.flat();
    return values.every(({ length }) => length > 0) && new Set(all).size === all.length;
  });
};
