import { $ZodOptional, $ZodUnion, $ZodUnknown, toJSONSchema } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import { InvalidRequestError } from '../index.ts';
import { below } from '../schema/codec.ts';
import { isIdentityField } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import {
  coreOf,
  definitionOf,
  elementOf,
  innerOf,
  isContainer,
  kindOf,
  mapParts,
  objectOf,
  someSchema,
  targetOf,
  withParts,
} from '../schema/zod.ts';
import { createComponents, givenAnnotations, givenName } from './components.ts';
import type { JsonSchema } from './document.ts';
import { type Form, forms } from './forms.ts';
import { type Claim, toPascalCase, toSingular } from './names.ts';
import { isResourceSchema, type Survey } from './survey.ts';

/** The place of a schema in the declarations. */
export interface Place {
  /** The API and the collection, for messages. */
  readonly collection: string;
  /** The dotted path of the field. */
  readonly path: string;
  /** The name of the resource, or of the body, that the schema is part of. */
  readonly owner: string;
  /** The schemas around it. */
  readonly ancestors: readonly Schema[];
}

/** The schemas of a document. */
export type Schemas = ReturnType<typeof createSchemas>;

const optional = (schema: Schema): Schema => new $ZodOptional({ type: 'optional', innerType: schema });

const fieldName = ({ path }: Place): string =>
  toPascalCase(toSingular(path.split(pathSeparator).at(-1) ?? ''));

/** The JSON Schema of query parameters whose values JSON does not have. */
const inQuery: Readonly<Record<string, JsonSchema>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'integer' },
};

/** The form of an endpoint's own query parameter. */
export const formInQuery = (parameter: Schema): Form =>
  someSchema(parameter, (schema) => Object.hasOwn(inQuery, kindOf(schema))) ? 'query' : 'response';

