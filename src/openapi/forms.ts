// How a resource goes over the wire, from JSON Schema to JSON Schema: an export writes each form, and an
// import recognises it.
import type { WholeFamily } from '../families/family.ts';
import type { JsonSchema } from './document.ts';

/**
 * A response that `fields` limits, the body of POST and PUT, that of PATCH, and what the two bodies hold
 * (§4.2, §4.4).
 */
export type Form = 'limited' | 'body' | 'update' | 'part' | 'partUpdate';

interface FormRule {
  /** Ends the name of a component in this form. */
  readonly suffix: string;
  /** The form of what the fields hold. */
  readonly below: Form;
  /** The form of what a list holds: a PATCH replaces a list as a whole. */
  readonly inList: Form;
  /** Whether every field may be left out. */
  readonly isPartial: boolean;
  /** What a resource lacks: a body has no identity, and a part of a body may have an `id`. */
  readonly omits: readonly string[];
}

const rules: Readonly<Record<Form, FormRule>> = {
  limited: { suffix: 'Fields', below: 'limited', inList: 'limited', isPartial: true, omits: [] },
  body: { suffix: 'Body', below: 'part', inList: 'part', isPartial: false, omits: ['id', 'self'] },
  part: { suffix: 'Part', below: 'part', inList: 'part', isPartial: false, omits: ['self'] },
  update: { suffix: 'Update', below: 'partUpdate', inList: 'part', isPartial: true, omits: ['id', 'self'] },
  partUpdate: { suffix: 'PartUpdate', below: 'partUpdate', inList: 'part', isPartial: true, omits: ['self'] },
};

export const suffixOf = (form: Form): string => rules[form].suffix;

/** What decides the forms of resources: their identity, and what stands for one that is not expanded. */
export type Nesting = Pick<WholeFamily, 'identity' | 'idField' | 'impliesIdentity' | 'unexpanded' | 'query'>;

/** Fields of the identity, by the names with which they are sent. */
export const sentNames = (
  names: readonly string[],
  { idField }: Pick<Nesting, 'idField'>,
): readonly string[] => names.map((name) => (name === 'id' ? idField : name));

/** True when a reference stands for a resource until `expand` names it. */
export const hasReferences = ({ unexpanded, query }: Nesting): boolean =>
  unexpanded === 'reference' && query.expand !== undefined;

