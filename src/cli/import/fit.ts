import {
  header,
  type Operation as Kind,
  methodRules,
  operationMethods,
  paginationHeader,
} from '../../conventions.ts';
import { isCount, type Json, objectAt } from './json.ts';
import { type Direction, matches, type Node, resourceOf, structureOf } from './node.ts';
import { type Content, isJson, Misfit, type Operation, type Response } from './operations.ts';
import { type Query, readQuery } from './query.ts';
import type { Reader } from './schemas.ts';

export interface Fitting {
  readonly kind: Kind;
  readonly operation: Operation;
  /** What it returns; undefined for one without a body in its response. */
  readonly resource: Node | undefined;
  /** What it sends; undefined for one without a body. */
  readonly body: Node | undefined;
  readonly query: Query;
  /** Whether its response has links to other pages, and no totals (§4.5.1). */
  readonly isWithoutTotals: boolean;
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
  const ofOne: readonly Kind[] = ['get', 'replace', 'update', 'delete'];
  const ofAll: readonly Kind[] = ['list', 'create'];
  const kind = (isOfOne ? ofOne : ofAll).find((one) => operationMethods[one] === method);
  if (kind !== undefined) return kind;
  throw new Misfit(`${method} is not an operation of ${isOfOne ? 'one resource' : 'a collection'} (§4.2)`);
};

const isBodiless = (kind: Kind): boolean => kind === 'replace' || kind === 'update' || kind === 'delete';

const checkStatuses = ({ responses }: Operation, kind: Kind): void => {
  const success = methodRules[operationMethods[kind]].success.map(String);
  const allowed = success.filter((status) => status !== '304');
  const other = responses.find(({ status }) => !allowed.includes(status));
  const expected = allowed.toSorted().join(' or ');
  if (other !== undefined) throw new Misfit(`it responds with ${other.status} instead of ${expected} (§4.2)`);
  if (responses.length === 0)
    throw new Misfit(`the document has no successful response for it; ${expected} is expected (§4.2)`);
  const full = responses.find(({ contents }) => contents.length > 0);
  if (isBodiless(kind) && full !== undefined)
    throw new Misfit(`its response ${full.status} has a body; the conventions allow none (§4.2)`);
};

const typesOf = (contents: readonly Content[]): string => contents.map(({ type }) => type).join(', ');

/** The request body of an operation; undefined when its kind has none. */
const bodyOf = ({ method, bodies }: Operation, kind: Kind): Content | undefined => {
  const needsBody = methodRules[operationMethods[kind]].body;
  const content = needsBody ? bodies.find(isJson) : undefined;
  if (!needsBody && bodies.length > 0) throw new Misfit(`${method} has a request body (§4.2)`);
  if (!needsBody || content !== undefined) return content;
  const types = typesOf(bodies);
  throw new Misfit(types === '' ? 'it has no request body (§4.2)' : `its request body is ${types}`);
};

/** The whole resource, where the document also has its form that `fields` limits (§4.4). */
const withoutLimited = (node: Node): Node => {
  const structure = structureOf(node);
  if (structure.kind !== 'union' || structure.parts.length !== 2) return node;
  const [whole, limited] = structure.parts;
  const isLimited = whole && limited && resourceOf(whole) && matches(whole, 'limited', limited);
  return isLimited ? whole : node;
};

/** The schema of one item, and that of the list if several can be sent (§8). */
const withoutBulk = (node: Node) => {
  const structure = structureOf(node);
  const [one, other] = structure.kind === 'union' ? structure.parts : [];
  const many = other && structureOf(other);
  return one !== undefined && many?.kind === 'array' && matches(one, 'response', many.parts[0])
    ? { one, many }
    : { one: node };
};

const describe = (node: Node): string => {
  const { kind } = structureOf(node);
  if (kind === 'leaf') return 'a single value';
  if (kind === 'array' || kind === 'tuple') return 'a list';
  if (kind === 'nullable') return 'a value that may be null';
  return kind === 'union' ? 'one of several values' : 'an object';
};

/**
 * Reads one operation as an operation of a collection.
 *
 * @throws {@link Misfit} for an operation that fits no collection
 */
export const fitOperation = (operation: Operation, isOfOne: boolean, reader: Reader): Fitting => {
  const kind = kindOf(operation, isOfOne);
  checkStatuses(operation, kind);
  const content = bodyOf(operation, kind);
  const { responses, requestBody } = operation;
  const notes: string[] = [];
  const note = (reason: string): void => void notes.push(reason);

  const readContent = ({ schema, base }: Content, direction: Direction): Node =>
    reader.read(schema, { base, direction, note });

  const readResource = ({ status, contents }: Response): Node => {
    const content = contents.find(isJson);
    if (content === undefined) {
      const types = typesOf(contents);
      throw new Misfit(
        types === '' ? `its response ${status} has no body (§4.2)` : `it responds with ${types} (§4.3)`,
      );
    }
    const list = kind === 'list' ? reader.references.follow(content.schema, content.base) : undefined;
    if (list !== undefined && list.value.type !== 'array')
      throw new Misfit(
        'its response is not a list; a collection responds with a plain array of resources (§4.5)',
      );
    const item = list === undefined ? content : { ...content, schema: list.value.items, base: list.base };
    const resource = withoutLimited(withoutBulk(readContent(item, 'response')).one);
    if (resourceOf(resource)) return resource;
    throw new Misfit(
      structureOf(resource).kind === 'object'
        ? 'what it returns lacks `id` or `self`, which every resource that can be fetched has (§2.1)'
        : `it returns ${describe(resource)} instead of a resource with \`id\` and \`self\` (§2.1)`,
    );
  };

  const response = responses.find(({ contents }) => contents.length > 0) ?? responses[0];
  const isCreatedLater = kind === 'create' && response?.status === '202';
  const resource =
    isBodiless(kind) || response === undefined || isCreatedLater ? undefined : readResource(response);
  const body = content && withoutBulk(readContent(content, 'body'));
  const [, maxItems] = /\.max\((\d+)\)/.exec(body?.many?.checks ?? '') ?? [];
  const maxBytes = requestBody['x-restkin-max-bytes'];
  const headers = response?.headers ?? [];
  return {
    kind,
    operation,
    resource,
    body: body?.one,
    query: readQuery(operation, resource, kind === 'list', reader, note),
    isWithoutTotals: headers.includes(header.link) && !headers.includes(paginationHeader.totalCount),
    mayAccept: responses.some(({ status }) => status === '202'),
    bulk: body?.many && {
      maxItems: maxItems === undefined ? undefined : Number(maxItems),
      maxBytes: isCount(maxBytes) ? maxBytes : undefined,
    },
    references: objectAt(requestBody, 'x-restkin-references'),
    notes,
  };
};
