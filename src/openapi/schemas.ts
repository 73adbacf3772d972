import { globalRegistry, registry, toJSONSchema } from 'zod/v4/core';
import type { Schema } from '../schema/types/shape.ts';
import { fieldsOf, kindOf, objectOf, targetOf } from '../schema/zod.ts';
import type { JsonSchema } from './document.ts';
import { type Components, type Form, formOfComponent, propertiesOf, requiredOf, suffixOf } from './forms.ts';
import { type Claim, sorted } from './names.ts';
import { isExpandable, isResourceSchema, type Survey } from './survey.ts';

/** The schemas of a document. */
export type Schemas = ReturnType<typeof createSchemas>;

const start = '#/components/schemas/';

const selfField: JsonSchema = {
  type: 'string',
  format: 'uri',
  description: 'The URI of the resource (§2.1).',
};

/** What the client writes as a string in a query, although JSON does not have it. */
const queryKinds: Readonly<Record<string, JsonSchema>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'integer' },
};

const annotationsOf = (schema: Schema): JsonSchema => {
  const { id: _, ...annotations } = globalRegistry.get(schema) ?? {};
  return annotations;
};

/** The JSON Schema of each schema that has a name, as it is in a response, by its name; of `params`, by their index. */
const convert = ({ names, stubs, expanded, fetchable }: Survey, params: readonly Schema[]) => {
  const named = registry<{ id: string }>();
  const ofStubs: Record<string, JsonSchema> = {};
  for (const [schema, id] of names) named.add(schema, { id });
  for (const [index, one] of params.entries()) {
    const shape = fieldsOf(one) ?? {};
    named.add(
      objectOf(() => shape),
      { id: `#${index}` },
    );
  }

  /** Writes what the conventions add over the JSON Schema of zod. */
  const override = (of: { zodSchema: Schema; jsonSchema: Record<string, unknown> }): void => {
    const { zodSchema, jsonSchema } = of;
    const kind = kindOf(zodSchema);
    Object.assign(jsonSchema, queryKinds[kind], annotationsOf(zodSchema));
    // A response has what the schema inside describes.
    if (kind === 'catch') delete jsonSchema.default;
    if (kind !== 'object' || jsonSchema.$ref !== undefined) return;
    const rest = jsonSchema.additionalProperties;
    if (typeof rest === 'object' && Object.keys(rest ?? {}).length === 0)
      delete jsonSchema.additionalProperties;
    const target = isExpandable(zodSchema) ? targetOf(zodSchema) : undefined;
    const properties = propertiesOf(jsonSchema) ?? {};
    if (target !== undefined) {
      const stub = stubs.get(target) ?? '';
      ofStubs[stub] = {
        type: 'object',
        properties: { id: properties.id ?? {}, self: selfField },
        required: ['id', 'self'],
      };
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      const reference = { $ref: start + stub };
      const whole = { $ref: start + (names.get(target) ?? '') };
      Object.assign(jsonSchema, expanded.has(zodSchema) ? { anyOf: [whole, reference] } : reference);
    } else if (isResourceSchema(zodSchema) && properties.self?.type === 'string') {
      jsonSchema.properties = { ...properties, self: selfField };
      if (fetchable.has(zodSchema)) jsonSchema.required = [...new Set([...requiredOf(jsonSchema), 'self'])];
    }
  };

  const { schemas } = toJSONSchema(named, {
    io: 'input',
    // What JSON Schema cannot describe is refused where it is surveyed.
    unrepresentable: 'any',
    metadata: registry(),
    uri: (name) => start + name,
    override: override as never,
  });
  const found = Object.entries(schemas).map(([name, converted]) => {
    const { $schema: _schema, $id: _id, ...schema } = converted;
    return [name, schema] as const;
  });
  return { ...Object.fromEntries<JsonSchema>(found), ...ofStubs };
};

/** Converts the schemas of the declarations, once. Other forms are made from what that gives. */
export const createSchemas = (surveyed: Survey, params: readonly Schema[], claim: Claim) => {
  const { names } = surveyed;
  const whole = convert(surveyed, params);
  const inOtherForms = new Map<
    string,
    { readonly name: string; readonly base: string; readonly form: Form }
  >();

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

  const toReference = (schema: Schema): string => start + (names.get(schema) ?? '');
  const ownBodies = new Set<string>();
  return {
    /** A reference to a resource as it is in a response, or in another form. */
    resource: (schema: Schema, form?: Form): JsonSchema => ({
      $ref: form === undefined ? toReference(schema) : components.inForm(toReference(schema), form),
    }),
    /** A reference to a body of the declaration's own. */
    ownBody: (schema: Schema): JsonSchema => {
      if (isResourceSchema(schema)) return { $ref: components.inForm(toReference(schema), 'body') };
      ownBodies.add(names.get(schema) ?? '');
      return { $ref: toReference(schema) };
    },
    id: (resource: Schema): JsonSchema => propertiesOf(whole[names.get(resource) ?? ''] ?? {})?.id ?? {},
    /** The endpoint's own query parameters. */
    parameters: (of: Schema) =>
      Object.entries(propertiesOf(whole[`#${params.indexOf(of)}`] ?? {}) ?? {}).map(([name, schema]) => ({
        name,
        schema,
        isRequired: fieldsOf(of)?.[name]?._zod.optin === undefined,
      })),
    /** Every component, by its name. */
    finish: (): Readonly<Record<string, JsonSchema>> => {
      const finished: Record<string, JsonSchema> = {};
      for (const [name, schema] of Object.entries(whole).filter(([name]) => !name.startsWith('#')))
        finished[name] = ownBodies.has(name) ? formOfComponent(schema, 'body', components) : schema;
      // The map grows while it is read: a form refers to the forms of its parts.
      for (const { name, base, form } of inOtherForms.values())
        finished[name] = formOfComponent(whole[base] ?? {}, form, components);
      return sorted(finished);
    },
  };
};
