import type { operationMethods } from '../conventions/methods.ts';
import { versionPrefix } from '../conventions/version.ts';
import { InvalidRequestError } from '../errors/request-error.ts';
import { encodeSegment, formatPath } from '../http/url.ts';
import { leavesPath } from '../paging/page-url.ts';
import { checkQuery, formatQuery, type Query, type QueryRules } from '../query/query.ts';
import type { Schema } from '../query/shape.ts';
import { type BodySchemas, type Collection, operationsOf } from '../schema/collection.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import { type EncodeBody, encoderOf } from '../schema/encode.ts';
import { parse } from '../schema/parse.ts';
import type { Selection } from '../schema/select.ts';
import type { CallOptions, ConditionalOptions } from './call-options.ts';
import type { ApiClient } from './collection-types.ts';
import { createMany } from './create-many.ts';
import { callWith, type Exchange, exchange, toFollowedUrl, toJsonBody } from './exchange.ts';
import { createItemList, type ListOptions } from './item-list.ts';
import { loadPage } from './load-page.ts';
import {
  toAllowedMethods,
  toBulkOutcome,
  toCreateOutcome,
  toReadOutcome,
  toWriteOutcome,
} from './outcome.ts';
import { createQueryBuilder } from './query-builder.ts';
import { createSelectedSchemas, type SelectedSchemas } from './selected-schemas.ts';

/** What the calls of one collection have in common, prepared once. */
interface Endpoint {
  readonly api: Exchange;
  readonly rules: QueryRules;
  readonly schemas: (selection: Selection) => SelectedSchemas;
  readonly bodies: Readonly<Record<keyof BodySchemas, EncodeBody>>;
  /** The collection's URL for its path parameters. */
  readonly url: string;
}

const withQuery = (url: string, query: Query): string => {
  const text = formatQuery(query);
  return text === '' ? url : `${url}?${text}`;
};

const check = (query: Query, rules: QueryRules): void => {
  const problem = checkQuery(query, rules);
  if (problem !== undefined) throw new InvalidRequestError(problem);
};

/** The endpoint's own parameters, checked and with the defaults of their schema. */
const checkParams = ({ params }: QueryRules, query: Query): Query => {
  if (params === undefined) return query;
  const parsed = parse(params, query.params ?? {});
  if (parsed.ok) return { ...query, params: parsed.value as Query['params'] };
  const [issue] = parsed.issues;
  throw new InvalidRequestError(`params do not fit their declaration: ${issue?.path}: ${issue?.message}`);
};

/** A position to start at: its URL absolute, as every URL of a list is, and what it says behind that kept. */
const toStart = (api: Exchange, collectionUrl: string, from: string): string => {
  const [link = '', place] = typeof from === 'string' ? from.split('#', 2) : [];
  const url = toFollowedUrl(api, link);
  if (leavesPath(url, collectionUrl))
    throw new InvalidRequestError('from must be a position of this list, or the next of one of its pages');
  return place === undefined ? url : `${url}#${place}`;
};

const list = (endpoint: Endpoint, query: Query = {}, options: ListOptions = {}) => {
  const { api, rules, schemas, url } = endpoint;
  const start = (): string => {
    check(query, rules);
    const checked = checkParams(rules, query);
    return options.from === undefined ? withQuery(url, checked) : toStart(api, url, options.from);
  };
  let schema: Schema | undefined;
  const load = (page: string, signal: AbortSignal | undefined) => {
    schema ??= schemas(query).list;
    return loadPage(api, schema, page, { ...options, signal });
  };
  return createItemList({ load, start, declared: rules.paging !== undefined, onDrift: api.onDrift }, options);
};

const get = (endpoint: Endpoint, id: unknown, query: Query = {}, options: ConditionalOptions = {}) => {
  const { api, rules, schemas } = endpoint;
  const send = async () => {
    check(query, { resource: rules.resource, fields: rules.fields, expand: rules.expand });
    const url = withQuery(`${endpoint.url}/${encodeSegment('id', id)}`, query);
    return exchange(api, { method: 'GET', url, headers: api.readFields }, options);
  };
  return callWith(send, (answer) => toReadOutcome(answer, schemas(query).item));
};

