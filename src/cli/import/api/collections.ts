// The operations of one path as a collection.
import { operations as kinds } from '../../../conventions.ts';
import type { WholeFamily } from '../../../families/family.ts';
import { isCount } from '../../../options.ts';
import { notesOfBeside } from '../families/own-places.ts';
import { objectAt } from '../json.ts';
import type { Model } from '../model.ts';
import type { Schema } from '../schemas/schema.ts';
import { joinNames, notesOfSelections, type Selection } from './expansions.ts';
import { type Fitting, fitOperation, followsFrom } from './fitting.ts';
import { keyFieldOf } from './key.ts';
import { Misfit, methods, type Operation } from './operations.ts';
import type { Kind } from './query-parts.ts';

/** What of the document a collection does not declare. */
export interface Note {
  /** The operations that it is about; empty where its text says it. */
  readonly kinds: readonly Kind[];
  readonly text: string;
}

/** @throws {@link Misfit} for a path that does not name its resource as the others of the collection do */
const readKey = (operation: Operation, resource: Schema, other: string | undefined, model: Model): string => {
  const [, name = ''] = /\{([^{}]+)\}\/?$/.exec(operation.path) ?? [];
  const key = keyFieldOf(name, operation, resource, model);
  if (key === undefined)
    throw new Misfit(`its path has \`{${name}}\`, which is not the \`id\` of the resource`);
  if (key !== (other ?? key))
    throw new Misfit(`its path has the \`${key}\` of the resource, and others have its \`${other}\``);
  return key;
};

/** The notes of each operation; one that several share stands once. */
const joinNotes = (all: readonly Fitting[]): readonly Note[] => {
  const joined = new Set(all.flatMap(({ notes }) => notes));
  const kindsOf = (note: string): readonly Kind[] =>
    all.filter(({ notes }) => notes.includes(note)).map(({ kind }) => kind);
  return Array.from(joined, (text) => ({ kinds: kindsOf(text), text }));
};

/** A note that says itself what it is about. */
export const ofAll = (text: string): Note => ({ kinds: [], text });

/** A collection of operations that fit, with its options in the order in which they are written. */
const describeCollection = (
  fittings: ReadonlyMap<Kind, Fitting>,
  response: Schema,
  key: string | undefined,
  model: Model,
) => {
  const all = kinds.flatMap((kind) => fittings.get(kind) ?? []);
  const { query } = fittings.get('list') ?? fittings.get('get') ?? {};
  const selections = (['list', 'get'] as const).flatMap((kind): readonly Selection[] => {
    const { fields, expand } = fittings.get(kind)?.query.options ?? {};
    return fittings.has(kind) ? [{ kind, fields, expand }] : [];
  });
  const { body: { many } = {}, operation } = fittings.get('create') ?? {};
  const { isSlashed = model.family.trailingSlash } =
    all.find((one) => !one.operation.endsWithId)?.operation ?? {};
  const maxBytes = operation?.requestBody['x-restkin-max-bytes'];
  const references = all
    .flatMap((fitting) => Object.entries(objectAt(fitting.operation.requestBody, 'x-restkin-references')))
    .filter(([path]) => model.fieldsAlong(response, path) !== undefined);
  return {
    response,
    selections,
    options: {
      ...query?.options,
      fields: joinNames(selections.map(({ fields }) => fields)),
      key: key === 'id' ? undefined : key,
      operations: all.length < kinds.length ? all.map(({ kind }) => kind) : undefined,
      accepts: operation?.responses.some(({ status }) => status === '202') ? ['create'] : undefined,
      trailingSlash: isSlashed === model.family.trailingSlash ? undefined : isSlashed,
      bulk: many && { maxItems: many.bounds?.maxItems, maxBytes: isCount(maxBytes) ? maxBytes : undefined },
      references: references.length > 0 ? Object.fromEntries(references) : undefined,
    },
    params: query?.params,
    repeated: query?.repeated,
    /** The bodies that do not follow from the resource (§4.2). */
    bodies: all.flatMap(({ kind, body }) => {
      if (body === undefined || followsFrom(response, kind, body, model)) return [];
      return [{ kind, body: model.toBody(body.sent) }];
    }),
    notes: [...joinNotes(all), ...notesOfSelections(selections, 'fields', model.family.query).map(ofAll)],
  };
};

/**
 * The response of GET is the most complete one, then that of the list, then that of POST. The records of a
 * list with pages come first: nothing else reads one page after another.
 */
const rankOf = (
  { method, endsWithId, queryParameters }: Operation,
  { query: { page } }: WholeFamily,
): number => {
  const hasPages = page !== undefined && queryParameters.has(page);
  if (method === 'GET' && !endsWithId && hasPages) return -2;
  return 2 * methods.indexOf(method) - Number(endsWithId);
};

/** @throws {@link Misfit} for a path with a slash at its end where others have none, or without one */
const checkSlash = (
  { endsWithId, isSlashed }: Operation,
  others: readonly Fitting[],
  { trailingSlash }: WholeFamily,
): void => {
  const ofCollection = others.find(({ operation }) => !operation.endsWithId)?.operation.isSlashed;
  const usual = endsWithId ? trailingSlash : (ofCollection ?? isSlashed);
  if (isSlashed === usual) return;
  throw new Misfit(`its path ${isSlashed ? 'ends' : 'does not end'} with a slash, unlike others`);
};

/** The operations of one path as a collection, undefined without any that fits; and those that do not fit. */
export const findCollection = (operations: readonly Operation[], ofApi: Model) => {
  const model = { ...ofApi, family: ofApi.familyOf(operations) };
  const refused = new Map<Operation, string>();
  const fittings = new Map<Kind, Fitting>();
  let resource: Schema | undefined;
  let key = operations[0]?.ownKey;
  for (const operation of operations.toSorted((a, b) => rankOf(a, model.family) - rankOf(b, model.family))) {
    try {
      const fitting = fitOperation(operation, model);
      const { kind, resource: own = resource } = fitting;
      if (own === undefined) throw new Misfit('no operation of its path returns the resource');
      const ownKey = operation.endsWithId ? readKey(operation, own, key, model) : undefined;
      if (!model.matches(resource ?? own, own))
        throw new Misfit('what it returns differs from the other operations of its path');
      if (fittings.has(kind)) throw new Misfit('another path of the document means the same');
      checkSlash(operation, [...fittings.values()], model.family);
      resource ??= own;
      key ??= ownKey;
      const isOwn = kind !== 'list' && kind !== 'delete' && model.family !== ofApi.family;
      const lost = isOwn ? notesOfBeside(operation, model) : [];
      fittings.set(kind, { ...fitting, notes: [...fitting.notes, ...lost] });
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      refused.set(operation, error.message);
    }
  }
  if (resource === undefined) return { collection: undefined, fitting: [], refused };
  const fitting = Array.from(fittings.values(), ({ operation }) => operation);
  const family = ofApi.familyOf(operations, fitting);
  return { collection: { ...describeCollection(fittings, resource, key, model), family }, fitting, refused };
};
