import { globalRegistry, registry, toJSONSchema } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import { type ApiDeclaration, type Collection, InvalidRequestError } from '../index.ts';
import { isObject } from '../options.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import { endpointsOf, type NamedEndpoint } from '../schema/endpoints-of.ts';
import { hasIdentity, isResource, schemaAt } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import {
  coreOf,
  definitionOf,
  fieldsOf,
  kindOf,
  knownValuesOf,
  objectOf,
  partsOf,
  targetOf,
} from '../schema/zod.ts';
import type { JsonSchema } from './document.ts';
import { type Components, type Form, formOfComponent, propertiesOf, suffixOf } from './forms.ts';
import { type Claim, sorted, toPascalCase, toSingular } from './names.ts';

/** The name of the parameter for the id of a resource, where its path has none of that name. */
export const idNameOf = (path: string): string => {
  const names = parameterNamesOf(path);
  return ['id', 'itemId', 'resourceId'].find((name) => !names.includes(name)) ?? 'id';
};

/** The schemas of a document. */
export type Schemas = ReturnType<typeof createSchemas>;

const start = '#/components/schemas/';
const self: JsonSchema = { type: 'string', format: 'uri' };

/** The place of a schema in the declaration. */
interface Place {
  readonly field: string;
  /** The name of the resource, or of the body, that the schema is part of. */
  readonly owner: string;
  readonly ancestors: readonly Schema[];
}

/** What a nested resource expands to; undefined for any other schema, also for a wrapper around one. */
const expansionOf = (schema: Schema): Schema | undefined =>
  coreOf(schema) === schema ? targetOf(schema) : undefined;

/** True for a resource, which has `id` and `self` (§2.1). */
const isResourceSchema = (schema: Schema): boolean =>
  targetOf(schema) === undefined && hasIdentity(definitionOf(schema).shape);

/** The nested resources that the `expand` of a collection or of an endpoint names. */
const expandedBy = (resource: Schema, expand: readonly string[] = []): readonly Schema[] =>
  expand.flatMap((path) => {
    const names = path.split(pathSeparator);
    const passed = names.map((_, index) => schemaAt(resource, names.slice(0, index + 1).join(pathSeparator)));
    return passed.flatMap((schema) => (schema && targetOf(schema) ? [coreOf(schema)] : []));
  });

/** The parts of a schema that go over the wire: of a codec and of a transform, one side. */
const wireParts = (schema: Schema): readonly Schema[] => {
  const { in: from, out: to } = definitionOf(schema);
  // A check has the same internals as a schema, but no type.
  if (from === undefined || to === undefined)
    return partsOf(schema).filter((part) => kindOf(part) !== undefined);
  return [kindOf(from) === 'transform' ? to : from];
};

