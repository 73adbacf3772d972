import { pathSeparator } from '../../conventions.ts';
import { type Form, formOfComponent, isResourceJson, isStub, stubOf } from '../../openapi/forms.ts';
import { toPascalCase, toSingular } from '../../openapi/names.ts';
import type { Json } from './json.ts';
import type { Reader } from './read-schema.ts';
import { isSame, resolve, type Schema, withoutNull } from './schema.ts';

/** What the schemas of a document say of resources: their forms, their fields, and what may be expanded. */
export type Resources = ReturnType<typeof createResources>;

/** A document as it is read. */
export interface Model {
  readonly document: Json;
  readonly reader: Reader;
  readonly resources: Resources;
}

/** Between the key of a component and a form of it. No JSON pointer has it. */
const separator = '\n';

/** The deepest path of a nested resource that is looked for where `expand` may name any. */
const deepest = 4;

export const createResources = ({ find: findComponent, components: all, read }: Reader) => {
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

  /** The resource that a schema is; undefined for any other schema. */
  const resourceOf = (schema: Schema): Schema | undefined => {
    const structure = structureOf(schema);
    return isResourceJson(structure) ? structure : undefined;
  };

  /** Whether a schema of the document equals a form of the declared schema. */
  const matches = (declared: Schema, form: Form | 'response', found: Schema): boolean =>
    isSame(form === 'response' ? declared : inForm(structureOf(declared), form), found, find);

  /** The resource that `{ id, self }` stands for, by the name of its schema or of its field. */
  const findTarget = (reference: Schema, field: string): Schema => {
    const own = reference.$ref === undefined ? '' : (all.get(reference.$ref)?.name ?? '');
    const names = [own.replace(/(?:Reference|Ref|Link|Stub)$/, ''), toPascalCase(toSingular(field))];
    const idOf = (schema: Schema): Schema => structureOf(schema).properties?.id ?? {};
    const targets = names.map((name) => read({ $ref: `#/components/schemas/${name}` }, 'response'));
    return (
      targets.find(
        (one) => resourceOf(one) && !isStub(one, components) && isSame(idOf(one), idOf(reference), find),
      ) ?? reference
    );
  };

  /** What a field expands to, without lists and `null` around it; undefined for one that is not expandable. */
  const targetOf = (field: Schema, name: string): Schema | undefined => {
    const structure = structureOf(field);
    const bare = isStub(structure, components) ? field : withoutNull(structure);
    if (stubOf(bare, components) === undefined) return undefined;
    const whole = structureOf(bare).anyOf?.find((one) => !isStub(one, components));
    return whole ?? findTarget(bare, name);
  };

  /** The schema inside of lists and `null`, or the resource that may be expanded there. */
  const below = (
    schema: Schema,
    name: string,
  ): { readonly schema: Schema; readonly isExpandable: boolean } => {
    const target = targetOf(schema, name);
    if (target !== undefined) return { schema: structureOf(target), isExpandable: true };
    const structure = withoutNull(structureOf(schema));
    if (structure.items !== undefined) return below(structure.items, name);
    return { schema: structureOf(structure), isExpandable: false };
  };

  const fieldOf = ({ properties = {} }: Schema, name: string): Schema | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : undefined;

  /** The fields along a dotted path, each with its name; undefined when one of them does not exist. */
  const fieldsAlong = (
    resource: Schema,
    path: string,
  ): readonly (readonly [string, Schema])[] | undefined => {
    const fields: (readonly [string, Schema])[] = [];
    let at = structureOf(resource);
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
  const expandPaths = (resource: Schema, prefix = '', level = 1): readonly string[] =>
    Object.entries(structureOf(resource).properties ?? {}).flatMap(([name, field]) => {
      const { schema, isExpandable } = below(field, name);
      if (isExpandable) return [prefix + name];
      return level < deepest ? expandPaths(schema, `${prefix}${name}${pathSeparator}`, level + 1) : [];
    });

  return { find, structureOf, resourceOf, matches, targetOf, fieldsAlong, isExpandable, expandPaths };
};
