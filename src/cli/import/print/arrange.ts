import type { Found } from '../api/api.ts';
import type { Model } from '../model.ts';
import type { Component } from '../schemas/reader.ts';
import { type Direction, isNull, isNullable, type Schema, valuesOf } from '../schemas/schema.ts';

/** What has to be known about all schemas before one is printed. */
export type Arranged = ReturnType<typeof arrange>;

type StructureOf = Model['structureOf'];

/** All schemas that are printed, without those that they refer to. */
const rootsOf = ({ collections, endpoints, unfit }: Found) => {
  const operations = [...endpoints, ...unfit];
  const requests = operations.flatMap(({ request }) => (typeof request === 'object' ? [request] : []));
  const ofCollections = collections.flatMap((one) => [one.params, ...one.bodies.map(({ body }) => body)]);
  const ofRequests = requests.flatMap(({ query, body }) => [query, body]);
  return {
    responses: [...collections, ...requests].flatMap(({ response }) => response ?? []),
    bodies: [...ofCollections, ...ofRequests].flatMap((schema) => schema ?? []),
  };
};

/** What a schema is made of, but for the fields of an object. */
const partsOf = (schema: Schema): readonly Schema[] => {
  const { anyOf = [], prefixItems = [], items = [], additionalProperties = [], propertyNames = [] } = schema;
  return [anyOf, prefixItems, items, additionalProperties, propertyNames].flat();
};

/** The sets of values by which the options of a union are told apart, and those beside what else is taken. */
const closedOptions = (
  { anyOf = [], discriminator }: Schema,
  structureOf: StructureOf,
): readonly Schema[] => {
  const options = anyOf.filter((one) => !isNull(one)).map(structureOf);
  const types = options.map(({ type }) => (type === 'integer' ? 'number' : type));
  const besideOthers = options.filter((option) => {
    const [value] = valuesOf(option);
    return types.some((type) => type === typeof value);
  });
  const fields = options.flatMap(({ properties = {} }) =>
    Object.entries(properties).map(([name, field]) => ({ name, structure: structureOf(field) })),
  );
  const tellingApart = fields.filter(({ name, structure }) => {
    const values = String(valuesOf(structure));
    const isOther = fields.some((one) => one.name === name && String(valuesOf(one.structure)) !== values);
    return isOther || name === discriminator;
  });
  return [...besideOthers, ...tellingApart.map(({ structure }) => structure)];
};

/** The sets of values in a schema beside which no others fit: {@link closedOptions}, and names of fields. */
const closedBy = (schema: Schema, structureOf: StructureOf): readonly Schema[] => {
  const { propertyNames } = schema;
  const names = propertyNames === undefined ? [] : [structureOf(propertyNames)];
  return [...closedOptions(schema, structureOf), ...names];
};

/** Puts the components of a program in order, each after those that it names. */
export const arrange = (
  found: Found,
  { componentOf, keyOf, inside, structureOf, targetOf, isResource }: Model,
) => {
  const visited = new Set<string>();
  /** The components that are complete, in order. */
  const order = new Map<string, Component>();
  /** Options of unions: they keep what they do not declare, so that no option loses fields of another. */
  const loose = new Set<string>();
  /** What the nested resources that may be expanded expand to. */
  const targets = new Map<Schema, Schema>();
  /** Sets of values beside which no others fit. */
  const closed = new Set<Schema>();
  /** What names a component that does not exist yet: a field becomes a getter, anything else lazy. */
  const late = new Set<Schema>();

  /**
   * Notes what a nested resource of a response expands to: a reference to another schema, a whole resource to
   * itself.
   */
  const findTarget = (nested: Schema): void => {
    const target = found.expandable.has(nested) ? nested : targetOf(nested);
    if (target !== undefined) targets.set(nested, target);
  };

  const visitReference = (schema: Schema, reference: string, isOption: boolean): void => {
    const key = keyOf(reference);
    const component = componentOf(key);
    if (component !== undefined && !visited.has(key)) {
      visited.add(key);
      visit(component.schema, component.direction);
      order.set(key, component);
    }
    if (isOption) loose.add(key);
    if (!order.has(key)) late.add(schema);
  };

  const visit = (schema: Schema, direction: Direction, isOption = false): void => {
    const target = targets.get(schema);
    visitWhole(target ?? schema, direction, target === undefined && isOption);
    if (target !== undefined && late.has(target)) late.add(schema);
  };

  /** Visits a schema that stands for itself, also where it is what an expandable one expands to. */
  const visitWhole = (schema: Schema, direction: Direction, isOption: boolean): void => {
    for (const field of Object.values(schema.properties ?? {})) {
      if (direction === 'response') findTarget(inside(field));
      visit(field, direction);
    }
    if (schema.$ref !== undefined) visitReference(schema, schema.$ref, isOption);
    const parts = partsOf(schema);
    for (const one of closedBy(schema, structureOf)) closed.add(one);
    const areOptions = isNullable(schema) ? isOption : schema.anyOf !== undefined;
    for (const part of parts) visit(part, direction, areOptions);
    if (parts.some((part) => late.has(part))) late.add(schema);
  };

  const { responses, bodies } = rootsOf(found);
  for (const schema of responses) visit(schema, 'response');
  for (const schema of bodies) visit(schema, 'body');
  const components = [...order.values()].map(({ schema }) => schema);
  const records = [...found.collections.map(({ response }) => response), ...targets.values()];
  /** What is printed as a resource: such components, what collections hold, and what is expanded. */
  const resources = new Set([
    ...components.filter(isResource),
    ...responses.filter(isResource),
    ...records.map(structureOf),
  ]);
  return { order, loose, targets, late, closed, resources };
};
