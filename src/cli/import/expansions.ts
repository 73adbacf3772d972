// What the `expand` of a document names (§4.4).
import type { Model } from './model.ts';
import type { Schema } from './schema.ts';

/** A response whose nested resources may be expanded. */
export interface Expanding {
  readonly response: Schema;
  readonly expand: true | readonly string[] | undefined;
}

/** The whole resources that an `expand` names: they are returned only then (§4.4). */
export const findExpandable = (all: readonly Expanding[], model: Model): ReadonlySet<Schema> => {
  const named = all.flatMap(({ response, expand }) =>
    Array.isArray(expand) ? expand.flatMap((path) => model.nestedAt(response, path) ?? []) : [],
  );
  return new Set(named.filter((schema) => model.targetOf(schema) === undefined));
};

/** The names of what can be expanded, also where the document does not name them. */
export const expandNamesOf = (
  { response, expand }: Expanding,
  expandable: ReadonlySet<Schema>,
  model: Model,
): readonly string[] | undefined => {
  if (expand !== true) return expand;
  const fields = Object.entries(model.structureOf(response).properties ?? {});
  const canExpand = (schema: Schema): boolean =>
    expandable.has(schema) || model.targetOf(schema) !== undefined;
  return fields.filter(([, field]) => canExpand(model.inside(field))).map(([name]) => name);
};
