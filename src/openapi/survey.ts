import { pathSeparator } from '../conventions.ts';
import type { ApiDeclaration, Collection } from '../index.ts';
import { operationsOf } from '../schema/collection.ts';
import { hasIdentity, schemaAt } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { coreOf, definitionOf, someSchema, targetOf } from '../schema/zod.ts';

/** A collection with the API that declares it. */
export interface Declared {
  readonly api: ApiDeclaration;
  readonly key: string;
  readonly collection: Collection;
}

/** What the declarations say of their resources as a whole. */
export interface Survey {
  /** The nested resources that some collection expands. */
  readonly expanded: ReadonlySet<Schema>;
  /** The resources that have a `self` wherever they appear (§2.1). */
  readonly fetchable: ReadonlySet<Schema>;
}

/** True for a resource, which has `id` and `self` (§2.1). */
export const isResourceSchema = (schema: Schema): boolean =>
  targetOf(schema) === undefined && hasIdentity(definitionOf(schema).shape);

const expandedBy = ({ collection: { resource, options } }: Declared): readonly Schema[] =>
  (options.expand ?? []).flatMap((path) => {
    const names = path.split(pathSeparator);
    const passed = names.map((_, index) => schemaAt(resource, names.slice(0, index + 1).join(pathSeparator)));
    return passed.flatMap((schema) => (schema && targetOf(schema) ? [coreOf(schema)] : []));
  });

/** The resources that are part of others, and all resources that collections and references lead to. */
const walk = (roots: readonly Schema[]) => {
  const nested = new Set<Schema>();
  const reached = new Set<Schema>(roots);
  // The loop also visits what is added to the set meanwhile.
  for (const root of reached) {
    someSchema(root, (schema) => {
      const target = targetOf(schema);
      if (target !== undefined) reached.add(target);
      else if (schema !== root && isResourceSchema(schema)) nested.add(schema);
      return false;
    });
  }
  return { nested, reached };
};

export const survey = (declared: readonly Declared[]): Survey => {
  const { nested, reached } = walk(declared.map(({ collection }) => collection.resource));
  const listedOnly = declared
    .filter(({ collection }) => !operationsOf(collection).includes('get'))
    .map(({ collection }) => collection.resource as Schema);
  return {
    expanded: new Set(declared.flatMap(expandedBy)),
    fetchable: new Set([...reached].filter((one) => !nested.has(one) && !listedOnly.includes(one))),
  };
};
