import { operations as kinds, methodRules, operationMethods } from '../../../conventions.ts';
import { itemPathOf, type ListForm, type WholeFamily } from '../../../families/family.ts';
import { sentNames } from '../../../openapi/forms.ts';
import { isCount, isObject } from '../../../options.ts';
import { exampleOf } from '../families/example.ts';
import { isRecord, notesOfBeside, placesIn } from '../families/own-places.ts';
import { objectAt, schemaAt, targetOf } from '../json.ts';
import type { Model } from '../model.ts';
import type { Schema } from '../schemas/schema.ts';
import { type Content, isJson, isPlainJson, jsonResponsesOf } from './contents.ts';
import { joinNames, notesOfSelections, type Selection } from './expansions.ts';
import { keyFieldOf } from './key.ts';
import { notesOfLater } from './notes.ts';
import { Misfit, methods, type Operation } from './operations.ts';
import { readQuery } from './query.ts';
import type { Kind } from './query-parts.ts';

/** What of the document a collection does not declare. */
export interface Note {
  /** The operations that it is about; empty where its text says it. */
  readonly kinds: readonly Kind[];
  readonly text: string;
}

/** An operation of the document as an operation of a collection. */
type Fitting = ReturnType<typeof fitOperation>;

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

/** The content in JSON of a request or a response, which the conventions want (§4.3). */
const jsonOf = (contents: readonly Content[], what: string, is = isJson): unknown => {
  const found = contents.find(is);
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
  const other = isRecord(body) ? undefined : placesIn(body, isRecord).find((path) => path !== usual);
  if (other !== undefined)
    throw new Misfit(`its response has \`${other}\`, which \`delete\` does not return`);
  return ['the body of its response'];
};

/** Reads one operation as that of a collection. Throws a {@link Misfit} for one that fits none. */
const fitOperation = (operation: Operation, model: Model) => {
  const kind = kindOf(operation, model.family);
  const { method, responses, bodies } = operation;
  const body = methodRules[method].body
    ? readBody(jsonOf(bodies, 'its request body is', isPlainJson), model)
    : undefined;
  const isDelete = kind === 'delete';
  const whole = responses.find(({ status }) => !isDelete && (status === '200' || status === '201'));
  const resource = whole && readResource(jsonOf(whole.contents, 'it responds with'), kind, model);
  const query = readQuery(operation, resource ?? {}, kind, model);
  const ofBody = isDelete ? checkDeleted(operation, model) : notesOfLater(operation);
  const notes = [...operation.notes, ...ofBody, ...query.notes];
  return { kind, operation, resource, query, body, notes };
};

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

/** Whether a body is what a client sends of a resource without a declaration (§4.2). */
const followsFrom = (resource: Schema, kind: Kind, { sent, returned }: Body, model: Model): boolean => {
  const body = model.toBody(sent);
  if (kind !== 'update') return model.matches(resource, body, 'body');
  // Many documents refer to the resource itself, although a PATCH may leave out any of its fields.
  const isResource = model.matches(resource, returned) && model.matches(resource, body, 'body');
  return isResource || model.matches(resource, body, 'update');
};

/** The notes of each operation; one that several share stands once. */
const joinNotes = (all: readonly Fitting[]): readonly Note[] => {
  const texts = new Set(all.flatMap(({ notes }) => notes));
  const kindsOf = (text: string): readonly Kind[] =>
    all.filter(({ notes }) => notes.includes(text)).map(({ kind }) => kind);
  return Array.from(texts, (text) => ({ kinds: kindsOf(text), text }));
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
