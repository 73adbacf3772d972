import { type Operation, versionPrefix } from '../conventions.ts';
import { InvalidRequestError } from '../errors/request-error.ts';
import { checkHeaderFields, isConditional } from '../http/header-fields.ts';
import { encodeSegment, formatPath } from '../http/url.ts';
import { checkQuery, formatQuery, noQuery, type Query, type QueryRules } from '../query/query.ts';
import type { Schema } from '../query/shape.ts';
import { type BodySchemas, type Collection, operationsOf } from '../schema/collection.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import { type EncodeBody, encoderOf } from '../schema/encode.ts';
import { parse } from '../schema/parse.ts';
import { type Blank, createReader } from '../schema/read-options.ts';
import type { Selection } from '../schema/select.ts';
import {
  blank,
  type CallOptions,
  type ConditionalOptions,
  conditionsOf,
  readCallOptions,
} from './call-options.ts';
import type { ApiClient } from './collection-types.ts';
import { createMany } from './create-many.ts';
import {
  type CallExchange,
  callWith,
  type Exchange,
  exchange,
  openExchange,
  toJsonBody,
} from './exchange.ts';
import { createItemList, type ListOptions } from './item-list.ts';
import { markPosition, toStart } from './list-start.ts';
import { loadPage } from './load-page.ts';
import {
  type Answer,
  toAllowedMethods,
  toBulkOutcome,
  toCreateOutcome,
  toFoundOutcome,
  toReadOutcome,
  toWriteOutcome,
} from './outcome.ts';
import { createQueryBuilder } from './query-builder.ts';
import { createSelectedSchemas, type SelectedSchemas } from './selected-schemas.ts';

/** What the calls of one collection have in common, prepared once. */
interface Endpoint {
  /** The collection's name in the declaration, for messages. */
  readonly name: string;
  readonly api: CallExchange;
  readonly rules: QueryRules;
  readonly schemas: (selection: Selection) => SelectedSchemas;
  readonly bodies: Readonly<Record<keyof BodySchemas, EncodeBody>>;
  /** Whether a 202 to POST is a result. */
  readonly mayAccept: boolean;
  /** The collection's URL for its path parameters. */
  readonly url: string;
}

/** An endpoint before a call of it begins. */
interface ConnectedEndpoint extends Omit<Endpoint, 'api'> {
  readonly api: Exchange;
}

const withQuery = (url: string, query: Query): string => {
  const text = formatQuery(query);
  return text === '' ? url : `${url}?${text}`;
};

const check = (query: Query, rules: QueryRules): void => {
  const problem = checkQuery(query, rules);
  if (problem !== undefined) throw new InvalidRequestError(problem);
};

const noCondition = 'a list cannot be asked whether it has changed; `get` can';

/** What to do about a name that a list does not know. */
const listAdvice = (name: string): string =>
  name === 'ifNoneMatch' || name === 'modifiedSince'
    ? noCondition
    : "the endpoint's own query parameters stand in params";

const checkUnconditional = ({ headers }: CallOptions): void => {
  if (headers === undefined || !isConditional(checkHeaderFields('headers', headers))) return;
  throw new InvalidRequestError(`headers has a condition: ${noCondition}`);
};

interface ListRequest extends Query, ListOptions {}

const blankList: Blank<ListRequest> = {
  ...blank.call,
  ...noQuery,
  limit: undefined,
  maxPages: undefined,
  concurrency: undefined,
  onPage: undefined,
  from: undefined,
};
const readListRequest = createReader(blankList, listAdvice);

interface GetRequest extends Pick<Query, 'fields' | 'expand'>, ConditionalOptions {}

const blankGet: Blank<GetRequest> = { ...blank.conditional, fields: undefined, expand: undefined };
const readGetRequest = createReader(blankGet);

/** The values that an object has itself; a schema would also look at its prototype. */
const ownValues = (values: unknown): unknown =>
  typeof values === 'object' && values !== null ? Object.assign(Object.create(null), values) : values;

