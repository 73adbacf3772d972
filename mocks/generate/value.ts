import type { Schema } from '../../src/schema/types/shape.ts';
import {
  definitionOf,
  fieldOf,
  kindOf,
  knownValuesOf,
  oncePer,
  targetOf,
  valuesOf,
} from '../../src/schema/zod.ts';
import { bodySchemaOf, fits, isResource } from '../rows/schema.ts';
import { type Id, toId } from '../rows/store.ts';
import { createNumberMaker } from './numbers.ts';
import { UnsupportedPatternError } from './pattern.ts';
import { createStringMaker, generateTime, lengthsOf, patternOf } from './strings.ts';
import {
  contextOfField,
  contextOfPart,
  GenerationError,
  isDeep,
  type Maker,
  makeUntilFits,
  type ValueContext,
} from './value-context.ts';

/** A transform may throw for a value that it does not expect. */
const isAccepted = (schema: Schema, value: unknown): boolean => {
  try {
    return fits(schema, value);
  } catch {
    return false;
  }
};

/** Why no value of a schema fits, for a message. */
const reasonOf = (schema: Schema): string => {
  const kind = kindOf(schema);
  const pattern = kind === 'string' ? patternOf(schema) : undefined;
  if (nesting.test(kind)) return 'no generated value fits its refinement';
  return `no value can be made for a ${kind}${pattern === undefined ? '' : ` that matches ${pattern}`}`;
};

/** A value that is deeper has a schema that contains itself, without an optional field. */
const maxDepth = 60;

/** Kinds of schemas that can contain themselves. */
const nesting = /^(object|lazy|record|union|array|optional|nullable)$/;

/** The fields of an object that are generated. The `self` of a resource is not: each response makes it. */
const fieldsToGenerate = oncePer((schema: Schema) => {
  const isOwn = isResource(schema);
  return Object.entries(definitionOf(schema).shape ?? {})
    .filter(([name]) => !isOwn || name !== 'self')
    .map(([name, field]) => {
      const isAssignedId = isOwn && name === 'id' && [1, '1'].some((id) => fits(field, id));
      return { name, field, isAssignedId };
    });
});

/**
 * The fields of an object, without the ids that the store assigns.
 *
 * @param skipped - names of fields that are not generated
 */
export const generateFields = (
  schema: Schema,
  context: ValueContext,
  skipped: ReadonlySet<string> = new Set(),
): Record<string, unknown> => {
  const value: Record<string, unknown> = {};
  for (const { name, field, isAssignedId } of fieldsToGenerate(schema)) {
    if (skipped.has(name) || (isAssignedId && context.assignsIds)) continue;
    const inner = generateValue(field, contextOfField(context, name));
    if (inner !== undefined) value[name] = inner;
  }
  return value;
};

/** An id that fits a resource: made of the number if possible. */
export const generateId = (number: number, resource: Schema, context: ValueContext): Id => {
  const schema = fieldOf(resource, 'id') ?? resource;
  // An id is a string or a number.
  return toId(number, resource) ?? (generateValue(schema, contextOfField(context, 'id')) as Id);
};

/** A whole resource in place of a relation, for a resource that no collection has. */
const generateRelated = (target: Schema, context: ValueContext): unknown => {
  const id = generateId(context.random.int(1, 999), target, context);
  const fields = generateFields(target, context, new Set(['id']));
  return { ...fields, id, self: `urn:${context.path}:${String(id)}` };
};

const generateObject = (schema: Schema, context: ValueContext): unknown => {
  const target = targetOf(schema);
  if (target === undefined) return generateFields(schema, context);
  const related = context.relate(target, context.random);
  if (related.kind === 'row') return related.value;
  if (related.kind === 'noCollection') return generateRelated(target, context);
  const { collection } = related;
  const advice = `give it some in data.${collection} or generate.${collection}`;
  throw new GenerationError(context, `the collection "${collection}" has no rows`, advice);
};

const generateList = (schema: Schema, context: ValueContext): unknown => {
  const { element = schema } = definitionOf(schema);
  const { least, most } = lengthsOf(schema);
  const usual = context.random.int(Math.max(least, Math.min(1, most)), Math.min(most, least + 3));
  const length = isDeep(context) ? least : usual;
  return Array.from(
    { length },
    (_, index) => generateValue(element, contextOfPart(context, String(index))) ?? null,
  );
};

const generateRecord = (schema: Schema, given: ValueContext): unknown => {
  const context = { ...given, assignsIds: false };
  const { keyType: keys = schema, valueType: values = schema } = definitionOf(schema);
  const named = valuesOf(keys).map(String);
  const generateKey = (name: string) => String(generateValue(keys, contextOfPart(context, `key ${name}`)));
  const names = named.length > 0 ? named : ['1', '2'].map(generateKey);
  return Object.fromEntries(
    names.map((name) => [name, generateValue(values, contextOfField(context, name))]),
  );
};

