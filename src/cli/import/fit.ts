import {
  header,
  type Operation as Kind,
  methodRules,
  operationMethods,
  paginationHeader,
} from '../../conventions.ts';
import { isCount, type Json, objectAt } from './json.ts';
import { type Direction, matches, type Node, resourceOf, structureOf } from './node.ts';
import { type Content, isJson, type Operation, type Response } from './operations.ts';
import { type Query, readQuery } from './query.ts';
import type { References } from './references.ts';
import type { Schemas } from './schemas.ts';

/** What operations are read with. */
export interface Reader {
  readonly references: References;
  readonly schemas: Schemas;
}

/** An operation of a collection, as the document has it. */
export interface Fitting {
  readonly kind: Kind;
  /** What it returns; undefined for one without a body in its response. */
  readonly resource: Node | undefined;
  /** What it sends; undefined for one without a body. */
  readonly body: Node | undefined;
  readonly query: Query | undefined;
  /** Whether its response has links to other pages, and no totals (§4.5.1). */
  readonly isWithoutTotals: boolean;
  /** Whether the server may create later (202). */
  readonly mayAccept: boolean;
  /** How many items and bytes it takes at once; undefined where it takes one item. */
  readonly bulk: { readonly maxItems?: number; readonly maxBytes?: number } | undefined;
  /** Where the requirements of fields are described (§2.3), by dotted path. */
  readonly references: Json;
  readonly notes: readonly string[];
}

/** An operation, or why it is none of a collection. */
export type Fit = Fitting | { readonly reason: string };

/** The kind of an operation by its method and whether its path ends with a parameter (§4.2). */
export const kindOf = (method: string, isOfOne: boolean): Kind | undefined => {
  const ofOne: readonly Kind[] = ['get', 'replace', 'update', 'delete'];
  const ofAll: readonly Kind[] = ['list', 'create'];
  return (isOfOne ? ofOne : ofAll).find((kind) => operationMethods[kind] === method);
};

const allowedStatuses = (kind: Kind): readonly string[] =>
  methodRules[operationMethods[kind]].success.map(String);

const bodiless = (kind: Kind): boolean => kind === 'replace' || kind === 'update' || kind === 'delete';

const refuseStatuses = ({ responses }: Operation, kind: Kind): string | undefined => {
  const allowed = allowedStatuses(kind).filter((status) => status !== '304');
  const other = responses.find(({ status }) => !allowed.includes(status));
  const expected = allowed.toSorted().join(' or ');
  if (other !== undefined) return `it responds with ${other.status} instead of ${expected} (§4.2)`;
  if (responses.length === 0) return `it states no response of success; ${expected} is expected (§4.2)`;
  const full = responses.find(({ contents }) => contents.length > 0);
  return bodiless(kind) && full !== undefined
    ? `its response ${full.status} has a body, which the conventions leave out (§4.2)`
    : undefined;
};

/** One of two forms of a resource: all of it, or limited by `fields` (§4.4). */
const withoutLimited = (node: Node): Node => {
  const structure = structureOf(node);
  if (structure.kind !== 'union' || structure.options.length !== 2) return node;
  const [whole, limited] = structure.options;
  const isLimited = whole && limited && resourceOf(whole) && matches(whole, 'limited', limited);
  return isLimited ? whole : node;
};

/** A body of one item or of several (§8). */
const withoutBulk = (
  node: Node,
  maxBytes?: unknown,
): { readonly one: Node; readonly bulk: Fitting['bulk'] } => {
  const structure = structureOf(node);
  const [one, other] = structure.kind === 'union' ? structure.options : [];
  const many = other && structureOf(other);
  if (one === undefined || many?.kind !== 'array' || !matches(one, 'response', many.of)) {
    return { one: node, bulk: undefined };
  }
  const [, maxItems] = /\.max\((\d+)\)/.exec(many.checks) ?? [];
  const bulk = {
    ...(maxItems !== undefined && { maxItems: Number(maxItems) }),
    ...(isCount(maxBytes) && { maxBytes }),
  };
  return { one, bulk };
};

const describe = (node: Node): string => {
  const { kind } = structureOf(node);
  if (kind === 'leaf') return 'a single value';
  if (kind === 'array') return 'a list';
  return kind === 'object' || kind === 'record' ? 'an object' : `of the kind ${kind}`;
};

/** Reads one operation as an operation of a collection. */
export const fitOperation = (operation: Operation, kind: Kind, { references, schemas }: Reader): Fit => {
  const notes: string[] = [];
  const readContent = (content: Content, direction: Direction): Node =>
    schemas.read(content.schema, { base: content.base, direction, note: (reason) => notes.push(reason) });

  const readResource = (response: Response): Node | string => {
    const content = response.contents.find(isJson);
    if (content === undefined) {
      const types = response.contents.map(({ type }) => type).join(', ');
      return types === ''
        ? `its response ${response.status} has no body (§4.2)`
        : `it responds with ${types} (§4.3)`;
    }
    const list = kind === 'list' ? references.follow(content.schema, content.base) : undefined;
    if (list !== undefined && list.value.type !== 'array')
      return 'its response is no list; the client reads a list of resources, without anything around it (§4.5)';
    const item = list === undefined ? content : { ...content, schema: list.value.items, base: list.base };
    const resource = withoutLimited(withoutBulk(readContent(item, 'response')).one);
    if (resourceOf(resource)) return resource;
    return structureOf(resource).kind === 'object'
      ? 'what it returns lacks `id` or `self`, which every resource that can be fetched has (§2.1)'
      : `what it returns is ${describe(resource)} and no resource with \`id\` and \`self\` (§2.1)`;
  };

  const refused = refuseStatuses(operation, kind);
  if (refused !== undefined) return { reason: refused };
  const needsBody = methodRules[operationMethods[kind]].body;
  const content = operation.bodies.find(isJson);
  if (!needsBody && operation.bodies.length > 0)
    return { reason: `${operation.method} has a request body (§4.2)` };
  if (needsBody && content === undefined) {
    const types = operation.bodies.map(({ type }) => type).join(', ');
    return { reason: types === '' ? 'it has no request body (§4.2)' : `its request body is ${types}` };
  }
  const response = operation.responses.find(({ contents }) => contents.length > 0) ?? operation.responses[0];
  const isCreatedLater = kind === 'create' && response?.status === '202';
  const resource =
    bodiless(kind) || response === undefined || isCreatedLater ? undefined : readResource(response);
  if (typeof resource === 'string') return { reason: resource };
  const query = readQuery(
    operation,
    resource ?? { kind: 'leaf', source: '' },
    kind === 'list',
    references,
    schemas,
  );
  if (query.refusal !== undefined) return { reason: query.refusal };
  const headers = response?.headers ?? [];
  const { requestBody } = operation;
  const { one, bulk } =
    content === undefined
      ? {}
      : withoutBulk(readContent(content, 'body'), requestBody['x-restkin-max-bytes']);
  return {
    kind,
    resource,
    body: one,
    query,
    isWithoutTotals: headers.includes(header.link) && !headers.includes(paginationHeader.totalCount),
    mayAccept: operation.responses.some(({ status }) => status === '202'),
    bulk,
    references: objectAt(requestBody, 'x-restkin-references'),
    notes: [...notes, ...query.notes],
  };
};
