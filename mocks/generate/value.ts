import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { definitionOf, fieldOf, innerOf, kindOf, oncePer, targetOf, valuesOf } from '../../src/schema/zod.ts';
import { type Id, toId } from '../rows/id.ts';
import { fits } from '../rows/parse.ts';
import { bodySchemaOf, isResource, type Json } from '../rows/schema.ts';
import { noValueMessage, problemWith } from './problem.ts';
import { contextOfFinalValue, isAlwaysMissing, withSelf } from './relations.ts';
import { scalarMakers } from './scalars.ts';
import { lengthsOf } from './strings.ts';
import {
  contextOfField,
  contextOfPart,
  GenerationError,
  isDeep,
  type Maker,
  makeUntilFits,
  UnsupportedSchemaError,
  type ValueContext,
} from './value-context.ts';

/** A deeper value is taken for one without an end, of a schema that contains itself in a required field. */
const maxDepth = 60;

/** Kinds of schemas that can contain themselves. */
const nesting = /^(object|lazy|record|union|array|tuple|intersection|optional|nullable)$/;

/** The fields of an object that are generated. The `self` of a resource is not: see {@link withSelf}. */
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
 * Generates the fields of an object, except the `self` of a resource, and the ids that the store assigns.
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
    if (skipped.has(name) || (isAssignedId && context.addedLater.includes('id'))) continue;
    const own = contextOfField(context, name);
    // An id that any number fits is an integer, as those of the store are.
    const id = isAssignedId ? toId(own.random.int(1, 999), schema) : undefined;
    const inner = id ?? generateValue(field, own);
    if (inner !== undefined) value[name] = inner;
  }
  return value;
};

/** An id that fits a resource: one with the number, such as 7 or "ord_7", or else a generated one. */
export const generateId = (number: number, resource: Schema, context: ValueContext): Id => {
  const schema = fieldOf(resource, 'id') ?? resource;
  // An id is a string or a number.
  return toId(number, resource) ?? (generateValue(schema, contextOfField(context, 'id')) as Id);
};

/** A relation to a row, or a whole resource in its place where no collection has such rows. */
const generateRelation = (schema: Schema, target: Schema, context: ValueContext): Json => {
  const related = context.relate(target, context.random);
  if (related.kind === 'row') return withSelf(related.value, schema, context);
  if (related.kind === 'noCollection') {
    const id = generateId(context.random.int(1, 999), target, context);
    // The store assigns no ids inside a relation, because its content belongs to another row.
    const whole = contextOfFinalValue(context);
    // A resource that relates to itself ends with a reference, which is a relation that is not expanded.
    if (isDeep(context)) return withSelf({ id }, schema, whole);
    return withSelf({ ...generateFields(target, whole, new Set(['id'])), id }, schema, whole);
  }
  const { collection } = related;
  const advice = `give it some in data.${collection} or generate.${collection}`;
  throw new GenerationError(context, `the collection "${collection}" has no rows`, advice);
};

/** Makes relations in the form that the family gives them. */
const createRelationMaker =
  (schema: Schema, target: Schema): Maker =>
  (context) => {
    if (kindOf(schema) === 'undefined')
      throw new GenerationError(
        context,
        'the family leaves this relation out, and the schema requires a value',
      );
    const relation = generateRelation(schema, target, context);
    return kindOf(schema) === 'object' ? relation : relation.id;
  };

const generateObject = (schema: Schema, context: ValueContext): unknown =>
  withSelf(generateFields(schema, context), schema, context);

const createListMaker = (schema: Schema): Maker => {
  const { element = schema } = definitionOf(schema);
  const { least, most } = lengthsOf(schema);
  return (context) => {
    const usual = context.random.int(Math.max(least, Math.min(1, most)), Math.min(most, least + 3));
    const length = isDeep(context) || isAlwaysMissing(element, context) ? least : usual;
    return Array.from({ length }, (_, index) =>
      generateValue(element, contextOfPart(context, String(index))),
    );
  };
};

const generateTuple = (schema: Schema, context: ValueContext): unknown => {
  const { items = [] } = definitionOf(schema);
  const values: unknown[] = [];
  // From its end, because an item can be left out only if all items after it are.
  for (const [index, item] of [...items.entries()].toReversed()) {
    const isRequired = values.length > 0;
    const value = generateValue(item, { ...contextOfPart(context, String(index)), isRequired });
    if (value !== undefined) values.unshift(value);
  }
  return values;
};

/** The fields of both, or a value of one that fits the other too. */
const generateIntersection = (schema: Schema, context: ValueContext): unknown => {
  const { left = schema, right = schema } = definitionOf(schema);
  const [one, other] = [left, right].map((side) => generateValue(side, context));
  if (isObject(one) && isObject(other)) return { ...one, ...other };
  return problemWith(right, one) === undefined ? one : other;
};

