import { globalRegistry, toJSONSchema } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import { type ApiDeclaration, type Collection, InvalidRequestError } from '../index.ts';
import { below } from '../schema/codec.ts';
import { operationsOf } from '../schema/collection.ts';
import { hasIdentity, schemaAt } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { coreOf, definitionOf, kindOf, partsOf, targetOf } from '../schema/zod.ts';
import { type Claim, toPascalCase, toSingular } from './names.ts';

/** A collection with the API that declares it. */
export interface Declared {
  readonly api: ApiDeclaration;
  readonly key: string;
  readonly collection: Collection;
}

/** What the declarations say of their schemas as a whole. */
export interface Survey {
  /** The schemas that are components, with their names. */
  readonly names: ReadonlyMap<Schema, string>;
  /** The names of the references to resources that may be expanded. */
  readonly stubs: ReadonlyMap<Schema, string>;
  /** The nested resources that some collection expands. */
  readonly expanded: ReadonlySet<Schema>;
  /** The resources that have a `self` wherever they appear (§2.1). */
  readonly fetchable: ReadonlySet<Schema>;
}

/** The place of a schema in the declarations. */
interface Place {
  /** The API and the collection, for messages. */
  readonly where: string;
  /** The dotted path of the field. */
  readonly path: string;
  /** The name of the resource, or of the body, that the schema is part of. */
  readonly owner: string;
  readonly ancestors: readonly Schema[];
}

/** True for a nested resource that may be expanded, without wrappers around it. */
export const isExpandable = (schema: Schema): boolean =>
  targetOf(schema) !== undefined && coreOf(schema) === schema;

/** True for a resource, which has `id` and `self` (§2.1). */
export const isResourceSchema = (schema: Schema): boolean =>
  targetOf(schema) === undefined && hasIdentity(definitionOf(schema).shape);

/** The API and the collection, for messages. */
export const nameOf = ({ api, key }: Declared): string =>
  `API ${JSON.stringify(api.name)}: collection ${JSON.stringify(key)}`;

const expandedBy = ({ collection: { resource, options } }: Declared): readonly Schema[] =>
  (options.expand ?? []).flatMap((path) => {
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

/** @throws {@link InvalidRequestError} for a schema that JSON Schema cannot express */
const checkLeaf = (schema: Schema, { where, path }: Place): void => {
  try {
    toJSONSchema(schema, { io: 'input' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidRequestError(
      `${where}: the field ${JSON.stringify(path)} has no JSON Schema (${reason}); declare what it is on the wire, ` +
        'for example with z.codec()',
    );
  }
};

/** Names the schemas of a document, in the order of the declarations. */
export const survey = (declared: readonly Declared[], claim: Claim): Survey => {
  const expanded = new Set(declared.flatMap(expandedBy));
  const names = new Map<Schema, string>();
  const stubs = new Map<Schema, string>();
  const nested = new Set<Schema>();
  const visited = new Set<Schema>();

  const name = (schema: Schema, ...candidates: readonly [string, ...string[]]): string => {
    const id = globalRegistry.get(schema)?.id?.replace(/[^\w.-]/g, '_');
    const known = names.get(schema) ?? (id === undefined ? claim(...candidates) : claim(id));
    names.set(schema, known);
    return known;
  };

  const visit = (schema: Schema, place: Place): void => {
    const ofField = toPascalCase(toSingular(place.path.split(pathSeparator).at(-1) ?? ''));
    const ofOwner = `${place.owner}${ofField}`;
    const target = isExpandable(schema) ? targetOf(schema) : undefined;
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
    const isResource = isResourceSchema(schema);
    if (isResource && place.ancestors.length > 0) nested.add(schema);
    if (isResource || globalRegistry.get(schema)?.id !== undefined) name(schema, ofOwner);
    const owner = names.get(schema) ?? place.owner;
    const inside: Place = { ...place, owner, ancestors: [...place.ancestors, schema] };
    const { shape } = definitionOf(schema);
    for (const [field, part] of Object.entries(shape ?? {}))
      visit(part, { ...inside, path: below(place.path, field) });
    const parts = wireParts(schema);
    if (parts.length === 0) checkLeaf(schema, place);
    const fields = new Set(Object.values(shape ?? {}));
    for (const part of parts) if (!fields.has(part)) visit(part, inside);
  };

  for (const { api, key, collection } of declared) {
    const segment = collection.path.split('/').findLast((part) => !part.startsWith(':')) ?? key;
    const short = toPascalCase(toSingular(segment));
    const versioned = `${short}V${api.version}`;
    name(collection.resource, short, versioned, toPascalCase(api.name) + versioned);
  }
  for (const one of declared) {
    const { key, collection } = one;
    const start = (owner: string): Place => ({ where: nameOf(one), path: '', owner, ancestors: [] });
    visit(collection.resource, start(toPascalCase(toSingular(key))));
    for (const [operation, body] of Object.entries(collection.options.bodies ?? {})) {
      if (body === undefined) continue;
      const owner = `${toPascalCase(key)}${toPascalCase(operation)}Body`;
      visit(body, start(isResourceSchema(body) ? owner : name(body, owner)));
    }
  }
  const listedOnly = declared
    .filter(({ collection }) => !operationsOf(collection).includes('get'))
    .map(({ collection }) => collection.resource as Schema);
  return {
    // A resource that is never expanded is a reference only.
    names: new Map([...names].filter(([schema]) => visited.has(schema))),
    stubs,
    expanded,
    fetchable: new Set([...visited].filter((one) => !nested.has(one) && !listedOnly.includes(one))),
  };
};