/** The endpoint's own parameters as they go over the wire, checked and with the defaults of their schema. */
const checkParams = ({ name, params }: QueryRules, query: Query): Query => {
  if (params === undefined) return query;
  const encode = encoderOf(params);
  const parsed = parse(params, encode(ownValues(query.params ?? {}), 'params'));
  if (parsed.ok) return { ...query, params: encode(parsed.value, 'params') as Query['params'] };
  const [issue] = parsed.issues;
  throw new InvalidRequestError(
    `${name}: \`params\` does not match its declaration at \`${issue?.path}\`: ${issue?.message}`,
  );
};

/** What was given for a list; what is wrong with it is thrown when the list is read. */
const openList = (given: ListRequest | undefined, owner: string) => {
  try {
    return { request: readListRequest(given, owner) };
  } catch (error) {
    return { request: readListRequest(undefined, owner), error };
  }
};

const list = (endpoint: Endpoint, given?: ListRequest) => {
  const { api, rules, schemas, url } = endpoint;
  const { request, error } = openList(given, `${endpoint.name}.list`);
  /** The query as it stands in the URL, once it was checked. */
  let query = '';
  const start = (): string => {
    if (error !== undefined) throw error;
    check(request, rules);
    checkUnconditional(request);
    query = formatQuery(checkParams(rules, request));
    if (request.from !== undefined) return toStart(api, url, request.from, query);
    return query === '' ? url : `${url}?${query}`;
  };
  const mark = (position: string): string => markPosition(position, request.from, query);
  let schema: Schema | undefined;
  const load = (page: string, signal: AbortSignal | undefined) => {
    schema ??= schemas(request).list;
    return loadPage(api, schema, page, { ...request, signal });
  };
  return createItemList(
    {
      ...{ load, start, declared: rules.paging !== undefined, mark },
      ...{ onDrift: api.onDrift, call: api.call },
    },
    request,
  );
};

const read =
  (name: 'get' | 'find', toOutcome: (answer: Answer, schema: Schema) => Promise<unknown>) =>
  (endpoint: Endpoint, id: unknown, given?: GetRequest) => {
    const { api, rules, schemas } = endpoint;
    let item: Schema;
    const send = async () => {
      const request = readGetRequest(given, `${endpoint.name}.${name}`);
      const query = { ...noQuery, fields: request.fields, expand: request.expand };
      check(query, rules);
      item = schemas(query).item;
      const url = withQuery(`${endpoint.url}/${encodeSegment('id', id)}`, query);
      const mayBeMissing = name === 'find';
      return exchange(
        api,
        { method: 'GET', url, headers: api.readFields, mayBeMissing },
        request,
        conditionsOf(request),
      );
    };
    return callWith(api.call, send, (answer) => toOutcome(answer, item));
  };

/** A resource with all its fields, and nothing expanded. */
const whole: Selection = { fields: undefined, expand: undefined };

const create = (endpoint: Endpoint, body: unknown, given?: CallOptions) => {
  const { api, schemas, bodies, url, mayAccept } = endpoint;
  const send = async () => {
    const options = readCallOptions(given, `${endpoint.name}.create`);
    const text = toJsonBody(bodies.create(body));
    return exchange(api, { method: 'POST', url, headers: api.writeFields, body: text }, options);
  };
  return callWith(api.call, send, (answer) => toCreateOutcome(answer, schemas(whole).item, mayAccept));
};

/** One bulk request: a list of items in, the list of created resources out. */
const sendBulk = async ({ api, schemas, url }: Endpoint, body: string, options: CallOptions) => {
  const answer = await exchange(api, { method: 'POST', url, headers: api.writeFields, body }, options);
  return toBulkOutcome(answer, schemas(whole).list);
};

const write =
  (method: 'PUT' | 'PATCH', kind: 'replace' | 'update') =>
  (endpoint: Endpoint, id: unknown, body: unknown, given?: CallOptions) => {
    const { api, bodies } = endpoint;
    const send = async () => {
      const options = readCallOptions(given, `${endpoint.name}.${kind}`);
      const url = `${endpoint.url}/${encodeSegment('id', id)}`;
      const text = toJsonBody(bodies[kind](body));
      return exchange(api, { method, url, headers: api.writeFields, body: text }, options);
    };
    return callWith(api.call, send, toWriteOutcome);
  };

