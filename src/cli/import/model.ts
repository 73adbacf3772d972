import { pathSeparator } from '../../conventions.ts';
import type { WholeFamily } from '../../families/family.ts';
import { isResourceJson, isStub, stubOf } from '../../openapi/forms.ts';
import { isObject } from '../../options.ts';
import { isOfDeclaration } from './families/declared.ts';
import type { FamilyOfCollection } from './families/own-places.ts';
import { type Json, objectAt, stringsAt } from './json.ts';
import { createForms } from './schemas/forms.ts';
import { createReader } from './schemas/read-schema.ts';
import { isNullable, resolve, type Schema, withoutNull } from './schemas/schema.ts';

/**
 * The schemas of a document, and what they say of resources: their forms, their fields, and what may be
 * expanded.
 */
export type Model = ReturnType<typeof createModel>;

/** The objects of a document that may have an id: for each, whether the document requires it. */
const idsIn = (part: unknown, idField: string): readonly boolean[] => {
  if (Array.isArray(part)) return part.flatMap((one) => idsIn(one, idField));
  if (!isObject(part)) return [];
  const isRequired = stringsAt(part, 'required').includes(idField);
  const hasId = isRequired || Object.hasOwn(objectAt(part, 'properties'), idField);
  return [...(hasId ? [isRequired] : []), ...Object.values(part).flatMap((one) => idsIn(one, idField))];
};

/** The schema behind a reference. */
type StructureOf = (schema: Schema) => Schema;

/** Which schemas of a document are resources. */
const createResourceTests = (document: Json, family: WholeFamily, structureOf: StructureOf) => {
  const { identity, idField } = family;
  const hasSelf = identity.length > 1;

  /** Whether an object has the identity of a resource. */
  const hasIdentity = (structure: Schema): boolean => {
    const { type = '' } = structureOf(structure.properties?.[idField] ?? {});
    const isId = hasSelf || ['string', 'number', 'integer'].includes(type);
    return isId && isResourceJson(structure, family);
  };

  /** Where the identity is the id alone, only an object that always has one is a resource. */
  const isResource = (schema: Schema): boolean => {
    const structure = structureOf(schema);
    const isAlwaysThere = hasSelf || structure.required?.includes(idField) === true;
    return isAlwaysThere && hasIdentity(structure);
  };

  const ids = idsIn(document, idField);
  /** Many documents require no id, or few of them: there, one that is not required says nothing. */
  const isStated = ids.filter((isRequired) => isRequired).length * 2 >= ids.length;

  /** Whether a collection can have a schema. */
  const isRecord = (schema: Schema): boolean =>
    isResource(schema) || (!isStated && hasIdentity(structureOf(schema)));

  return { isResource, isRecord };
};

/** How the schemas of a document are read, for the fields of a resource. */
interface SchemaAccess {
  readonly structureOf: StructureOf;
  readonly isResource: (schema: Schema) => boolean;
  readonly inside: (schema: Schema) => Schema;
  readonly targetOf: (schema: Schema) => Schema | undefined;
}

/** The fields of a resource, by their dotted paths. */
const createFieldPaths = ({ structureOf, isResource, inside, targetOf }: SchemaAccess, idField: string) => {
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

  /** A path of the document in the names of a declaration, in which the id of each resource is `id`. */
  const toDeclaredPath = (resource: Schema, path: string): string => {
    const names = path.split(pathSeparator);
    const parent = names.slice(0, -1).join(pathSeparator);
    const isOfResource = parent === '' || nestedAt(resource, parent) !== undefined;
    return isOfResource && names.at(-1) === idField ? names.with(-1, 'id').join(pathSeparator) : path;
  };

  return { fieldOf, fieldsAlong, nestedAt, toDeclaredPath };
};

/**
 * @param saysNext - whether the document says of any list how it continues
 * @param familyOf - the family of a collection, which may have its records elsewhere
 */
export const createModel = (
  document: Json,
  family: WholeFamily,
  saysNext: boolean | undefined,
  familyOf: FamilyOfCollection = () => family,
) => {
  const isExport = isOfDeclaration(document);
  // An export says of each set of values whether it is open.
  const reader = createReader(document, isExport);
  const { read } = reader;
  const { context, componentOf, find, keyOf, toBody, matches } = createForms(reader, family);
  const structureOf: StructureOf = (schema) => resolve(schema, find);
  const { isResource, isRecord } = createResourceTests(document, family, structureOf);

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
    if (stubOf(schema, context) === undefined) return undefined;
    const whole = structureOf(schema).anyOf?.find((one) => !isStub(one, context));
    if (whole !== undefined) return whole;
    // `CompanyReference` stands for `Company`.
    const own = reader.components.get(schema.$ref ?? '')?.name ?? '';
    const name = own.replace(/(?:Reference|Ref|Link|Stub)$/, '');
    const ofName = read({ $ref: `#/components/schemas/${name}` }, 'response');
    return isResource(ofName) && !isStub(ofName, context) ? ofName : schema;
  };

  return {
    document,
    family,
    familyOf,
    saysNext,
    /** Whether the document was made from a declaration. */
    isExport,
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
    ...createFieldPaths({ structureOf, isResource, inside, targetOf }, family.idField),
  };
};