const generateRecord = (schema: Schema, context: ValueContext): unknown => {
  const { keyType: keys = schema, valueType: values = schema } = definitionOf(schema);
  const named = valuesOf(keys).map(String);
  if (named.length === 0 && isAlwaysMissing(values, context)) return {};
  const generateKey = (name: string) => String(generateValue(keys, contextOfPart(context, `key ${name}`)));
  const names = named.length > 0 ? named : ['1', '2'].map(generateKey);
  const entries = names.map((name) => [name, generateValue(values, contextOfField(context, name))] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};

/** The most options of a union whose problems a message shows. */
const mostProblems = 3;

/**
 * A value of one of the options, from a random one on. Deep inside, those that cannot contain themselves come
 * first, so that the value ends.
 */
const generateUnion = (schema: Schema, given: ValueContext): unknown => {
  const context = { ...given, isRequired: true };
  const { options = [] } = definitionOf(schema);
  const first = context.random.int(0, options.length - 1);
  const rotated = [...options.slice(first), ...options.slice(0, first)];
  const isNesting = (option: Schema): number => Number(isDeep(context) && nesting.test(kindOf(option)));
  const problems: string[] = [];
  for (const option of rotated.toSorted((a, b) => isNesting(a) - isNesting(b))) {
    try {
      const value = generateValue(option, context);
      // An option before it may throw for the value, which is then none of the union.
      const problem = problemWith(option, value) ?? problemWith(schema, value);
      if (problem === undefined) return value;
      problems.push(problem);
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
      problems.push(error.path === context.path ? error.reason : `${error.path}: ${error.reason}`);
    }
  }
  if (!given.isRequired && schema._zod.optin === 'optional') return undefined;
  const shown = [...new Set(problems)].slice(0, mostProblems).join(', or ');
  throw new GenerationError(context, `none of the options of a union has a value (${shown})`);
};

/**
 * A value, or `none`: for one in five, for all that are deep inside, and for a relation without a row. An
 * item of a list, which cannot be left out, always gets a value or null.
 */
const generateOptional = (schema: Schema, context: ValueContext, none: null | undefined): unknown => {
  const { innerType: inner = schema } = definitionOf(schema);
  if (none === undefined && context.isRequired) return generateValue(inner, context);
  const isNone = context.random.next() < 0.2 || isDeep(context) || isAlwaysMissing(inner, context);
  return isNone ? none : generateValue(inner, context);
};

/** Makes the input of a codec. That of `preprocess` may be anything, so its output is made instead. */
const createInputMaker = (schema: Schema): Maker => {
  const { in: input = schema, out = schema } = definitionOf(schema);
  const wire = kindOf(input) === 'transform' ? out : input;
  return (context) => generateValue(wire, context);
};

/** What makes the values of each kind of schema, read from the schema once. */
const makers: Readonly<Record<string, (schema: Schema) => Maker>> = {
  ...scalarMakers,
  optional: (schema) => (context) => generateOptional(schema, context, undefined),
  nullable: (schema) => (context) => generateOptional(schema, context, null),
  object: (schema) => (context) => generateObject(schema, context),
  array: createListMaker,
  tuple: (schema) => (context) => generateTuple(schema, context),
  intersection: (schema) => (context) => generateIntersection(schema, context),
  record: (schema) => (context) => generateRecord(schema, context),
  union: (schema) => (context) => generateUnion(schema, context),
  pipe: createInputMaker,
  lazy: (schema) => (context) => generateValue(definitionOf(schema).getter?.() ?? schema, context),
};

/** Kinds whose values are stored and sent as they are: the store and the responses do not look into them. */
const finalKinds = /^(intersection|lazy|pipe|record|tuple|union)$/;

const createMaker = (schema: Schema): Maker => {
  const { innerType } = definitionOf(schema);
  const target = innerOf(schema) === undefined ? targetOf(schema) : undefined;
  if (target !== undefined) return createRelationMaker(schema, target);
  const kind = kindOf(schema);
  const make = makers[kind]?.(schema);
  if (make !== undefined)
    return finalKinds.test(kind) ? (context) => make(contextOfFinalValue(context)) : make;
  if (innerType !== undefined) return (context) => generateValue(innerType, context);
  throw new UnsupportedSchemaError('the mock makes none of this kind');
};

/** Names the field of a schema that no value can be made for. */
const withField = (schema: Schema): Maker => {
  let make: Maker | undefined;
  return (context) => {
    try {
      make ??= createMaker(schema);
      return make(context);
    } catch (error) {
      if (!(error instanceof UnsupportedSchemaError)) throw error;
      throw new GenerationError(context, noValueMessage(schema, error.message));
    }
  };
};

/** Kinds whose values always fit, if their parts do and nothing else is checked. */
const fitting =
  /^(boolean|null|unknown|any|optional|nullable|object|array|record|union|lazy|readonly|default)$/;

const makerOf = oncePer((schema: Schema): Maker => {
  const make = withField(schema);
  if (fitting.test(kindOf(schema)) && !definitionOf(schema).checks?.length) return make;
  // A generated row has no `self`, as a body has none.
  const checked = bodySchemaOf(schema);
  return (context) =>
    makeUntilFits(context, make, (value) => {
      const problem = problemWith(checked, value);
      if (problem === undefined) return undefined;
      const isWhole = nesting.test(kindOf(schema));
      const reason = isWhole ? `no generated value fits: ${problem}` : noValueMessage(schema, problem);
      return { path: context.path, reason };
    });
});

/**
 * Generates a value that fits a schema, as it goes over the wire; undefined for an optional field that is
 * left out. All values of rows and responses come from here.
 *
 * @throws {@link GenerationError} for a schema that no value can be generated for
 */
export const generateValue = (schema: Schema, context: ValueContext): unknown => {
  if (context.depth > maxDepth)
    throw new GenerationError(context, 'its schema contains itself without an end');
  const value = makerOf(schema)(context);
  if (value === undefined && context.isRequired)
    throw new GenerationError(context, 'an item has no value, and JSON has no undefined');
  return value;
};