const remove = (endpoint: Endpoint, id: unknown, given?: CallOptions) => {
  const { api } = endpoint;
  const send = async () => {
    const options = readCallOptions(given, `${endpoint.name}.delete`);
    const url = `${endpoint.url}/${encodeSegment('id', id)}`;
    return exchange(api, { method: 'DELETE', url, headers: api.readFields }, options);
  };
  return callWith(api.call, send, toWriteOutcome);
};

const allowedMethods = (endpoint: Endpoint, id?: unknown, given?: CallOptions) => {
  const { api, url } = endpoint;
  const send = async () => {
    const options = readCallOptions(given, `${endpoint.name}.allowedMethods`);
    const target = id === undefined ? url : `${url}/${encodeSegment('id', id)}`;
    return exchange(api, { method: 'OPTIONS', url: target, headers: api.readFields }, options);
  };
  return callWith(api.call, send, toAllowedMethods);
};

type Method = (endpoint: Endpoint, ...rest: never[]) => unknown;

/** What each operation of a declaration gives a collection. */
const methodsOf: Readonly<Record<Operation, Readonly<Record<string, Method>>>> = {
  list: { list },
  get: { get: read('get', toReadOutcome), find: read('find', toFoundOutcome) },
  create: { create },
  replace: { replace: write('PUT', 'replace') },
  update: { update: write('PATCH', 'update') },
  delete: { delete: remove },
};

/** The operations that a collection declares, bound to its endpoint. */
const createCollectionClient = (connected: ConnectedEndpoint, collection: Collection): object => {
  const open = (): Endpoint => ({ ...connected, api: openExchange(connected.api) });
  const bound: Record<string, unknown> = {
    allowedMethods: (id?: string | number, options?: CallOptions) => allowedMethods(open(), id, options),
  };
  for (const operation of operationsOf(collection)) {
    for (const [name, method] of Object.entries(methodsOf[operation])) {
      bound[name] = (...rest: never[]) => method(open(), ...rest);
    }
  }
  const { bulk } = collection.options;
  if (bulk !== undefined) {
    bound.createMany = async (items: readonly unknown[], given?: CallOptions) => {
      const endpoint = open();
      const { fail } = endpoint.api.call;
      try {
        const options = readCallOptions(given, `${endpoint.name}.createMany`);
        // A hole in a sparse array is an item too: `map` would skip it.
        const bodies = Array.from(items, (item, index) => endpoint.bodies.create(item, String(index)));
        return await createMany(bodies, bulk, (body) => sendBulk(endpoint, body, options), fail);
      } catch (error) {
        throw fail(error);
      }
    };
  }
  if (operationsOf(collection).includes('list')) {
    bound.query = () => createQueryBuilder({}, connected.rules, (request) => list(open(), request));
  }
  return Object.freeze(bound);
};

const createCollection = (api: Exchange, prefix: string, name: string, collection: Collection): unknown => {
  const { path, resource, options } = collection;
  const { sort, fields, expand, paging, params, bodies } = options;
  const shared = {
    name,
    api,
    rules: { name: JSON.stringify(name), resource, sort, fields, expand, paging, params },
    schemas: createSelectedSchemas(resource, operationsOf(collection).includes('get')),
    mayAccept: options.accepts?.includes('create') ?? false,
    bodies: {
      create: encoderOf(bodies?.create ?? resource),
      replace: encoderOf(bodies?.replace ?? resource),
      update: encoderOf(bodies?.update ?? resource),
    },
  };
  if (!path.includes(':')) return createCollectionClient({ ...shared, url: `${prefix}/${path}` }, collection);
  return (parameters: Readonly<Record<string, unknown>>) =>
    createCollectionClient({ ...shared, url: `${prefix}/${formatPath(path, parameters ?? {})}` }, collection);
};

/** The collections of an API, below `/v<major>/` (§9). */
export const createApiClient = <A extends ApiDeclaration>(api: A, exchange: Exchange): ApiClient<A> => {
  const prefix = `${exchange.base.href}/${versionPrefix}${api.version}`;
  const entries = Object.entries(api.collections).map(([name, collection]) => [
    name,
    createCollection(exchange, prefix, name, collection),
  ]);
  // The types are computed from the same declaration that this loop walks.
  return Object.freeze(Object.fromEntries(entries)) as ApiClient<A>;
};
