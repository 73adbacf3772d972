import {
  type Operation as Kind,
  operations as kinds,
  methodRules,
  operationMethods,
} from '../../conventions.ts';
import { targetOf } from './json.ts';
import type { Model } from './model.ts';
import { type Content, isJson, Misfit, type Operation } from './operations.ts';
import { readQuery } from './query.ts';
import type { Schema } from './schema.ts';

/** An operation of the document as an operation of a collection. */
export type Fitting = ReturnType<typeof fitOperation>;

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
export const fitOperation = (operation: Operation, endsWithId: boolean, model: Model) => {
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
