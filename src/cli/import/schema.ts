/** What goes over the wire in one direction: `readOnly` fields are in responses alone, `writeOnly` ones in bodies. */
export type Direction = 'response' | 'body';

/** A JSON Schema as it is declared: without `allOf` of objects, without `oneOf`, and with `null` as an option of `anyOf`. */
export type Schema = {
  /** The key of a component. */
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly enum?: readonly (string | number | boolean)[];
  /** True where the one value of `enum` was that of `const`. */
  readonly isConstant?: true;
  readonly anyOf?: readonly Schema[];
  /** The field that tells the options of `anyOf` apart. */
  readonly discriminator?: string;
  /** Schemas that all apply, where one of them is no object with fields. */
  readonly allOf?: readonly Schema[];
  /** The fields of an object; undefined for an object of any names. */
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  /** The parts of the document that are not declared, and why. */
  readonly notes?: readonly string[];
  /** True for a schema that nothing fits. */
  readonly never?: true;
};

/** A schema of the document that has a name. */
export interface Component {
  /** The name that it gets if it is free. */
  readonly name: string;
  readonly direction: Direction;
  readonly schema: Schema;
}

export const nullSchema: Schema = { type: 'null' };

export const isNull = ({ type }: Schema): boolean => type === 'null';

export const isNullable = (schema: Schema): boolean => schema.anyOf?.some(isNull) === true;

/** A schema without `null`. */
export const withoutNull = (schema: Schema): Schema =>
  isNullable(schema) ? (schema.anyOf?.find((one) => !isNull(one)) ?? schema) : schema;

/** True for a schema that says nothing of a value. */
export const isUnknown = (schema: Schema): boolean =>
  Object.keys(schema).every((key) => key === 'description' || key === 'notes');

/** A schema or `null`, as two options. */
export const nullable = (schema: Schema): Schema =>
  isNullable(schema) || isNull(schema) || isUnknown(schema) ? schema : { anyOf: [schema, nullSchema] };

/** Schemas of which one applies. */
export const union = (all: readonly Schema[]): Schema => {
  const options = all.flatMap((one) => (isNullable(one) ? (one.anyOf ?? []) : [one]));
  const others = options.filter((one) => !isNull(one));
  const [first] = others;
  if (others.some(isUnknown)) return {};
  if (first === undefined) return options.length > 0 ? nullSchema : {};
  const one: Schema = others.length === 1 ? first : { anyOf: others };
  return others.length < options.length ? nullable(one) : one;
};

/** Tells whether two schemas describe the same values. A reference equals what it leads to. */
export const isSame = (left: Schema, right: Schema, find: (key: string) => Schema | undefined): boolean => {
  const known = new Map<Schema, Set<Schema>>();
  const same = (a: Schema, b: Schema): boolean => {
    const [one, other] = [a, b].map((schema) => resolve(schema, find));
    if (one === undefined || other === undefined || one === other) return one === other;
    const pairs = known.get(one) ?? new Set();
    if (pairs.has(other)) return true;
    known.set(one, pairs.add(other));
    const names = [...new Set([one, other].flatMap(Object.keys))] as (keyof Schema)[];
    return names.every((name) => sameMember(name, one, other));
  };
  const sameMember = (name: keyof Schema, one: Schema, other: Schema): boolean => {
    if (name === 'description' || name === 'notes' || name === 'required') return true;
    if (name === 'properties') return sameFields(one, other);
    return sameValue(one[name], other[name]);
  };
  const sameValue = (a: unknown, b: unknown): boolean => {
    if (Array.isArray(a) && Array.isArray(b))
      return a.length === b.length && a.every((one, index) => sameValue(one, b[index]));
    const areObjects = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
    return areObjects ? same(a as Schema, b as Schema) : a === b;
  };
  /** A body may have an `id` and a `self` that it may leave out. */
  const fieldsOf = ({ properties = {}, required = [] }: Schema): readonly string[] =>
    Object.keys(properties).filter((name) => (name !== 'id' && name !== 'self') || required.includes(name));
  const isRequired = ({ required = [] }: Schema, name: string): boolean => required.includes(name);
  const sameFields = (one: Schema, other: Schema): boolean => {
    const [names, others] = [fieldsOf(one), fieldsOf(other)];
    return (
      names.length === others.length &&
      names.every(
        (name) =>
          others.includes(name) &&
          isRequired(one, name) === isRequired(other, name) &&
          same(one.properties?.[name] ?? {}, other.properties?.[name] ?? {}),
      )
    );
  };
  return same(left, right);
};

/** What a schema refers to, or the schema itself; undefined when the reference leads nowhere. */
export const resolve = (schema: Schema, find: (key: string) => Schema | undefined): Schema | undefined => {
  let at: Schema | undefined = schema;
  for (let count = 0; at?.$ref !== undefined && count < 100; count += 1) at = find(at.$ref);
  return at;
};
