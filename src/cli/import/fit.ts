import {
  type Operation as Kind,
  operations as kinds,
  methodRules,
  operationMethods,
} from '../../conventions.ts';
import { isCount } from '../../options.ts';
import { follow, type Json, objectAt } from './json.ts';
import type { Model } from './model.ts';
import { type Content, isJson, Misfit, type Operation } from './operations.ts';
import { type Query, readQuery } from './query.ts';
import type { Schema } from './schema.ts';

/** An operation of the document as an operation of a collection. */
export interface Fitting {
  readonly kind: Kind;
  readonly operation: Operation;
  /** What it returns; undefined for one without a body in its response. */
  readonly resource: Schema | undefined;
  /** What it sends; undefined for one without a body. */
  readonly body: Schema | undefined;
  readonly query: Query;
  /** How many items and bytes it takes at once; undefined where it takes one item. */
  readonly bulk: Readonly<Record<'maxItems' | 'maxBytes', number | undefined>> | undefined;
  /** Where the requirements of fields are described (§2.3), by dotted path. */
  readonly references: Json;
  readonly notes: readonly string[];
}

export const isOfOne = (kind: Kind): boolean => kind !== 'list' && kind !== 'create';

/** The kind of an operation by its method and whether its path ends with a parameter (§4.2). */
const kindOf = ({ method, responses, bodies }: Operation, endsWithId: boolean): Kind => {
  const kind = kinds.find((one) => operationMethods[one] === method && isOfOne(one) === endsWithId);
  if (kind === undefined)
    throw new Misfit(
      `${method} is not an operation of ${endsWithId ? 'one resource' : 'a collection'} (§4.2)`,
    );
  const { success, body } = methodRules[operationMethods[kind]];
  const allowed = success.map(String).filter((status) => status !== '304');
  const { status = 'no status' } =
    responses.find((one) => !allowed.includes(one.status)) ?? responses[0] ?? {};
  if (!allowed.includes(status))
    throw new Misfit(`it responds with ${status} instead of ${allowed.toSorted().join(' or ')} (§4.2)`);
  if (isOfOne(kind) && kind !== 'get' && responses.some(({ contents }) => contents.length > 0))
    throw new Misfit('its response has a body (§4.2)');
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
  const [one, other = {}] = structureOf(schema).anyOf ?? [];
  const many = structureOf(other);
  return one !== undefined && many.items !== undefined && matches(one, many.items)
    ? { one, many }
    : { one: schema, many: undefined };
};

/** The whole resource, where the document also has its form that `fields` limits (§4.4). */
const withoutLimited = (schema: Schema, { structureOf, isResource, matches }: Model): Schema => {
  const [whole, limited, ...others] = structureOf(schema).anyOf ?? [];
  if (whole === undefined || limited === undefined || others.length > 0) return schema;
  return isResource(whole) && matches(whole, limited, 'limited') ? whole : schema;
};

/** The resource that an operation returns, or several of. */
const readResource = (content: unknown, kind: Kind, model: Model): Schema => {
  const list = kind === 'list' ? follow(model.document, content)?.value : undefined;
  if (list !== undefined && list.type !== 'array') throw new Misfit('its response is not a list (§4.5)');
  const item = withoutBulk(model.read(list ? list.items : content, 'response'), model).one;
  const resource = withoutLimited(item, model);
  if (model.isResource(resource)) return resource;
  throw new Misfit('what it returns lacks `id` or `self` (§2.1)');
};

/**
 * Reads one operation as an operation of a collection.
 *
 * @throws {@link Misfit} for an operation that fits no collection
 */
export const fitOperation = (operation: Operation, endsWithId: boolean, model: Model): Fitting => {
  const kind = kindOf(operation, endsWithId);
  const { responses, requestBody, bodies } = operation;
  const hasBody = methodRules[operationMethods[kind]].body;
  const body = hasBody
    ? withoutBulk(model.read(jsonOf(bodies, 'its request body is'), 'body'), model)
    : undefined;
  const whole = responses.find(({ status }) => status === '200' || status === '201');
  const resource = whole && readResource(jsonOf(whole.contents, 'it responds with'), kind, model);
  const maxBytes = requestBody['x-restkin-max-bytes'];
  const deprecated = operation.isDeprecated ? [`the document calls ${kind} deprecated`] : [];
  const notes = [...deprecated, ...operation.notes];
  return {
    kind,
    operation,
    resource,
    body: body?.one,
    query: readQuery(operation, resource, kind === 'list', model, (reason) => notes.push(reason)),
    bulk: body?.many && { maxItems: body.many.maxItems, maxBytes: isCount(maxBytes) ? maxBytes : undefined },
    references: objectAt(requestBody, 'x-restkin-references'),
    notes,
  };
};
