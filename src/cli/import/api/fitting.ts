// Whether an operation is that of a collection, by its method, its statuses and its bodies.
import { operations as kinds, methodRules, operationMethods } from '../../../conventions.ts';
import { itemPathOf, type ListForm, type WholeFamily } from '../../../families/family.ts';
import { pathsIn } from '../../../families/path.ts';
import { sentNames } from '../../../openapi/forms.ts';
import { isObject } from '../../../options.ts';
import { hasId } from '../../id-names.ts';
import { exampleOf } from '../families/example.ts';
import { schemaAt, targetOf } from '../json.ts';
import type { Model } from '../model.ts';
import type { Schema } from '../schemas/schema.ts';
import { type Content, isPlainJson, jsonOf, jsonResponsesOf } from './contents.ts';
import { notesOfLater } from './notes.ts';
import { Misfit, type Operation } from './operations.ts';
import { readQuery } from './query.ts';
import type { Kind } from './query-parts.ts';

/** An operation of the document as an operation of a collection. */
export type Fitting = ReturnType<typeof fitOperation>;

/** The statuses of an operation that succeeds (§4.2). */
const statusesOf = (kind: Kind, { created, written }: WholeFamily): readonly string[] => {
  if (kind === 'create') return [...created.map(String), '202'];
  if (written === 'resource' && (kind === 'replace' || kind === 'update')) return ['200'];
  const { success } = methodRules[operationMethods[kind]];
  const all = success.map(String).filter((status) => status !== '304');
  // The client takes a 200 for a 204.
  return kind === 'delete' ? ['200', ...all] : all;
};

/** The kind of an operation by its method and whether its path ends with a parameter (§4.2). */
const kindOf = (operation: Operation, family: WholeFamily): Kind => {
  const { method, responses, redirects, bodies, endsWithId } = operation;
  const owner = endsWithId ? 'one resource' : 'a collection';
  const ofOwner = kinds.filter((one) => (one !== 'list' && one !== 'create') === endsWithId);
  const kind = ofOwner.find((one) => operationMethods[one] === method);
  if (kind === undefined) throw new Misfit(`${method} is not an operation of ${owner} (§4.2)`);
  const { body } = methodRules[method];
  const allowed = statusesOf(kind, family);
  const wrong = responses.find(({ status }) => !allowed.includes(status));
  if (wrong !== undefined || responses.length === 0) {
    const status = wrong?.status ?? redirects[0] ?? 'no status';
    throw new Misfit(`it responds with ${status} instead of ${allowed.toSorted().join(' or ')} (§4.2)`);
  }
  if (!body && bodies.length > 0) throw new Misfit(`${method} has a request body (§4.2)`);
  if (body && bodies.length === 0) throw new Misfit(`${method} has no request body (§4.2)`);
  return kind;
};

/** The schema of the JSON of a request or a response, which the conventions want (§4.3). */
const schemaOf = (found: Content | undefined, contents: readonly Content[], what: string): unknown => {
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

/** The whole resource, where a document also has its form that `fields` limits (§4.4). */
export const withoutLimited = (schema: Schema, { structureOf, matches }: Model): Schema => {
  const [whole = schema, limited] = structureOf(schema).anyOf ?? [];
  return limited !== undefined && matches(whole, limited, 'limited') ? whole : schema;
};

/** The resource that an operation returns, alone or in a list. */
const readResource = (content: unknown, kind: Kind, model: Model): Schema => {
  const { document, family } = model;
  const { items = '' }: ListForm = family.list;
  const list =
    kind === 'list'
      ? targetOf(document, schemaAt(document, content, items))
      : { type: 'array', items: schemaAt(document, content, itemPathOf(family, operationMethods[kind])) };
  // A list may be null where it is empty.
  if (![list.type].flat().includes('array')) throw new Misfit('its response is not a list (§4.5)');
  const { one } = withoutBulk(model.read(list.items, 'response'), model);
  const resource = withoutLimited(one, model);
  if (model.isRecord(resource)) return resource;
  if (model.structureOf(resource).anyOf !== undefined)
    throw new Misfit('what it returns is one of several schemas, and a collection has one resource (§2.1)');
  const sent = sentNames(family.identity, family);
  const missing = sent.filter((name) => model.fieldOf(resource, name) === undefined);
  const names = missing.map((name) => `\`${name}\``).join(' and ');
  throw new Misfit(
    missing.length > 0
      ? `what it returns lacks ${names} (§2.1)`
      : `what it returns need not have an \`${family.idField}\` that is a string or a number (§2.1)`,
  );
};

/** The body of a request; `many` is the list of a bulk request (§8). */
interface Body {
  readonly sent: Schema;
  /** The same schema as it is in a response, with the fields that are read-only. */
  readonly returned: Schema;
  readonly many: Schema | undefined;
}

const readBody = (given: unknown, model: Model): Body => {
  const { body } = model.family;
  const content = schemaAt(model.document, given, body);
  if (content === undefined && body !== '') throw new Misfit(`its request body has no \`${body}\``);
  const { one: sent, many } = withoutBulk(model.read(content, 'body'), model);
  const { one: returned } = withoutBulk(model.read(content, 'response'), model);
  return { sent, returned, many };
};

/**
 * Notes the body of a response to DELETE, which the client does not read.
 *
 * @throws {@link Misfit} where it has another record, such as a job to wait for
 */
const checkDeleted = (operation: Operation, { document, family }: Model): readonly string[] => {
  const body = exampleOf(document, jsonResponsesOf(operation)[0]?.schema);
  if (!isObject(body) || Object.keys(body).length === 0) return [];
  const usual = itemPathOf(family, 'GET');
  const other = hasId(body) ? undefined : pathsIn(body, hasId).find((path) => path !== usual);
  if (other !== undefined)
    throw new Misfit(`its response has \`${other}\`, which \`delete\` does not return`);
  return ['the body of its response'];
};

/** Reads one operation as that of a collection. Throws a {@link Misfit} for one that fits none. */
export const fitOperation = (operation: Operation, model: Model) => {
  const kind = kindOf(operation, model.family);
  const { method, responses, bodies } = operation;
  const body = methodRules[method].body
    ? readBody(schemaOf(bodies.find(isPlainJson), bodies, 'its request body is'), model)
    : undefined;
  const isDelete = kind === 'delete';
  const whole = responses.find(({ status }) => !isDelete && (status === '200' || status === '201'));
  const returned = whole && schemaOf(jsonOf(whole.contents), whole.contents, 'it responds with');
  const resource = whole && readResource(returned, kind, model);
  const query = readQuery(operation, resource ?? {}, kind, model);
  const ofBody = isDelete ? checkDeleted(operation, model) : notesOfLater(operation);
  const notes = [...operation.notes, ...ofBody, ...query.notes];
  return { kind, operation, resource, query, body, notes };
};

/** Whether a body is what a client sends of a resource without a declaration (§4.2). */
export const followsFrom = (
  resource: Schema,
  kind: Kind,
  { sent, returned }: Body,
  model: Model,
): boolean => {
  const body = model.toBody(sent);
  if (kind !== 'update') return model.matches(resource, body, 'body');
  // Many documents refer to the resource itself, although a PATCH may leave out any of its fields.
  const isResource = model.matches(resource, returned) && model.matches(resource, body, 'body');
  return isResource || model.matches(resource, body, 'update');
};
