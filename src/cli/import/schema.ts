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

/** A schema that is declared as a constant: one of the document, or one that an operation has for itself. */
export interface Constant {
  /** The name that it gets if it is free. */
  readonly name: string;
  readonly direction: Direction;
  readonly schema: Schema;
}

/** The component that a reference leads to. */
export type Find = (key: string) => Schema | undefined;

export const nullSchema: Schema = { type: 'null' };

const isNull = ({ type }: Schema): boolean => type === 'null';

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
  const [first = nullSchema] = others;
  if (options.length === 0 || others.some(isUnknown)) return {};
  const one: Schema = others.length > 1 ? { anyOf: others } : first;
  return others.length < options.length ? nullable(one) : one;
};

/** What a schema is made of, but for the fields of an object. */
export const partsOf = (schema: Schema): readonly Schema[] => {
  const { anyOf = [], allOf = [], prefixItems = [], items = [], additionalProperties = [] } = schema;
  return [anyOf, allOf, prefixItems, items, additionalProperties].flat();
};

/** What a schema refers to, or the schema itself; undefined when the reference leads nowhere. */
export const resolve = (schema: Schema, find: Find): Schema | undefined => {
  let at: Schema | undefined = schema;
  for (let count = 0; at?.$ref !== undefined && count < 100; count += 1) at = find(at.$ref);
  return at;
};

/** What two schemas are compared by. A body may have an `id` and a `self` that it may leave out. */
const comparable = (schema: Schema) => {
  const { description: _description, notes: _notes, properties = {}, required = [], ...rest } = schema;
  const isCompared = (name: string): boolean => required.includes(name) || (name !== 'id' && name !== 'self');
  const fields = Object.entries(properties)
    .filter(([name]) => isCompared(name))
    .map(([name, field]) => [name, required.includes(name), field] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, fields };
};

/** Tells whether two schemas describe the same values. A reference equals what it leads to. */
export const isSame = (left: Schema, right: Schema, find: Find): boolean => {
  const compared = new Map<Schema, Set<Schema>>();
  const same = (a: Schema, b: Schema): boolean => {
    const [one, other] = [resolve(a, find), resolve(b, find)];
    if (one === undefined || other === undefined || one === other) return one === other;
    const others = compared.get(one) ?? new Set();
    if (others.has(other)) return true;
    compared.set(one, others.add(other));
    const [members, otherMembers] = [comparable(one), comparable(other)];
    const names = [...new Set([members, otherMembers].flatMap(Object.keys))] as (keyof typeof members)[];
    return names.every((name) => sameValue(members[name], otherMembers[name]));
  };
  const sameValue = (a: unknown, b: unknown): boolean => {
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
    if (!Array.isArray(a)) return same(a, b);
    return Array.isArray(b) && a.length === b.length && a.every((one, index) => sameValue(one, b[index]));
  };
  return same(left, right);
};