/** A value of the first option that has one. Deep inside, options that end come first. */
const generateUnion = (schema: Schema, given: ValueContext): unknown => {
  const context = { ...given, assignsIds: false };
  const { options = [] } = definitionOf(schema);
  const first = context.random.int(0, options.length - 1);
  const rotated = [...options.slice(first), ...options.slice(0, first)];
  const isNesting = (option: Schema): number => Number(isDeep(context) && nesting.test(kindOf(option)));
  for (const option of rotated.toSorted((a, b) => isNesting(a) - isNesting(b))) {
    try {
      const value = generateValue(option, context);
      if (value !== undefined && fits(option, value)) return value;
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
    }
  }
  throw new GenerationError(context, reasonOf(schema));
};

/**
 * A value, or what stands for none: at random, deep inside, and for a relation to a collection without rows.
 */
const generateOptional = (schema: Schema, context: ValueContext, none: null | undefined): unknown => {
  const { innerType: inner = schema } = definitionOf(schema);
  if (context.random.next() < 0.2 || isDeep(context)) return none;
  const target = targetOf(inner);
  const hasNoRows = target !== undefined && context.relate(target, context.random).kind === 'noRows';
  return hasNoRows ? none : generateValue(inner, context);
};

/** Makes one of these values. */
const createChoice =
  (values: readonly unknown[]): Maker =>
  ({ random }) =>
    values[random.int(0, values.length - 1)];

const stringMakerOf = (schema: Schema): Maker => {
  const listed = knownValuesOf(schema);
  if (listed !== undefined) return createChoice(listed);
  try {
    return createStringMaker(schema);
  } catch (error) {
    if (!(error instanceof UnsupportedPatternError)) throw error;
    return (context) => {
      throw new GenerationError(context, `no value can be made for a string: ${error.message}`);
    };
  }
};

const makeBoolean: Maker = ({ random }) => random.next() < 0.5;

const makeDate: Maker = ({ random }) => generateTime(random);

const listedMakerOf = (schema: Schema): Maker =>
  createChoice(valuesOf(schema).filter((value) => value !== undefined));

/** Makes the input of a codec. `preprocess` takes anything; the schema after it says more. */
const inputMakerOf = (schema: Schema): Maker => {
  const { in: input = schema, out = schema } = definitionOf(schema);
  const wire = kindOf(input) === 'transform' ? out : input;
  return (context) => generateValue(wire, context);
};

/** What makes the values of each kind of schema, read from the schema once. */
const makers: Readonly<Record<string, (schema: Schema) => Maker>> = {
  string: stringMakerOf,
  unknown: stringMakerOf,
  any: stringMakerOf,
  number: createNumberMaker,
  boolean: () => makeBoolean,
  date: () => makeDate,
  null: () => () => null,
  enum: listedMakerOf,
  literal: listedMakerOf,
  optional: (schema) => (context) => generateOptional(schema, context, undefined),
  nullable: (schema) => (context) => generateOptional(schema, context, null),
  object: (schema) => (context) => generateObject(schema, context),
  array: (schema) => (context) => generateList(schema, context),
  record: (schema) => (context) => generateRecord(schema, context),
  union: (schema) => (context) => generateUnion(schema, context),
  pipe: inputMakerOf,
  lazy: (schema) => (context) => generateValue(definitionOf(schema).getter?.() ?? schema, context),
};

const createMaker = (schema: Schema): Maker => {
  const create = makers[kindOf(schema)];
  if (create !== undefined) return create(schema);
  const { innerType } = definitionOf(schema);
  if (innerType !== undefined) return (context) => generateValue(innerType, context);
  return (context) => {
    throw new GenerationError(context, reasonOf(schema));
  };
};

/** Kinds whose values always fit, if their parts do and nothing else is checked. */
const fitting =
  /^(boolean|null|unknown|any|optional|nullable|object|array|record|union|lazy|readonly|default)$/;

const makerOf = oncePer((schema: Schema): Maker => {
  const make = createMaker(schema);
  if (fitting.test(kindOf(schema)) && !definitionOf(schema).checks?.length) return make;
  // What is generated has relations by their id, as a body has.
  const checked = bodySchemaOf(schema);
  const reason = reasonOf(schema);
  return (context) =>
    makeUntilFits(context, make, (value) =>
      isAccepted(checked, value) ? undefined : { path: context.path, reason },
    );
});

/**
 * A value that fits a schema, as it goes over the wire. Undefined for an optional field that is left out.
 *
 * @throws {@link GenerationError} for a schema that no value can be generated for
 */
export const generateValue = (schema: Schema, context: ValueContext): unknown => {
  if (context.depth > maxDepth)
    throw new GenerationError(context, 'its schema contains itself without an end');
  return makerOf(schema)(context);
};