/** @throws {@link InvalidRequestError} for a schema that JSON Schema cannot express */
const checkLeaf = (schema: Schema, { collection, path }: Place): void => {
  try {
    toJSONSchema(schema, { io: 'input' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidRequestError(
      `${collection}: the field ${JSON.stringify(path)} has no JSON Schema (${reason}); declare what it is on the wire, ` +
        'for example with z.codec()',
    );
  }
};

export const createSchemas = ({ expanded, fetchable }: Survey, claim: Claim) => {
  const components = createComponents();
  const converted = new Map<Form, Map<Schema, Schema>>();
  // The names of resources, and of the declaration's own bodies.
  const owners = new Map<Schema, string>();
  const references = new Map<Schema, Schema>();
  const late: (() => unknown)[] = [];

  /** Gives a resource its name, unless it has one. */
  const nameResource = (resource: Schema, ...candidates: readonly [string, ...string[]]): string => {
    const given = givenName(resource);
    const name = owners.get(resource) ?? (given === undefined ? claim(...candidates) : claim(given));
    owners.set(resource, name);
    return name;
  };

  /** The name of the component for a schema in a form; undefined for a schema that is written where it is used. */
  const componentName = (schema: Schema, form: Form, place: Place): string | undefined => {
    if (!isResourceSchema(schema)) {
      const body = form === 'body' ? owners.get(schema) : undefined;
      const given = givenName(schema);
      return body ?? (given && claim(`${given}${forms[form].suffix}`));
    }
    const name = nameResource(schema, `${place.owner}${fieldName(place)}`);
    return form === 'response' ? name : claim(`${name}${forms[form].suffix}`);
  };

  /** A schema that stands for a JSON Schema. */
  const describe = (json: JsonSchema): Schema => {
    const schema = new $ZodUnknown({ type: 'unknown' });
    components.annotate(schema, json);
    return schema;
  };

  const selfField = (): Schema =>
    describe({ type: 'string', format: 'uri', description: 'The URI of the resource (§2.1).' });

  /** One field of an object; undefined when the object does not have it in this form. */
  const toField = (name: string, field: Schema, of: Schema, form: Form, place: Place): Schema | undefined => {
    const { below, isPartial, id } = forms[form];
    if (!isResourceSchema(of) || !isIdentityField(name)) {
      const wire = convert(field, below, place);
      return isPartial ? optional(wire) : wire;
    }
    if (id === 'never' || (name === 'self' && id !== 'always')) return undefined;
    if (name === 'self' && kindOf(coreOf(field)) === 'string')
      return fetchable.has(of) ? selfField() : optional(selfField());
    const wire = convert(field, below, place);
    return id === 'optional' ? optional(wire) : wire;
  };

  const convertObject = (schema: Schema, form: Form, place: Place): Schema => {
    const { shape = {}, catchall } = definitionOf(schema);
    const fields = (): Record<string, Schema> => {
      const owner = owners.get(schema) ?? place.owner;
      const kept: Record<string, Schema> = {};
      for (const [name, field] of Object.entries(shape)) {
        const at = {
          ...place,
          path: below(place.path, name),
          owner,
          ancestors: [...place.ancestors, schema],
        };
        const wire = toField(name, field, schema, form, at);
        if (wire !== undefined) kept[name] = wire;
      }
      return kept;
    };
    const object = objectOf(fields, { catchall });
    late.push(() => definitionOf(object).shape);
    return object;
  };

  /** `{ id, self }` of a nested resource in a response, and all of it where a collection expands it; `{ id }` in a body. */
  const convertExpandable = (schema: Schema, target: Schema, form: Form, place: Place): Schema => {
    const { id: idField = schema } = definitionOf(schema).shape ?? {};
    const id = convert(idField, 'response', { ...place, path: `${place.path}${pathSeparator}id` });
    if (forms[form].id !== 'always') return objectOf(() => ({ id }));
    const base = nameResource(target, fieldName(place), `${place.owner}${fieldName(place)}`);
    const reference = references.get(target) ?? objectOf(() => ({ id, self: selfField() }));
    if (!references.has(target)) components.add(reference, claim(`${base}Reference`));
    references.set(target, reference);
    if (!expanded.has(schema)) return reference;
    return new $ZodUnion({ type: 'union', options: [convert(target, form, place), reference] });
  };

  const convertPipe = (schema: Schema, form: Form, place: Place): Schema => {
    const { in: from = schema, out: to = schema, reverseTransform } = definitionOf(schema);
    // A codec writes its value as a whole, so its parts have no other form.
    const wireForm = reverseTransform === undefined ? form : 'response';
    return kindOf(from) === 'transform'
      ? withParts(schema, { out: convert(to, wireForm, place) })
      : withParts(schema, { in: convert(from, wireForm, place) });
  };

  const convertLazy = (schema: Schema, place: Place): Schema => {
    const { getter = () => schema } = definitionOf(schema);
    const below = { ...place, ancestors: [...place.ancestors, schema] };
    let made: Schema | undefined;
    const read = (): Schema => {
      made ??= convert(getter(), 'response', below);
      return made;
    };
    late.push(read);
    return withParts(schema, { getter: read });
  };

  const convertNew = (schema: Schema, form: Form, place: Place): Schema => {
    const inner = innerOf(schema);
    const kind = kindOf(schema);
    if (inner !== undefined) {
      const isList = elementOf(schema) !== undefined;
      const wire = convert(inner, isList ? forms[form].inList : form, place);
      // `catch` replaces what does not fit, so the wire has the schema inside. A default of a query may not be JSON.
      const isOpen = kind === 'catch' || (form === 'query' && ['default', 'prefault'].includes(kind));
      return isOpen ? optional(wire) : mapParts(schema, () => wire);
    }
    const target = targetOf(schema);
    if (target !== undefined) return convertExpandable(schema, target, form, place);
    if (kind === 'object') return convertObject(schema, form, place);
    if (kind === 'pipe') return convertPipe(schema, form, place);
    if (kind === 'lazy') return convertLazy(schema, place);
    const wireForm = form === 'query' ? form : 'response';
    // No path leads into a container: its parts are neither limited nor different in a body.
    if (isContainer(schema)) return mapParts(schema, (part) => convert(part, wireForm, place));
    const written = form === 'query' ? inQuery[kind] : undefined;
    if (written !== undefined) return describe(written);
    checkLeaf(schema, place);
    return withParts(schema, {});
  };

  const convert = (schema: Schema, form: Form, place: Place): Schema => {
    const inForm = converted.get(form) ?? new Map<Schema, Schema>();
    converted.set(form, inForm);
    const known = inForm.get(schema);
    if (known !== undefined) {
      // A schema that contains itself needs a name.
      if (place.ancestors.includes(schema) && components.nameOf(known) === undefined)
        components.add(known, claim(`${place.owner}${fieldName(place)}${forms[form].suffix}`));
      return known;
    }
    const wire = convertNew(schema, form, place);
    inForm.set(schema, wire);
    const name = components.nameOf(wire) ?? componentName(schema, form, place);
    if (name !== undefined) components.add(wire, name);
    components.annotate(wire, givenAnnotations(schema));
    return wire;
  };

  return {
    nameResource,
    /** Gives a body of the declaration's own its name, unless it has one. */
    nameBody: (body: Schema, name: string): void => {
      if (!owners.has(body) && !isResourceSchema(body)) owners.set(body, claim(givenName(body) ?? name));
    },
    /** A schema as it goes over the wire; `finish` completes it. */
    toWire: (schema: Schema, form: Form, place: Place): JsonSchema =>
      components.toJson(convert(schema, form, place)),
    finish: (): Readonly<Record<string, JsonSchema>> => {
      // The list grows while it is read.
      for (const read of late) read();
      return components.finish();
    },
  };
};
