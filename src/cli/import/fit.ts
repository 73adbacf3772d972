import { type Operation as Kind, methodRules, operationMethods } from '../../conventions.ts';
import { follow, isCount, type Json, objectAt } from './json.ts';
import type { Model } from './model.ts';
import { type Content, isJson, Misfit, type Operation, type Response } from './operations.ts';
import { type Query, readQuery } from './query.ts';
import type { Direction, Schema } from './schema.ts';

/** An operation of the document as an operation of a collection. */
export interface Fitting {
  readonly kind: Kind;
  readonly operation: Operation;
  /** What it returns; undefined for one without a body in its response. */
  readonly resource: Schema | undefined;
  /** What it sends; undefined for one without a body. */
  readonly body: Schema | undefined;
  readonly query: Query;
  /** Whether the server may create later (202). */
  readonly mayAccept: boolean;
  /** How many items and bytes it takes at once; undefined where it takes one item. */
  readonly bulk: Readonly<Record<'maxItems' | 'maxBytes', number | undefined>> | undefined;
  /** Where the requirements of fields are described (§2.3), by dotted path. */
  readonly references: Json;
  readonly notes: readonly string[];
}

/** The kind of an operation by its method and whether its path ends with a parameter (§4.2). */
const kindOf = ({ method }: Operation, isOfOne: boolean): Kind => {
  const kinds: readonly Kind[] = isOfOne ? ['get', 'replace', 'update', 'delete'] : ['list', 'create'];
  const kind = kinds.find((one) => operationMethods[one] === method);
  if (kind !== undefined) return kind;
  throw new Misfit(`${method} is not an operation of ${isOfOne ? 'one resource' : 'a collection'} (§4.2)`);
};

const returnsNothing = (kind: Kind): boolean => kind === 'replace' || kind === 'update' || kind === 'delete';

const checkStatuses = ({ responses }: Operation, kind: Kind): void => {
  const { success } = methodRules[operationMethods[kind]];
  const allowed = success.map(String).filter((status) => status !== '304');
  const wrong = responses.find(({ status }) => !allowed.includes(status));
  if (wrong !== undefined || responses.length === 0) {
    const status = wrong?.status ?? 'no status';
    throw new Misfit(`it responds with ${status} instead of ${allowed.toSorted().join(' or ')} (§4.2)`);
  }
  if (returnsNothing(kind) && responses.some(({ contents }) => contents.length > 0))
    throw new Misfit(`its response ${responses[0]?.status} has a body (§4.2)`);
};

const typesOf = (contents: readonly Content[]): string =>
  contents.map(({ type }) => type).join(', ') || 'nothing';

/** The request body of an operation; undefined when its kind has none. */
const bodyOf = ({ method, bodies }: Operation, kind: Kind): Content | undefined => {
  const needsBody = methodRules[operationMethods[kind]].body;
  if (!needsBody && bodies.length > 0) throw new Misfit(`${method} has a request body (§4.2)`);
  const content = bodies.find(isJson);
  if (!needsBody || content !== undefined) return content;
  throw new Misfit(`its request body is ${typesOf(bodies)} (§4.3)`);
};

/** The schema of one item, and that of the list if several can be sent (§8). */
const withoutBulk = (schema: Schema, { structureOf, matches }: Model) => {
  const [one, other] = structureOf(schema).anyOf ?? [];
  const many = other && structureOf(other);
  return one !== undefined && many?.items !== undefined && matches(one, many.items)
    ? { one, many }
    : { one: schema, many: undefined };
};

/** The whole resource, where the document also has its form that `fields` limits (§4.4). */
const withoutLimited = (schema: Schema, { structureOf, isResource, matches }: Model): Schema => {
  const [whole, limited, ...others] = structureOf(schema).anyOf ?? [];
  if (whole === undefined || limited === undefined || others.length > 0) return schema;
  return isResource(whole) && matches(whole, limited, 'limited') ? whole : schema;
};

/**
 * Reads one operation as an operation of a collection.
 *
 * @throws {@link Misfit} for an operation that fits no collection
 */
export const fitOperation = (operation: Operation, isOfOne: boolean, model: Model): Fitting => {
  const kind = kindOf(operation, isOfOne);
  checkStatuses(operation, kind);
  const content = bodyOf(operation, kind);
  const { responses, requestBody } = operation;
  const notes = [...operation.notes];

  const readItem = (schema: unknown, direction: Direction) =>
    withoutBulk(model.read(schema, direction), model);

  const readResource = ({ contents }: Response): Schema => {
    const found = contents.find(isJson);
    if (found === undefined) throw new Misfit(`it responds with ${typesOf(contents)} (§4.3)`);
    const list = kind === 'list' ? follow(model.document, found.schema)?.value : undefined;
    if (list !== undefined && list.type !== 'array') throw new Misfit('its response is not a list (§4.5)');
    const resource = withoutLimited(readItem(list ? list.items : found.schema, 'response').one, model);
    if (model.isResource(resource)) return resource;
    throw new Misfit('what it returns lacks `id` or `self` (§2.1)');
  };

  const response = responses.find(({ contents }) => contents.length > 0) ?? responses[0];
  const hasResource = !returnsNothing(kind) && !(kind === 'create' && response?.status === '202');
  const resource = hasResource && response ? readResource(response) : undefined;
  const body = content && readItem(content.schema, 'body');
  const maxBytes = requestBody['x-restkin-max-bytes'];
  return {
    kind,
    operation,
    resource,
    body: body?.one,
    query: readQuery(operation, resource, kind === 'list', model, (reason) => notes.push(reason)),
    mayAccept: responses.some(({ status }) => status === '202'),
    bulk: body?.many && { maxItems: body.many.maxItems, maxBytes: isCount(maxBytes) ? maxBytes : undefined },
    references: objectAt(requestBody, 'x-restkin-references'),
    notes,
  };
};