const create = (endpoint: Endpoint, body: unknown, options: CallOptions = {}) => {
  const { api, schemas, bodies, url } = endpoint;
  const send = async () => {
    const text = toJsonBody(bodies.create(body));
    return exchange(api, { method: 'POST', url, headers: api.writeFields, body: text }, options);
  };
  return callWith(send, (answer) => toCreateOutcome(answer, schemas({}).item));
};

/** One bulk request: a list of items in, the list of created resources out. */
const sendBulk = async ({ api, schemas, url }: Endpoint, body: string, options: CallOptions = {}) => {
  const answer = await exchange(api, { method: 'POST', url, headers: api.writeFields, body }, options);
  return toBulkOutcome(answer, schemas({}).list);
};

const write =
  (method: 'PUT' | 'PATCH', kind: 'replace' | 'update') =>
  (endpoint: Endpoint, id: unknown, body: unknown, options: CallOptions = {}) => {
    const { api, bodies } = endpoint;
    const send = async () => {
      const url = `${endpoint.url}/${encodeSegment('id', id)}`;
      const text = toJsonBody(bodies[kind](body));
      return exchange(api, { method, url, headers: api.writeFields, body: text }, options);
    };
    return callWith(send, toWriteOutcome);
  };

const remove = (endpoint: Endpoint, id: unknown, options: CallOptions = {}) => {
  const send = async () => {
    const url = `${endpoint.url}/${encodeSegment('id', id)}`;
    return exchange(endpoint.api, { method: 'DELETE', url, headers: endpoint.api.readFields }, options);
  };
  return callWith(send, toWriteOutcome);
};

const allowedMethods = ({ api, url }: Endpoint, id?: unknown, options: CallOptions = {}) => {
  const send = async () => {
    const target = id === undefined ? url : `${url}/${encodeSegment('id', id)}`;
    return exchange(api, { method: 'OPTIONS', url: target, headers: api.readFields }, options);
  };
  return callWith(send, toAllowedMethods);
};

type Operation = (endpoint: Endpoint, ...rest: never[]) => unknown;

const operations: Readonly<Record<keyof typeof operationMethods, Operation>> = {
  list,
  get,
  create,
  replace: write('PUT', 'replace'),
  update: write('PATCH', 'update'),
  delete: remove,
};

/** The operations that a collection declares, bound to its endpoint. */
const createCollectionClient = (endpoint: Endpoint, collection: Collection): object => {
  const bound: Record<string, unknown> = {
    allowedMethods: (id?: string | number, options?: CallOptions) => allowedMethods(endpoint, id, options),
  };
  for (const name of operationsOf(collection)) {
    const operation = operations[name];
    bound[name] = (...rest: never[]) => operation(endpoint, ...rest);
  }
  const { bulk } = collection.options;
  if (bulk !== undefined) {
    bound.createMany = async (items: readonly unknown[], options?: CallOptions) =>
      createMany(
        // A hole in a sparse array is an item too: `map` would skip it.
        Array.from(items, (item, index) => endpoint.bodies.create(item, String(index))),
        bulk,
        (body) => sendBulk(endpoint, body, options),
      );
  }
  if (operationsOf(collection).includes('list')) {
    bound.query = () =>
      createQueryBuilder({}, endpoint.rules, (query, options) => list(endpoint, query, options));
  }
  return Object.freeze(bound);
};

const createCollection = (api: Exchange, prefix: string, collection: Collection): unknown => {
  const { path, resource, options } = collection;
  const { sort, fields, expand, paging, params, bodies } = options;
  const shared = {
    api,
    rules: { resource, sort, fields, expand, paging, params },
    schemas: createSelectedSchemas(resource, operationsOf(collection).includes('get')),
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
    createCollection(exchange, prefix, collection),
  ]);
  // The types are computed from the same declaration that this loop walks.
  return Object.freeze(Object.fromEntries(entries)) as ApiClient<A>;
};
