import {
  type Operation as Kind,
  operations as kinds,
  methodRules,
  operationMethods,
} from '../../conventions.ts';
import { isCount } from '../../options.ts';
import { objectAt, targetOf } from './json.ts';
import type { Model } from './model.ts';
import { type Content, isJson, Misfit, type Operation } from './operations.ts';
import { readQuery } from './query.ts';
import type { Schema } from './schema.ts';

/** An operation with the path of its collection (§9). */
export interface Placed {
  readonly operation: Operation;
  readonly path: string;
  readonly endsWithId: boolean;
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

/** An operation of the document as an operation of a collection. */
type Fitting = ReturnType<typeof fitOperation>;

const isOfOne = (kind: Kind): boolean => kind !== 'list' && kind !== 'create';

/** The kind of an operation by its method and whether its path ends with a parameter (§4.2). */
const kindOf = ({ method, responses, bodies }: Operation, endsWithId: boolean): Kind => {
  const kind = kinds.find((one) => operationMethods[one] === method && isOfOne(one) === endsWithId);
  const owner = endsWithId ? 'one resource' : 'a collection';
  if (kind === undefined) throw new Misfit(`${method} is not an operation of ${owner} (§4.2)`);
  const { success, body } = methodRules[method];
  const allowed = success.map(String).filter((status) => status !== '304');
  const wrong = responses.find(({ status }) => !allowed.includes(status));
  if (wrong !== undefined || responses.length === 0) {
    const status = wrong?.status ?? 'no status';
    throw new Misfit(`it responds with ${status} instead of ${allowed.toSorted().join(' or ')} (§4.2)`);
  }
  if (!body && bodies.length > 0) throw new Misfit(`${method} has a request body (§4.2)`);
  return kind;
};

/** The content in JSON of a request or a response, which the conventions want (§4.3). */
const jsonOf = (contents: readonly Content[], what: string): unknown => {
  const found = contents.find(isJson);
  const types = contents.map(({ type }) => type).join(', ') || 'nothing';
  if (found === undefined) throw new Misfit(`${what} ${types} (§4.3)`);
  return found.schema;
};

/** The schema of one item, and that of the list if several can be sent (§8). */
const withoutBulk = (schema: Schema, { structureOf, matches }: Model) => {
  const [one = {}, other = {}] = structureOf(schema).anyOf ?? [];
  const many = structureOf(other);
  return many.items !== undefined && matches(one, many.items)
    ? { one, many }
    : { one: schema, many: undefined };
};

/** The resource that an operation returns, or several of. */
const readResource = (content: unknown, kind: Kind, model: Model): Schema => {
  const list = kind === 'list' ? targetOf(model.document, content) : { type: 'array', items: content };
  if (list.type !== 'array') throw new Misfit('its response is not a list (§4.5)');
  const { one } = withoutBulk(model.read(list.items, 'response'), model);
  // The whole resource, where the document also has its form that `fields` limits (§4.4).
  const [whole = one, limited] = model.structureOf(one).anyOf ?? [];
  const resource = limited && model.matches(whole, limited, 'limited') ? whole : one;
  if (model.isResource(resource)) return resource;
  throw new Misfit('what it returns lacks `id` or `self` (§2.1)');
};

/**
 * Reads one operation as an operation of a collection.
 *
 * @throws {@link Misfit} for an operation that fits no collection
 */
const fitOperation = (operation: Operation, endsWithId: boolean, model: Model) => {
  const kind = kindOf(operation, endsWithId);
  const { method, responses, bodies } = operation;
  const body = methodRules[method].body && model.read(jsonOf(bodies, 'its request body is'), 'body');
  const whole = responses.find(({ status }) => status === '200' || status === '201');
  const resource = whole && readResource(jsonOf(whole.contents, 'it responds with'), kind, model);
  const notes = operation.notes.map((note) => `${kind}: ${note}`);
  const query = readQuery(operation, resource ?? {}, kind === 'list', model, (note) => notes.push(note));
  const { one, many } = body ? withoutBulk(body, model) : {};
  return { kind, operation, resource, query, body: one, many, notes };
};

const isNumber = (type: unknown): boolean => type === 'integer' || type === 'number';

/** @throws {@link Misfit} for a path that names its resource by something else than the `id` */
const checkKey = ({ path, parameters }: Operation, resource: Schema, model: Model): void => {
  const [, name = ''] = /\{([^{}]+)\}$/.exec(path) ?? [];
  const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
  const { type } = targetOf(model.document, parameter?.value.schema);
  const { type: idType } = model.structureOf(model.fieldOf(resource, 'id') ?? {});
  const isOtherType = typeof type === 'string' && idType !== undefined && isNumber(type) !== isNumber(idType);
  const isField = name !== 'id' && model.fieldOf(resource, name) !== undefined;
  if (isField || (isOtherType && !/id$/i.test(name)))
    throw new Misfit(`its path has \`{${name}}\`, which is not the \`id\` of the resource`);
};

/** What a collection has beside its resource, in the order in which it is written. */
const optionsOf = (fittings: ReadonlyMap<Kind, Fitting>, resource: Schema, model: Model) => {
  const [list, one, create] = (['list', 'get', 'create'] as const).map((kind) => fittings.get(kind));
  const query = (list ?? one)?.query;
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
    sort: list?.query.sort,
    fields: query?.fields,
    expand: query?.expand,
    paging: list?.query.paging,
    operations: fittings.size < kinds.length ? kinds.filter((kind) => fittings.has(kind)) : undefined,
    accepts: operation?.responses.some(({ status }) => status === '202') ? ['create'] : undefined,
    params: list?.query.params,
    /** The bodies that do not follow from the resource (§4.2). */
    bodies: Object.fromEntries(bodies),
    bulk: many && { maxItems: many.bounds?.maxItems, maxBytes: isCount(maxBytes) ? maxBytes : undefined },
    references: references.length > 0 ? Object.fromEntries(references) : undefined,
  };
};

/** The response of GET is the most complete one, then that of the list. */
const rankOf = ({ operation: { method }, endsWithId }: Placed): number => {
  if (method === 'GET') return endsWithId ? 0 : 1;
  return method === 'POST' ? 2 : 3;
};

/** The operations of one path as a collection. `refused` gets those that do not fit. */
export const findCollection = (
  placed: readonly Placed[],
  model: Model,
  refused: Map<Operation, string>,
): Pick<FoundCollection, 'response' | 'options' | 'notes'> | undefined => {
  const fittings = new Map<Kind, Fitting>();
  let resource: Schema | undefined;
  for (const { operation, endsWithId } of placed.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    try {
      const fitting = fitOperation(operation, endsWithId, model);
      const { kind, resource: own = resource } = fitting;
      if (own === undefined) throw new Misfit('no operation of its path returns the resource');
      if (endsWithId) checkKey(operation, own, model);
      if (!model.matches(resource ?? own, own))
        throw new Misfit('what it returns differs from the other operations of its path');
      if (fittings.has(kind)) throw new Misfit('another path of the document means the same');
      resource ??= own;
      fittings.set(kind, fitting);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      refused.set(operation, error.message);
    }
  }
  if (resource === undefined) return undefined;
  const notes = new Set(kinds.flatMap((kind) => fittings.get(kind)?.notes ?? []));
  return { response: resource, options: optionsOf(fittings, resource, model), notes: [...notes] };
};
