import { pathSeparator } from '../../conventions.ts';
import { type Form, formOfComponent, isResourceJson, isStub, stubOf } from '../../openapi/forms.ts';
import { toPascalCase, toSingular } from '../../openapi/names.ts';
import type { Json } from './json.ts';
import { createReader } from './read-schema.ts';
import { isSame, resolve, type Schema, withoutNull } from './schema.ts';

/** The schemas of a document, and what they say of resources: their forms, their fields, and what may be expanded. */
export type Model = ReturnType<typeof createModel>;

/** Between the key of a component and a form of it. No JSON pointer has it. */
const separator = '\n';

/** The deepest path of a nested resource that is looked for where `expand` may name any. */
const maxDepth = 4;

export const createModel = (document: Json) => {
  const { components: constants, find: findComponent, read } = createReader(document);
  const made = new Map<string, Schema>();

  /** A component, or a form of one. */
  const find = (key: string): Schema | undefined => {
    const [base = '', form] = key.split(separator);
    const component = findComponent(base);
    if (form === undefined || component === undefined) return component;
    const known = made.get(key) ?? inForm(component, form as Form);
    made.set(key, known);
    return known;
  };

  const components = { find, inForm: (key: string, form: Form) => `${key}${separator}${form}` };

  // The members of a form are those of the schema that it is made from.
  const inForm = (schema: Schema, form: Form): Schema => formOfComponent(schema, form, components) as Schema;

  const structureOf = (schema: Schema): Schema => resolve(schema, find) ?? {};

  const isResource = (schema: Schema): boolean => isResourceJson(structureOf(schema));

  const isReference = (schema: Schema): boolean => isStub(schema, components);

  /** Whether a schema of the document equals the declared one, or a form of it. */
  const matches = (declared: Schema, found: Schema, form?: Form): boolean =>
    isSame(form === undefined ? declared : inForm(structureOf(declared), form), found, find);

  const fieldOf = (schema: Schema, name: string): Schema | undefined => {
    const { properties = {} } = structureOf(schema);
    return Object.hasOwn(properties, name) ? properties[name] : undefined;
  };

  /** The resource that `{ id, self }` stands for, by the name of its schema or of its field. */
  const findTarget = (reference: Schema, field: string): Schema => {
    const own = constants.get(reference.$ref ?? '')?.name ?? '';
    const names = [own.replace(/(?:Reference|Ref|Link|Stub)$/, ''), toPascalCase(toSingular(field))];
    const targets = names.map((name) => read({ $ref: `#/components/schemas/${name}` }, 'response'));
    const hasSameId = (one: Schema): boolean =>
      isSame(fieldOf(one, 'id') ?? {}, fieldOf(reference, 'id') ?? {}, find);
    return targets.find((one) => isResource(one) && !isReference(one) && hasSameId(one)) ?? reference;
  };

  /** What a field expands to, without lists and `null` around it; undefined for one that is not expandable. */
  const targetOf = (field: Schema, name: string): Schema | undefined => {
    const bare = isReference(field) ? field : withoutNull(structureOf(field));
    if (stubOf(bare, components) === undefined) return undefined;
    return structureOf(bare).anyOf?.find((one) => !isReference(one)) ?? findTarget(bare, name);
  };

  /** The schema inside of lists and `null`, or the resource that may be expanded there. */
  const below = (
    schema: Schema,
    name: string,
  ): { readonly schema: Schema; readonly isExpandable: boolean } => {
    const target = targetOf(schema, name);
    if (target !== undefined) return { schema: structureOf(target), isExpandable: true };
    const structure = withoutNull(structureOf(schema));
    return structure.items === undefined
      ? { schema: structureOf(structure), isExpandable: false }
      : below(structure.items, name);
  };

  /** The fields along a dotted path, each with its name; undefined when one of them does not exist. */
  const fieldsAlong = (
    resource: Schema,
    path: string,
  ): readonly (readonly [string, Schema])[] | undefined => {
    const fields: (readonly [string, Schema])[] = [];
    let at = resource;
    for (const name of path.split(pathSeparator)) {
      const field = fieldOf(at, name);
      if (field === undefined) return undefined;
      fields.push([name, field]);
      at = below(field, name).schema;
    }
    return fields;
  };

  const isExpandable = (resource: Schema, path: string): boolean => {
    const [name, field] = fieldsAlong(resource, path)?.at(-1) ?? [];
    return name !== undefined && field !== undefined && below(field, name).isExpandable;
  };

  /** The paths of the nested resources that a resource may expand, without those behind another expansion. */
  const expandPaths = (resource: Schema, names: readonly string[] = []): readonly string[] =>
    Object.entries(structureOf(resource).properties ?? {}).flatMap(([name, field]) => {
      const { schema, isExpandable } = below(field, name);
      const path = [...names, name];
      if (isExpandable) return [path.join(pathSeparator)];
      return path.length < maxDepth ? expandPaths(schema, path) : [];
    });

  return {
    document,
    constants,
    find,
    read,
    structureOf,
    isResource,
    isReference,
    matches,
    fieldOf,
    targetOf,
    fieldsAlong,
    isExpandable,
    expandPaths,
  };
};
