import { globalRegistry } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import type { Collection } from '../index.ts';
import type { NamedEndpoint } from '../schema/endpoints-of.ts';
import { schemaAt } from '../schema/field-paths.ts';
import { hasIdentity, isResource } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { coreOf, definitionOf, innerOf, kindOf, partsOf, targetOf } from '../schema/zod.ts';
import { hasReferences, type Nesting } from './forms.ts';
import { type Claim, toPascalCase, toSingular } from './names.ts';

/** The place of a schema in the declaration. */
interface Place {
  readonly field: string;
  /** The name of the resource, or of the body, that the schema is part of. */
  readonly owner: string;
  readonly ancestors: readonly Schema[];
}

/** What a nested resource expands to; undefined for any other schema, also for a wrapper around one. */
export const expansionOf = (schema: Schema): Schema | undefined =>
  coreOf(schema) === schema ? targetOf(schema) : undefined;

/** True for a resource, also for an object with `id` and `self` (§2.1). */
export const isResourceSchema = (schema: Schema): boolean =>
  targetOf(schema) === undefined && (isResource(schema) || hasIdentity(definitionOf(schema).shape));

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

/** The schema of the body of an endpoint, also of one that may be left out. */
export const bodyOf = ({ declared: { options } }: NamedEndpoint): Schema | undefined => {
  const { body } = options;
  return body !== undefined && kindOf(body) === 'optional' ? innerOf(body) : body;
};

/** Names schemas, each once, and those inside that need a name. */
const createNamer = (expanded: ReadonlySet<Schema>, family: Nesting, claim: Claim) => {
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

  const visitRelation = (schema: Schema, target: Schema, place: Place, ofField: string): void => {
    if (!hasReferences(family) && !expanded.has(schema)) return;
    const owner = name(target, ofField, place.owner + ofField);
    if (hasReferences(family) && !stubs.has(target)) stubs.set(target, claim(`${owner}Reference`));
    if (expanded.has(schema)) visit(target, { ...place, owner, ancestors: [] });
  };

  const visit = (schema: Schema, place: Place): void => {
    const ofField = toPascalCase(toSingular(place.field));
    const ofOwner = place.owner + ofField;
    const target = expansionOf(schema);
    if (target !== undefined) {
      visitRelation(schema, target, place, ofField);
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

  return {
    stubs,
    name,
    hasName: (schema: Schema): boolean => names.has(schema),
    /** Names what is inside of a schema whose parts are named after `owner`. */
    nameInside: (schema: Schema, owner: string): void => visit(schema, { field: '', owner, ancestors: [] }),
    /** A resource that is never expanded is a reference only. */
    names: () => new Map([...names].filter(([schema]) => visited.has(schema))),
  };
};

type Namer = ReturnType<typeof createNamer>;

const nameCollections = (
  { name, nameInside }: Namer,
  collections: Readonly<Record<string, Collection>>,
): void => {
  for (const [key, { path, resource }] of Object.entries(collections)) {
    const segment = path.split('/').findLast((part) => !part.startsWith(':')) ?? key;
    name(resource, toPascalCase(toSingular(segment)));
  }
  for (const [key, { resource, options }] of Object.entries(collections)) {
    nameInside(resource, toPascalCase(toSingular(key)));
    for (const [operation, body] of Object.entries(options.bodies ?? {})) {
      if (body === undefined) continue;
      const owner = `${toPascalCase(key)}${toPascalCase(operation)}Body`;
      if (!isResourceSchema(body)) name(body, owner);
      nameInside(body, owner);
    }
  }
};

/** In an order that does not depend on that of the declaration: several endpoints may share a schema. */
const nameEndpoints = ({ name, hasName, nameInside }: Namer, endpoints: readonly NamedEndpoint[]): void => {
  const placeOf = ({ path, declared }: NamedEndpoint): string => `${path} ${declared.method}`;
  for (const endpoint of endpoints.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))) {
    const { name: key, collection = '', declared } = endpoint;
    const start = toPascalCase(collection) + toPascalCase(key);
    for (const [schema, owner] of [
      [declared.options.response, `${start}Response`] as const,
      [bodyOf(endpoint), `${start}Body`] as const,
    ]) {
      if (schema === undefined || kindOf(schema) === 'custom') continue;
      if (!hasName(schema)) name(schema, isResource(schema) ? start : owner, owner);
      nameInside(schema, owner);
    }
  }
};

/** The names of the schemas of a declaration. */
export type NamedSchemas = ReturnType<typeof nameSchemas>;

/** Names the schemas that become components, in the order of the declaration. */
export const nameSchemas = (
  collections: Readonly<Record<string, Collection>>,
  endpoints: readonly NamedEndpoint[],
  family: Nesting,
  claim: Claim,
) => {
  const expanded = new Set([
    ...Object.values(collections).flatMap(({ resource, options }) => expandedBy(resource, options.expand)),
    ...endpoints.flatMap(({ declared: { options } }) =>
      options.response === undefined ? [] : expandedBy(options.response, options.expand),
    ),
  ]);
  const namer = createNamer(expanded, family, claim);
  nameCollections(namer, collections);
  nameEndpoints(namer, endpoints);
  return { names: namer.names(), stubs: namer.stubs, expanded };
};
