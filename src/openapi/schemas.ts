import type { ApiDeclaration, Collection } from '../index.ts';
import { familyOf } from '../schema/define-api.ts';
import { endpointsOf } from '../schema/endpoints-of.ts';
import type { Schema } from '../schema/types/shape.ts';
import { convert, start } from './convert.ts';
import type { JsonSchema } from './document.ts';
import { type Components, type Form, formOfComponent, propertiesOf, suffixOf, withoutNull } from './forms.ts';
import { isResourceSchema, nameSchemas } from './name-schemas.ts';
import { type Claim, sorted } from './names.ts';

/** The schemas of a document. */
export type Schemas = ReturnType<typeof createSchemas>;

/** Converts the schemas of a declaration, once. Other forms are made from what that gives. */
export const createSchemas = (api: ApiDeclaration, claim: Claim) => {
  // A declaration's collections were checked when they were declared.
  const collections = api.collections as Readonly<Record<string, Collection>>;
  const family = familyOf(api);
  const named = nameSchemas(collections, endpointsOf(api), family, claim);
  const whole = convert(named, family, `API ${JSON.stringify(api.name)}`);
  const inOtherForms = new Map<string, Readonly<{ name: string; base: string; form: Form }>>();

  const components: Components = {
    family,
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
    /** What is in the path of a resource: its id, or another field. */
    key: (resource: Schema, field: string): JsonSchema => {
      const name = field === 'id' ? family.idField : field;
      return withoutNull(propertiesOf(whole[nameOf(resource)] ?? {})?.[name] ?? {});
    },
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
