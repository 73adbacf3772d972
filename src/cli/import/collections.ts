import { type Operation as Kind, operations as kinds } from '../../conventions.ts';
import { isCount } from '../../options.ts';
import { type Fitting, fitOperation, isOfOne } from './fit.ts';
import { follow, objectAt } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation } from './operations.ts';
import type { Names } from './query.ts';
import type { Schema } from './schema.ts';

/** An operation in the terms of the conventions (§9): `{base}/v<major>/<path>`. */
export interface Placed {
  readonly operation: Operation;
  readonly version: number;
  /** The path of its collection, with `:name` for a parameter. */
  readonly path: string;
  readonly endsWithId: boolean;
  /** The API and the collection, where a tag names them as `restkin openapi` writes it. */
  readonly api: string;
  readonly key: string | undefined;
}

/** A collection, from the operations of the document that fit the conventions. */
export interface FoundCollection {
  readonly key: string;
  readonly path: string;
  /** The resource. */
  readonly response: Schema;
  readonly options: ReturnType<typeof optionsOf>;
  /** What of its operations is not declared. */
  readonly notes: readonly string[];
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
const sharedNames = (option: string, [first, second = first]: readonly Names[], notes: Set<string>) => {
  if (first === undefined || second === undefined) return undefined;
  const shared = first === true ? second : first.filter((name) => second === true || second.includes(name));
  if (String(first) !== String(shared) || String(second) !== String(shared))
    notes.add(`names of \`${option}\` that only the list or only GET of one resource allows`);
  return shared;
};

/** What a collection has beside its resource, in the order in which it is written. */
const optionsOf = (
  fittings: ReadonlyMap<Kind, Fitting>,
  resource: Schema,
  model: Model,
  notes: Set<string>,
) => {
  const [list, one, create] = (['list', 'get', 'create'] as const).map((kind) => fittings.get(kind));
  const queries = [list, one].flatMap((fitting) => fitting?.query ?? []);
  const { sort, paging, params } = list?.query ?? {};
  const fields = sharedNames(
    'fields',
    queries.map((query) => query.fields ?? []),
    notes,
  );
  const expand = sharedNames(
    'expand',
    queries.map((query) => query.expand ?? []),
    notes,
  );
  const bodies = (['create', 'replace', 'update'] as const).flatMap((kind) => {
    const body = fittings.get(kind)?.body;
    const follows = body && model.matches(resource, body, kind === 'update' ? 'update' : 'body');
    return body === undefined || follows ? [] : [[kind, body] as const];
  });
  const { many, operation } = create ?? {};
  const maxBytes = operation?.requestBody['x-restkin-max-bytes'];
  const references = [...fittings.values()]
    .flatMap((fitting) => Object.entries(objectAt(fitting.operation.requestBody, 'x-restkin-references')))
    .filter(([path]) => model.fieldsAlong(resource, path) !== undefined);
  return {
    sort,
    fields: fields === true || fields?.length ? fields : undefined,
    expand: expand === true ? [] : (expand ?? []),
    paging,
    operations: fittings.size < kinds.length ? [...fittings.keys()] : undefined,
    accepts: operation?.responses.some(({ status }) => status === '202') ? ['create'] : undefined,
    params,
    /** The bodies that do not follow from the resource (§4.2). */
    bodies: Object.fromEntries(bodies),
    bulk: many && { maxItems: many.bounds?.maxItems, maxBytes: isCount(maxBytes) ? maxBytes : undefined },
    references: references.length > 0 ? Object.fromEntries(references) : undefined,
  };
};

/** The operations of one path that fit, by their kind. `refused` gets the others. */
const fitAll = (
  placed: readonly Placed[],
  model: Model,
  refused: Map<Operation, string>,
): ReadonlyMap<Kind, Fitting> => {
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
  return found;
};

/** The operations of one path as a collection. `refused` gets those that do not fit. */
export const findCollection = (
  placed: readonly Placed[],
  model: Model,
  refused: Map<Operation, string>,
): Pick<FoundCollection, 'response' | 'options' | 'notes'> | undefined => {
  const found = fitAll(placed, model, refused);
  // The response of GET is the most complete one.
  const [resource] = (['get', 'list', 'create'] as const).flatMap((kind) => found.get(kind)?.resource ?? []);
  const misfitOf = ({ kind, operation, resource: own = resource }: Fitting): string | undefined => {
    if (resource === undefined || own === undefined) return 'no operation of its path returns the resource';
    if (!model.matches(resource, own)) return 'what it returns differs from the other operations of its path';
    return isOfOne(kind) ? otherKeyOf(operation, resource, model) : undefined;
  };
  const fittings = new Map<Kind, Fitting>();
  for (const fitting of kinds.flatMap((kind) => found.get(kind) ?? [])) {
    const reason = misfitOf(fitting);
    if (reason === undefined) fittings.set(fitting.kind, fitting);
    else refused.set(fitting.operation, reason);
  }
  const notes = new Set([...fittings.values()].flatMap((fitting) => fitting.notes));
  if (resource === undefined || fittings.size === 0) return undefined;
  return { response: resource, options: optionsOf(fittings, resource, model, notes), notes: [...notes] };
};
