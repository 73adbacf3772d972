import { globalRegistry, registry, toJSONSchema } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import { InvalidRequestError } from '../index.ts';
import { isObject } from '../options.ts';
import { isAbsent, isResource } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { coreOf, definitionOf, fieldsOf, kindOf, knownValuesOf, objectOf } from '../schema/zod.ts';
import type { JsonSchema } from './document.ts';
import { type Nesting, propertiesOf } from './forms.ts';
import { expansionOf, isResourceSchema, type NamedSchemas } from './name-schemas.ts';

/** What the name of a component has in front in a reference. */
export const start = '#/components/schemas/';

const self: JsonSchema = { type: 'string', format: 'uri' };

interface Converted {
  readonly zodSchema: Schema;
  readonly jsonSchema: Record<string, unknown>;
  readonly path: readonly (string | number)[];
}

/** Kinds of schemas without a JSON Schema. */
const unrepresentable = [
  'bigint',
  'custom',
  'date',
  'function',
  'map',
  'nan',
  'set',
  'symbol',
  'transform',
  'undefined',
  'void',
];

const annotationsOf = (schema: Schema): JsonSchema => {
  const { id: _, ...annotations } = globalRegistry.get(schema) ?? {};
  return annotations;
};

/** The known values of an `openEnum`, beside which other strings are valid. */
const openValues = (schema: Schema): JsonSchema => {
  const known = knownValuesOf(schema);
  return known === undefined ? {} : { 'x-extensible-enum': known };
};

/** Gives an object of zod, which takes no other, new content. */
const replace = (jsonSchema: Record<string, unknown>, content: JsonSchema): void => {
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, content);
};

/** Converts by zod. What JSON Schema cannot describe is left to `override`. */
const conversion = (override: (converted: Converted) => void) => ({
  io: 'input' as const,
  unrepresentable: 'any' as const,
  metadata: registry<Record<string, unknown>>(),
  uri: (name: string) => start + name,
  override: override as never,
});

/** A field that is left out until it is expanded is in no body. Without `expand`, it is nowhere. */
const markAbsent = (
  schema: Schema,
  jsonSchema: Record<string, unknown>,
  expanded: ReadonlySet<Schema>,
): void => {
  const absent = Object.entries(definitionOf(schema).shape ?? {}).filter(([, field]) => isAbsent(field));
  if (absent.length === 0) return;
  const properties: Record<string, JsonSchema> = { ...propertiesOf(jsonSchema) };
  for (const [name, field] of absent) {
    if (expanded.has(coreOf(field))) properties[name] = { ...properties[name], readOnly: true };
    else delete properties[name];
  }
  const isThere = (name: string): boolean => absent.every(([other]) => other !== name);
  const required = ((jsonSchema.required ?? []) as readonly string[]).filter(isThere);
  Object.assign(jsonSchema, { properties, required });
  if (required.length === 0) delete jsonSchema.required;
};

/** Gives the id of a resource the name that its family has for it. */
const renameId = (jsonSchema: Record<string, unknown>, idField: string): void => {
  const toSent = (name: string): string => (name === 'id' ? idField : name);
  const properties = Object.entries(propertiesOf(jsonSchema) ?? {});
  jsonSchema.properties = Object.fromEntries(properties.map(([name, field]) => [toSent(name), field]));
  const required = jsonSchema.required as readonly string[] | undefined;
  if (required !== undefined) jsonSchema.required = required.map(toSent);
};

/** Gives an object its fields as they are in a response. */
const adjustObject = (
  { zodSchema, jsonSchema }: Converted,
  expanded: ReadonlySet<Schema>,
  idField: string,
): void => {
  const rest = jsonSchema.additionalProperties;
  if (isObject(rest) && Object.keys(rest).length === 0) delete jsonSchema.additionalProperties;
  const properties = propertiesOf(jsonSchema) ?? {};
  if (isResourceSchema(zodSchema) && properties.self?.type === 'string')
    jsonSchema.properties = { ...properties, self };
  markAbsent(zodSchema, jsonSchema, expanded);
  if (isResource(zodSchema)) renameId(jsonSchema, idField);
};

