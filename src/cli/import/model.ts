import { pathSeparator } from '../../conventions.ts';
import { conventions, type WholeFamily } from '../../families/family.ts';
import {
  type Components,
  type Form,
  formOfComponent,
  isResourceJson,
  isStub,
  stubOf,
  suffixOf,
} from '../../openapi/forms.ts';
import { isObject } from '../../options.ts';
import { type Json, stringsAt } from './json.ts';
import { type Component, createReader } from './read-schema.ts';
import { isNullable, isSame, resolve, type Schema, withoutNull } from './schema.ts';

/**
 * The schemas of a document, and what they say of resources: their forms, their fields, and what may be
 * expanded.
 */
export type Model = ReturnType<typeof createModel>;

/** Whether any object of a document always has an `id`. */
const requiresIds = (part: unknown): boolean => {
  if (Array.isArray(part)) return part.some(requiresIds);
  if (!isObject(part)) return false;
  return stringsAt(part, 'required').includes('id') || Object.values(part).some(requiresIds);
};

/** @param saysNext - whether the document says of any list how it continues */
export const createModel = (document: Json, family: WholeFamily = conventions, saysNext?: boolean) => {
  const { components, read } = createReader(document);
  /** Components in another form, with the key of the component that they are made from. */
  const made = new Map<string, Component & { readonly base: string }>();
  /** A component, or a form of one. */
  const componentOf = (key: string): Component | undefined => components.get(key) ?? made.get(key);

  const find = (key: string): Schema | undefined => componentOf(key)?.schema;

  const forms: Components = {
    family,
    find,
    inForm: (base, form) => {
      const key = `${form} ${base}`;
      const component = componentOf(base);
      if (made.has(key) || component === undefined) return key;
      const name = component.name.replace(/Body$/, '') + suffixOf(form);
      // Empty while it is made, because it may contain itself.
      made.set(key, { name, direction: 'body', schema: {}, base });
      made.set(key, { name, direction: 'body', schema: inForm(component.schema, form), base });
      return key;
    },
  };

  // The members of a form are those of the schema that it is made from.
  const inForm = (schema: Schema, form: Form): Schema => formOfComponent(schema, form, forms) as Schema;

  const structureOf = (schema: Schema): Schema => resolve(schema, find);

  /** Whether an object has the identity of a resource. */
  const hasIdentity = (structure: Schema): boolean => {
    const { type = '' } = structureOf(structure.properties?.id ?? {});
    const isId = family.identity.length > 1 || ['string', 'number', 'integer'].includes(type);
    return isId && isResourceJson(structure, family);
  };

  /** Where the identity is the `id` alone, only an object that always has one is a resource. */
  const isResource = (schema: Schema): boolean => {
    const structure = structureOf(schema);
    const isAlwaysThere = family.identity.length > 1 || structure.required?.includes('id') === true;
    return isAlwaysThere && hasIdentity(structure);
  };

  /** Many documents that are made from code require no `id` at all. */
  const isStated = requiresIds(document);

  /** Whether a collection can have a schema. */
  const isRecord = (schema: Schema): boolean =>
    isResource(schema) || (!isStated && hasIdentity(structureOf(schema)));

  /** Whether a schema of the document equals the declared one, or a form of it. */
  const matches = (declared: Schema, found: Schema, form?: Form): boolean =>
    isSame(form === undefined ? declared : inForm(structureOf(declared), form), found, find);

  /**
   * The key of a component that a program declares: a form that equals its component has no name of its own.
   */
  const keyOf = (reference: string): string => {
    const { base, schema } = made.get(reference) ?? {};
    const isOwn = base === undefined || schema === undefined || !isSame(schema, find(base) ?? {}, find);
    return isOwn ? reference : keyOf(base);
  };

  /** The body of a request as a client sends it: without what only the server sets (§2.1), at any depth. */
  const toBody = (schema: Schema): Schema =>
    schema.$ref === undefined ? inForm(schema, 'body') : { $ref: forms.inForm(schema.$ref, 'body') };

  /** The schema inside of lists and `null`. A list may contain itself. */
  const inside = (schema: Schema, maxDepth = 5): Schema => {
    const bare = withoutNull(schema);
    const structure = structureOf(bare);
    const next = isNullable(structure) ? structure : structure.items;
    return next === undefined || maxDepth === 0 ? bare : inside(next, maxDepth - 1);
  };

  /**
   * What a reference {@link inside} a field expands to, itself where the document has no more; undefined for
   * any other schema.
   */
  const targetOf = (schema: Schema): Schema | undefined => {
    if (stubOf(schema, forms) === undefined) return undefined;
    const whole = structureOf(schema).anyOf?.find((one) => !isStub(one, forms));
    // `CompanyReference` stands for `Company`.
    const own = components.get(schema.$ref ?? '')?.name ?? '';
    const name = own.replace(/(?:Reference|Ref|Link|Stub)$/, '');
    const ofName = read({ $ref: `#/components/schemas/${name}` }, 'response');
    return whole ?? (isResource(ofName) && !isStub(ofName, forms) ? ofName : schema);
  };

  const fieldOf = (schema: Schema, name: string): Schema | undefined => {
    const { properties = {} } = structureOf(schema);
    return Object.hasOwn(properties, name) ? properties[name] : undefined;
  };

  /** The fields along a dotted path; undefined when one of them does not exist. */
  const fieldsAlong = (resource: Schema, path: string): readonly Schema[] | undefined => {
    const fields: Schema[] = [];
    let at = resource;
    for (const name of path.split(pathSeparator)) {
      const field = fieldOf(at, name);
      if (field === undefined) return undefined;
      fields.push(field);
      at = targetOf(inside(field)) ?? inside(field);
    }
    return fields;
  };

  /** The nested resource at a path, which an `expand` may name; undefined where there is none. */
  const nestedAt = (resource: Schema, path: string): Schema | undefined => {
    const field = fieldsAlong(resource, path)?.at(-1);
    const schema = field && inside(field);
    if (schema === undefined) return undefined;
    return isResource(schema) || targetOf(schema) !== undefined ? schema : undefined;
  };

  return {
    document,
    family,
    saysNext,
    componentOf,
    keyOf,
    read,
    toBody,
    structureOf,
    isResource,
    isRecord,
    matches,
    inside,
    targetOf,
    fieldOf,
    fieldsAlong,
    nestedAt,
  };
};