/** Where references lead to. */
export interface Components {
  readonly family: Nesting;
  /** The schema that a reference names; undefined when there is none. */
  find(reference: string): JsonSchema | undefined;
  /** A reference to the same component in another form. */
  inForm(reference: string, form: Form): string;
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** The fields of an object; undefined for any other schema. */
export const propertiesOf = ({ properties }: JsonSchema): Properties | undefined =>
  properties as Properties | undefined;

const optionsOf = ({ anyOf }: JsonSchema): readonly JsonSchema[] => (anyOf ?? []) as readonly JsonSchema[];

const isNull = ({ type }: JsonSchema): boolean => type === 'null';

/** A schema without `null`. */
export const withoutNull = (schema: JsonSchema): JsonSchema => {
  const options = optionsOf(schema).filter((one) => !isNull(one));
  const { anyOf, ...others } = schema;
  if (anyOf === undefined) return schema;
  return { ...others, ...(options.length === 1 ? options[0] : { anyOf: options }) };
};

/** True for a resource, which has the fields of its identity: `id` and `self` (§2.1), or `id` alone. */
export const isResourceJson = (schema: JsonSchema, family: Nesting): boolean => {
  const properties = propertiesOf(schema) ?? {};
  return sentNames(family.identity, family).every((name) => Object.hasOwn(properties, name));
};

const follow = (schema: JsonSchema, { find }: Components): JsonSchema =>
  typeof schema.$ref === 'string' ? (find(schema.$ref) ?? schema) : schema;

/** A resource with its identity alone, which stands for another one that `expand` may name (§2.1). */
export const isStub = (schema: JsonSchema, components: Components): boolean => {
  const { family } = components;
  if (!hasReferences(family)) return false;
  const found = follow(schema, components);
  const size = Object.keys(propertiesOf(found) ?? {}).length;
  return isResourceJson(found, family) && size === family.identity.length;
};

/** True for an id that stands for a resource beside it. */
const isId = ({ type }: JsonSchema): boolean => type === 'string' || type === 'number' || type === 'integer';

/**
 * What stands for a nested resource that may be expanded, beside the whole resource or alone: a reference, or
 * its id; undefined for any other schema.
 */
export const stubOf = (schema: JsonSchema, components: Components): JsonSchema | undefined => {
  const { family } = components;
  const found = follow(schema, components);
  if (isStub(found, components)) return found;
  const options = optionsOf(found).map((one) => follow(one, components));
  const isOther = (one: JsonSchema): boolean =>
    family.unexpanded === 'id' && family.query.expand !== undefined ? isId(one) : isStub(one, components);
  const stub = options.find(isOther);
  const isWhole = options.some((one) => one !== stub && isResourceJson(one, family));
  return options.length === 2 && isWhole ? stub : undefined;
};

/** The reference to a resource in a body: an object with its id (§4.2), or the id that stands for it. */
const referenceTo = (stub: JsonSchema, { idField }: Nesting): JsonSchema => {
  const id = propertiesOf(stub)?.[idField];
  return id === undefined ? stub : { type: 'object', properties: { [idField]: id }, required: [idField] };
};

/**
 * @param isComponent - where the identity is the `id` alone, any other object with one is not a resource
 */
const objectInForm = (
  schema: JsonSchema,
  form: Form,
  components: Components,
  isComponent: boolean,
): JsonSchema => {
  const { below, isPartial, omits } = rules[form];
  const { identity, impliesIdentity, unexpanded } = components.family;
  const hasSelf = identity.length > 1;
  const isResource = (hasSelf || isComponent) && isResourceJson(schema, components.family);
  const own = sentNames(identity, components.family);
  const isIdentity = (name: string): boolean => isResource && own.includes(name);
  const omitted = sentNames(omits, components.family);
  // A resource that is left out unless it is expanded is in no body.
  const isLeftOut = (field: JsonSchema): boolean =>
    unexpanded === 'absent' && field.readOnly === true && form !== 'limited';
  const fields = Object.entries(propertiesOf(schema) ?? {})
    .filter(([name, field]) => !(isIdentity(name) && omitted.includes(name)) && !isLeftOut(field))
    .map(([name, field]) => [name, toForm(field, below, components)]);
  const { required: names = [], ...rest } = schema;
  const required = (names as readonly string[]).filter((name) =>
    isIdentity(name) ? impliesIdentity && form === 'limited' : !isPartial,
  );
  return { ...rest, properties: Object.fromEntries(fields), ...(required.length > 0 && { required }) };
};

/**
 * A schema of a response in another form. No path leads into a union, a tuple or a record: what they hold is
 * neither limited nor different in a body.
 */
export const toForm = (schema: JsonSchema, form: Form, components: Components): JsonSchema => {
  const { $ref, items } = schema;
  const stub = stubOf(schema, components);
  const options = optionsOf(schema);
  if (stub !== undefined) {
    if (form !== 'limited') return referenceTo(stub, components.family);
    if (options.length === 0) return schema;
    const isStandIn = (one: JsonSchema): boolean => follow(one, components) === stub;
    return {
      ...schema,
      anyOf: options.map((one) => (isStandIn(one) ? one : toForm(one, form, components))),
    };
  }
  if (typeof $ref === 'string') return { ...schema, $ref: components.inForm($ref, form) };
  if (options.length === 2 && options.some(isNull))
    return { ...schema, anyOf: options.map((one) => toForm(one, form, components)) };
  if (items !== undefined && schema.prefixItems === undefined)
    return { ...schema, items: toForm(items as JsonSchema, rules[form].inList, components) };
  return propertiesOf(schema) === undefined ? schema : objectInForm(schema, form, components, false);
};

/**
 * A component in another form. A resource without fields of its own is not taken for a reference to another
 * one.
 */
export const formOfComponent = (schema: JsonSchema, form: Form, components: Components): JsonSchema =>
  propertiesOf(schema) === undefined
    ? toForm(schema, form, components)
    : objectInForm(schema, form, components, true);