/** Names the schemas that become components, in the order of the declaration. */
const nameSchemas = (
  collections: Readonly<Record<string, Collection>>,
  endpoints: readonly NamedEndpoint[],
  claim: Claim,
) => {
  const expanded = new Set([
    ...Object.values(collections).flatMap(({ resource, options }) => expandedBy(resource, options.expand)),
    ...endpoints.flatMap(({ declared: { options } }) =>
      options.response === undefined ? [] : expandedBy(options.response, options.expand),
    ),
  ]);
  const names = new Map<Schema, string>();
  /** The names of the references to resources that may be expanded. */
  const stubs = new Map<Schema, string>();
  const visited = new Set<Schema>();

  const name = (schema: Schema, ...candidates: readonly [string, ...string[]]): string => {
    const id = globalRegistry.get(schema)?.id?.replace(/[^\w.-]/g, '_');
    const known = names.get(schema) ?? (id === undefined ? claim(...candidates) : claim(id));
    names.set(schema, known);
    return known;
  };

  const visit = (schema: Schema, place: Place): void => {
    const ofField = toPascalCase(toSingular(place.field));
    const ofOwner = `${place.owner}${ofField}`;
    const target = expansionOf(schema);
    if (target !== undefined) {
      const owner = name(target, ofField, ofOwner);
      if (!stubs.has(target)) stubs.set(target, claim(`${owner}Reference`));
      if (expanded.has(schema)) visit(target, { ...place, owner, ancestors: [] });
      return;
    }
    // A schema that contains itself needs a name.
    if (place.ancestors.includes(schema)) name(schema, ofOwner);
    if (visited.has(schema)) return;
    visited.add(schema);
    if (isResourceSchema(schema) || globalRegistry.get(schema)?.id !== undefined) name(schema, ofOwner);
    const owner = names.get(schema) ?? place.owner;
    const inside: Place = { ...place, owner, ancestors: [...place.ancestors, schema] };
    const { shape = {} } = definitionOf(schema);
    for (const [field, part] of Object.entries(shape)) visit(part, { ...inside, field });
    const fields = new Set(Object.values(shape));
    for (const part of wireParts(schema)) if (!fields.has(part)) visit(part, inside);
  };

  for (const [key, { path, resource }] of Object.entries(collections)) {
    const segment = path.split('/').findLast((part) => !part.startsWith(':')) ?? key;
    name(resource, toPascalCase(toSingular(segment)));
  }
  for (const [key, { resource, options }] of Object.entries(collections)) {
    visit(resource, { field: '', owner: toPascalCase(toSingular(key)), ancestors: [] });
    for (const [operation, body] of Object.entries(options.bodies ?? {})) {
      if (body === undefined) continue;
      const owner = `${toPascalCase(key)}${toPascalCase(operation)}Body`;
      if (!isResourceSchema(body)) name(body, owner);
      visit(body, { field: '', owner, ancestors: [] });
    }
  }
  for (const { name: key, collection = '', declared } of endpoints) {
    const { body, response } = declared.options;
    const start = toPascalCase(collection) + toPascalCase(key);
    for (const [schema, owner] of [
      [response, `${start}Response`] as const,
      [body, `${start}Body`] as const,
    ]) {
      if (schema === undefined || kindOf(schema) === 'custom') continue;
      if (!names.has(schema)) name(schema, isResource(schema) ? start : owner, owner);
      visit(schema, { field: '', owner, ancestors: [] });
    }
  }
  // A resource that is never expanded is a reference only.
  return { names: new Map([...names].filter(([schema]) => visited.has(schema))), stubs, expanded };
};

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

/** Converts by zod. What JSON Schema cannot describe is left to `override`. */
const conversion = (override: (converted: Converted) => void) => ({
  io: 'input' as const,
  unrepresentable: 'any' as const,
  metadata: registry<Record<string, unknown>>(),
  uri: (name: string) => start + name,
  override: override as never,
});

