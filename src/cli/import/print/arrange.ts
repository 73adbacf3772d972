import type { Found } from '../api/api.ts';
import type { Model } from '../model.ts';
import type { Component } from '../schemas/reader.ts';
import { type Direction, isNull, isNullable, type Schema, valuesOf } from '../schemas/schema.ts';

/** What has to be known about all schemas before one is printed. */
export type Arranged = ReturnType<typeof arrange>;

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
  /** Sets of values that tell schemas apart, or that are names of fields: no others fit. */
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

  /** Notes the sets by which the options of a union are told apart, and those beside what else is taken. */
  const closeOptions = ({ anyOf = [], discriminator }: Schema): void => {
    const options = anyOf.filter((one) => !isNull(one)).map(structureOf);
    const types = options.map(({ type }) => (type === 'integer' ? 'number' : type));
    for (const option of options) {
      const [value] = valuesOf(option);
      if (types.some((type) => type === typeof value)) closed.add(option);
    }
    const fields = options.flatMap(({ properties = {} }) =>
      Object.entries(properties).map(([name, field]) => ({ name, structure: structureOf(field) })),
    );
    for (const { name, structure } of fields) {
      const values = String(valuesOf(structure));
      const isOther = fields.some((one) => one.name === name && String(valuesOf(one.structure)) !== values);
      if (isOther || name === discriminator) closed.add(structure);
    }
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
    closeOptions(schema);
    if (schema.propertyNames !== undefined) closed.add(structureOf(schema.propertyNames));
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
