import { type Operation as Kind, operations as kinds } from '../../conventions.ts';
import type { Fitting } from './fit.ts';
import type { Json } from './json.ts';
import type { Model } from './model.ts';
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

/** The names that all of the list and GET of one resource support. */
const sharedNames = (
  option: 'fields' | 'expand',
  queries: readonly Query[],
  note: (reason: string) => void,
): Names | undefined => {
  const all = queries.map((query) => query[option] ?? []);
  const named = new Set(all.flatMap((names) => (names === true ? [] : names)));
  if (all.length > 0 && all.every((names) => names === true)) return true;
  const shared = [...named].filter((name) => all.every((names) => names === true || names.includes(name)));
  if (shared.length < named.size || all.includes(true))
    note(`names of \`${option}\` that only the list or only GET of one resource allows`);
  return shared.length === 0 ? undefined : shared;
};

/** Says what a collection has beside its resource. `note` gets what only a part of its operations has. */
export const optionsOf = (
  operations: ReadonlyMap<Kind, Fitting>,
  resource: Schema,
  model: Model,
  note: (reason: string) => void,
): FoundOptions => {
  const [list, one, create] = (['list', 'get', 'create'] as const).map((kind) => operations.get(kind));
  const queries = [list, one].flatMap((fitting) => fitting?.query ?? []);
  const fields = sharedNames('fields', queries, note);
  const expand = sharedNames('expand', queries, note);
  const { sort, paging, params } = list?.query ?? {};
  const isOwnBody = (kind: BodyKind): boolean => {
    const body = operations.get(kind)?.body;
    return body !== undefined && !model.matches(resource, body, kind === 'update' ? 'update' : 'body');
  };
  const ownBodies = (['create', 'replace', 'update'] as const).filter(isOwnBody);
  const stated = [...operations.values()].find(({ references }) => Object.keys(references).length > 0);
  const references = Object.entries(stated?.references ?? {}).filter(
    ([path, url]) => typeof url === 'string' && model.fieldsAlong(resource, path) !== undefined,
  );
  return {
    sort,
    fields,
    expand: [expand ?? []].flat().filter((path) => path !== true),
    paging,
    operations: operations.size < kinds.length ? [...operations.keys()] : undefined,
    accepts: create?.mayAccept ? ['create'] : undefined,
    params,
    bodies: Object.fromEntries(ownBodies.map((kind) => [kind, operations.get(kind)?.body])),
    bulk: create?.bulk,
    references: references.length > 0 ? Object.fromEntries(references) : undefined,
  };
};