/** The JSON Schema of each component as it is in a response, by its name. */
const convert = ({ names, stubs, expanded }: ReturnType<typeof nameSchemas>, where: string) => {
  const named = registry<{ id: string }>();
  const found: Record<string, JsonSchema> = {};
  for (const [schema, id] of names) named.add(schema, { id });
  /** The path of a field without a JSON Schema, in the component that is being converted. */
  let unfit: readonly (string | number)[] | undefined;

  /**
   * Refuses what JSON Schema cannot describe. The name of the component is known at the end of its
   * conversion.
   */
  const checkFit = ({ zodSchema, jsonSchema, path }: Converted): void => {
    if (unrepresentable.includes(kindOf(zodSchema)) && Object.keys(jsonSchema).length === 0)
      unfit ??= path.filter((_, index) => path[index - 1] === 'properties');
    if (unfit === undefined || path.length > 0) return;
    const field = JSON.stringify([names.get(zodSchema), ...unfit].join(pathSeparator));
    throw new InvalidRequestError(
      `${where}: the field ${field} has no JSON Schema; declare what it is on the wire, for example with z.codec()`,
    );
  };

  const override = (converted: Converted): void => {
    checkFit(converted);
    const { zodSchema, jsonSchema } = converted;
    const kind = kindOf(zodSchema);
    // `z.readonly()` is of TypeScript alone; in OpenAPI, `readOnly` takes a field out of request bodies.
    if (kind === 'readonly') delete jsonSchema.readOnly;
    Object.assign(jsonSchema, openValues(zodSchema), annotationsOf(zodSchema));
    if (kind !== 'object' || jsonSchema.$ref !== undefined) return;
    const rest = jsonSchema.additionalProperties;
    if (isObject(rest) && Object.keys(rest).length === 0) delete jsonSchema.additionalProperties;
    const properties = propertiesOf(jsonSchema) ?? {};
    const target = expansionOf(zodSchema);
    if (target !== undefined) {
      const stub = stubs.get(target) ?? '';
      const { id = {} } = properties;
      found[stub] = { type: 'object', properties: { id, self }, required: ['id', 'self'] };
      const reference = { $ref: start + stub };
      const whole = { $ref: start + (names.get(target) ?? '') };
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      Object.assign(jsonSchema, expanded.has(zodSchema) ? { anyOf: [whole, reference] } : reference);
    } else if (isResourceSchema(zodSchema) && properties.self?.type === 'string') {
      jsonSchema.properties = { ...properties, self };
    }
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

/** Converts the schemas of a declaration, once. Other forms are made from what that gives. */
export const createSchemas = (api: ApiDeclaration, claim: Claim) => {
  // A declaration's collections were checked when they were declared.
  const collections = api.collections as Readonly<Record<string, Collection>>;
  const named = nameSchemas(collections, endpointsOf(api), claim);
  const whole = convert(named, `API ${JSON.stringify(api.name)}`);
  const inOtherForms = new Map<string, Readonly<{ name: string; base: string; form: Form }>>();

  const components: Components = {
    find: (reference) => whole[reference.slice(start.length)],
    inForm: (reference, form) => {
      const base = reference.slice(start.length);
      const { properties, items, anyOf, $ref } = whole[base] ?? {};
      // A value without parts is the same in every form.
      if ([properties, items, anyOf, $ref].every((part) => part === undefined)) return reference;
      const key = `${base} ${form}`;
      const known = inOtherForms.get(key) ?? { name: claim(`${base}${suffixOf(form)}`), base, form };
      inOtherForms.set(key, known);
      return start + known.name;
    },
  };

  const nameOf = (schema: Schema): string => named.names.get(schema) ?? '';
  return {
    /** A reference to the response or the body of an endpoint, which is sent as it is declared. */
    whole: (schema: Schema): JsonSchema => ({ $ref: start + nameOf(schema) }),
    /** A reference to a resource as it is in a response, or in another form. */
    resource: (schema: Schema, form?: Form): JsonSchema => ({
      $ref: form === undefined ? start + nameOf(schema) : components.inForm(start + nameOf(schema), form),
    }),
    /** A reference to a body of the declaration's own. */
    ownBody: (schema: Schema): JsonSchema => {
      const name = nameOf(schema);
      if (isResourceSchema(schema)) return { $ref: components.inForm(start + name, 'body') };
      // It takes the place of what a response has.
      inOtherForms.set(name, { name, base: name, form: 'body' });
      return { $ref: start + name };
    },
    id: (resource: Schema): JsonSchema => propertiesOf(whole[nameOf(resource)] ?? {})?.id ?? {},
    /** Every component, by its name. */
    finish: (): Readonly<Record<string, JsonSchema>> => {
      const finished: Record<string, JsonSchema> = { ...whole };
      // The map grows while it is read: a form refers to the forms of its parts.
      for (const { name, base, form } of inOtherForms.values())
        finished[name] = formOfComponent(whole[base] ?? {}, form, components);
      return sorted(finished);
    },
  };
};
