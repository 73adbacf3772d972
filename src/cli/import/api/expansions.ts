// What the `fields` and the `expand` of a document name (§4.4).
import type { QueryNames } from '../../../families/family.ts';
import type { Model } from '../model.ts';
import type { Schema } from '../schemas/schema.ts';
import type { Kind, Names } from './query-parts.ts';

/** A response whose nested resources may be expanded. */
export interface Expanding {
  readonly response: Schema;
  readonly expand: Names;
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

/** What one operation of a collection selects. */
export interface Selection {
  readonly kind: Kind;
  readonly fields: Names;
  readonly expand: Names;
}

/** The names that any of some operations takes, each once. */
export const joinNames = (all: readonly Names[]): Names => {
  if (all.includes(true)) return true;
  const names = all.flatMap((one) => (one === true ? [] : (one ?? [])));
  return all.some((one) => one !== undefined) ? [...new Set(names)] : undefined;
};

/** Notes on names that a collection has, although one of its operations does not take them. */
export const notesOfSelections = (
  all: readonly Selection[],
  part: 'fields' | 'expand',
  query: QueryNames,
): readonly string[] => {
  const joined = joinNames(all.map((one) => one[part]));
  const noteOf = (kind: Kind, which: string): string =>
    `\`${query[part]}\` of \`${kind}\`${which}, which the document does not have: leave it out of queries`;
  return all.flatMap(({ kind, [part]: own }) => {
    if (joined === undefined || own === true) return [];
    if (own === undefined) return [noteOf(kind, '')];
    if (joined === true) return [noteOf(kind, ` by other names than ${listed(own)}`)];
    const missing = joined.filter((name) => !own.includes(name));
    return missing.length > 0 ? [noteOf(kind, ` by ${listed(missing)}`)] : [];
  });
};

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
