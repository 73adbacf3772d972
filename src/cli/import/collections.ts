import { type Operation as Kind, operations as kinds } from '../../conventions.ts';
import { type Fitting, fitOperation, isOfOne } from './fit.ts';
import { follow, type Json } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation } from './operations.ts';
import type { Names, Query } from './query.ts';
import type { Schema } from './schema.ts';

type BodyKind = 'create' | 'replace' | 'update';

/** The options of a collection, in the order in which they are written. */
export interface FoundOptions {
  readonly sort: Names | undefined;
  readonly fields: Names | undefined;
  readonly expand: readonly string[];
  readonly paging: Query['paging'];
  readonly operations: readonly Kind[] | undefined;
  readonly accepts: readonly Kind[] | undefined;
  readonly params: Schema | undefined;
  /** The bodies that do not follow from the resource (§4.2). */
  readonly bodies: Readonly<Partial<Record<BodyKind, Schema>>>;
  readonly bulk: Fitting['bulk'];
  readonly references: Json | undefined;
}

/** A collection, from the operations of the document that fit the conventions. */
export interface FoundCollection {
  readonly key: string;
  readonly path: string;
  readonly resource: Schema;
  readonly options: FoundOptions;
  /** What of its operations is not declared. */
  readonly notes: readonly string[];
}

/** An operation at the path of a collection, or below it. */
export interface Placed {
  readonly operation: Operation;
  readonly endsWithId: boolean;
}

const isNumber = (type: unknown): boolean => type === 'integer' || type === 'number';

/** Why a path names its resource by something else than the `id`; undefined when it does by that. */
const otherKeyOf = ({ path, parameters }: Operation, resource: Schema, model: Model): string | undefined => {
  const [, name = ''] = /\{([^{}]+)\}$/.exec(path) ?? [];
  const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
  const { type } = follow(model.document, parameter?.value.schema)?.value ?? {};
  const { type: idType } = model.structureOf(model.fieldOf(resource, 'id') ?? {});
  const isOtherType = typeof type === 'string' && idType !== undefined && isNumber(type) !== isNumber(idType);
  const isField = name !== 'id' && model.fieldOf(resource, name) !== undefined;
  if (!isField && (!isOtherType || /id$/i.test(name))) return undefined;
  return `its path has \`{${name}}\`, which is not the \`id\` of the resource`;
};

/** The names that the list and GET of one resource both support. */
const sharedNames = (
  option: 'fields' | 'expand',
  queries: readonly Query[],
  note: (reason: string) => void,
): Names | undefined => {
  const all = queries.map((query) => query[option] ?? []);
  if (all.length > 0 && all.every((names) => names === true)) return true;
  const named = new Set(all.flatMap((names) => (names === true ? [] : names)));
  const shared = [...named].filter((name) => all.every((names) => names === true || names.includes(name)));
  if (shared.length < named.size || all.includes(true))
    note(`names of \`${option}\` that only the list or only GET of one resource allows`);
  return shared.length === 0 ? undefined : shared;
};

/** Says what a collection has beside its resource. `note` gets what only a part of its operations has. */
const optionsOf = (
  fittings: ReadonlyMap<Kind, Fitting>,
  resource: Schema,
  model: Model,
  note: (reason: string) => void,
): FoundOptions => {
  const [list, one, create] = (['list', 'get', 'create'] as const).map((kind) => fittings.get(kind));
  const queries = [list, one].flatMap((fitting) => fitting?.query ?? []);
  const fields = sharedNames('fields', queries, note);
  const expand = sharedNames('expand', queries, note);
  const { sort, paging, params } = list?.query ?? {};
  const bodies = (['create', 'replace', 'update'] as const).flatMap((kind) => {
    const body = fittings.get(kind)?.body;
    const follows = body && model.matches(resource, body, kind === 'update' ? 'update' : 'body');
    return body === undefined || follows ? [] : [[kind, body]];
  });
  const references = [...fittings.values()].flatMap((fitting) =>
    Object.entries(fitting.references).filter(([path]) => model.fieldsAlong(resource, path) !== undefined),
  );
  return {
    sort,
    fields,
    expand: [expand ?? []].flat().filter((path) => path !== true),
    paging,
    operations: fittings.size < kinds.length ? [...fittings.keys()] : undefined,
    accepts: create?.operation.responses.some(({ status }) => status === '202') ? ['create'] : undefined,
    params,
    bodies: Object.fromEntries(bodies),
    bulk: create?.bulk,
    references: references.length > 0 ? Object.fromEntries(references) : undefined,
  };
};

/** The operations that no collection has, and why. */
export type Refused = Map<Operation, string>;

/** The operations of one path as a collection. `refused` gets those that do not fit. */
export const findCollection = (
  placed: readonly Placed[],
  model: Model,
  refused: Refused,
): Pick<FoundCollection, 'resource' | 'options' | 'notes'> | undefined => {
  const found = new Map<Kind, Fitting>();
  for (const { operation, endsWithId } of placed) {
    try {
      const fitting = fitOperation(operation, endsWithId, model);
      if (found.has(fitting.kind)) throw new Misfit('another path of the document means the same');
      found.set(fitting.kind, fitting);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      refused.set(operation, error.message);
    }
  }
  // The response of GET is the most complete one.
  const [resource] = (['get', 'list', 'create'] as const).flatMap((kind) => found.get(kind)?.resource ?? []);
  const fittings = new Map<Kind, Fitting>();
  const notes = new Set<string>();
  for (const kind of kinds) {
    const fitting = found.get(kind);
    if (fitting === undefined) continue;
    const { operation, resource: own = resource } = fitting;
    const other = isOfOne(kind) && resource ? otherKeyOf(operation, resource, model) : undefined;
    if (resource === undefined || own === undefined)
      refused.set(operation, 'no operation of its path returns the resource');
    else if (other !== undefined) refused.set(operation, other);
    else if (!model.matches(resource, own))
      refused.set(operation, 'what it returns differs from the other operations of its path');
    else {
      fittings.set(kind, fitting);
      for (const note of fitting.notes) notes.add(note);
    }
  }
  if (resource === undefined || fittings.size === 0) return undefined;
  const options = optionsOf(fittings, resource, model, (note) => notes.add(note));
  return { resource, options, notes: [...notes] };
};