/**
 * Makes a function that refuses what JSON Schema cannot describe. It is called for each schema of a component,
 * and for the component itself at the end, when its name is known.
 */
const createFitCheck = (names: NamedSchemas['names'], where: string) => {
  /** The path of a field without a JSON Schema, in the component that is being converted. */
  let unfit: readonly (string | number)[] | undefined;
  return ({ zodSchema, jsonSchema, path }: Converted): void => {
    if (unrepresentable.includes(kindOf(zodSchema)) && Object.keys(jsonSchema).length === 0)
      unfit ??= path.filter((_, index) => path[index - 1] === 'properties');
    if (unfit === undefined || path.length > 0) return;
    const field = JSON.stringify([names.get(zodSchema), ...unfit].join(pathSeparator));
    throw new InvalidRequestError(
      `${where}: the field ${field} has no JSON Schema; declare what it is on the wire, for example with z.codec()`,
    );
  };
};

/** The JSON Schema of each component as it is in a response, by its name. */
export const convert = (
  { names, stubs, expanded }: NamedSchemas,
  { unexpanded, idField }: Nesting,
  where: string,
) => {
  const named = registry<{ id: string }>();
  const found: Record<string, JsonSchema> = {};
  for (const [schema, id] of names) named.add(schema, { id });
  const checkFit = createFitCheck(names, where);

  /** What stands for a nested resource that is not expanded. A part of the document where it has a name. */
  const standInOf = (target: Schema, given: JsonSchema): JsonSchema => {
    if (unexpanded === 'id') {
      const { maximum: _, ...id } = given;
      return id;
    }
    const { id = {} } = propertiesOf(given) ?? {};
    const stub = stubs.get(target);
    const ofId = { [idField]: id };
    if (stub === undefined) return { type: 'object', properties: ofId, required: [idField] };
    const hasSelf = Object.hasOwn(propertiesOf(given) ?? {}, 'self');
    const properties = hasSelf ? { ...ofId, self } : ofId;
    found[stub] = { type: 'object', properties, required: Object.keys(properties) };
    return { $ref: start + stub };
  };

  const nestedOf = (schema: Schema, target: Schema, given: JsonSchema): JsonSchema => {
    const whole = { $ref: start + (names.get(target) ?? '') };
    if (unexpanded === 'absent') return whole;
    const standIn = standInOf(target, given);
    return expanded.has(schema) ? { anyOf: [whole, standIn] } : standIn;
  };

  const override = (converted: Converted): void => {
    const { zodSchema, jsonSchema } = converted;
    const target = expansionOf(zodSchema);
    if (target === undefined) checkFit(converted);
    const kind = kindOf(zodSchema);
    // `z.readonly()` is of TypeScript alone; in OpenAPI, `readOnly` takes a field out of request bodies.
    if (kind === 'readonly') delete jsonSchema.readOnly;
    Object.assign(jsonSchema, openValues(zodSchema), annotationsOf(zodSchema));
    if (target !== undefined) {
      replace(jsonSchema, nestedOf(zodSchema, target, { ...jsonSchema }));
      return;
    }
    if (kind === 'object' && jsonSchema.$ref === undefined) adjustObject(converted, expanded, idField);
  };

  const { schemas } = toJSONSchema(named, conversion(override));
  for (const [name, { $schema: _schema, $id: _id, ...schema }] of Object.entries(schemas))
    found[name] = schema;
  return found;
};

/** What the client writes as a string in a query, although JSON does not have it. */
const queryKinds: Readonly<Record<string, JsonSchema>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'integer' },
};

/** The endpoint's own query parameters, written without references. */
export const convertParameters = (params: Schema) => {
  const shape = fieldsOf(params) ?? {};
  const override = ({ zodSchema, jsonSchema }: Converted): void =>
    void Object.assign(
      jsonSchema,
      queryKinds[kindOf(zodSchema)],
      openValues(zodSchema),
      annotationsOf(zodSchema),
    );
  const object = objectOf(() => shape);
  const converted = toJSONSchema(object, conversion(override));
  return Object.entries(propertiesOf(converted as JsonSchema) ?? {}).map(([name, schema]) => ({
    name,
    schema,
    isRequired: shape[name]?._zod.optin === undefined,
  }));
};
