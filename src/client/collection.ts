import type { Operation } from '../conventions.ts';
import { conventionsWire } from '../families/conventions-wire.ts';
import { basePathOf } from '../families/family.ts';
import { formatPath } from '../http/url.ts';
import { isPlain } from '../options.ts';
import { checkQuery, formatQuery, type Query, type QueryRules, withCheckedParams } from '../query/query.ts';
import { encoderOf } from '../schema/codec.ts';
import { type Collection, keyOf, operationsOf, templateOf } from '../schema/collection.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import { type Selection, selectedSchemasOf } from '../schema/select.ts';
import type { ApiContext } from './context.ts';
import type { BindEndpoints, EndpointPlace } from './endpoint.ts';
import type { ItemList, ListOptions } from './item-list.ts';
import { list } from './list.ts';
import {
  allowedMethods,
  type CollectionEndpoint,
  create,
  createMany,
  read,
  remove,
  write,
} from './operations.ts';
import type { ApiClient } from './types/collection.ts';

/**
 * Builds a query as an object. Each step returns a new builder; only those that the collection declares are
 * available.
 */
const createQueryBuilder = (
  query: Query,
  rules: QueryRules,
  run: (request: Query & ListOptions) => ItemList<unknown>,
): object => {
  checkQuery(query, rules);
  const step =
    <K extends keyof Query>(name: K) =>
    (given: Query[K]): object =>
      createQueryBuilder({ ...query, [name]: given }, rules, run);
  return Object.freeze({
    value: query,
    toString: () => formatQuery(withCheckedParams(rules, query), rules, true),
    list: (options?: ListOptions) => run({ ...options, ...query }),
    ...(rules.sort && { sort: (...given: readonly string[]) => step('sort')(given.flat()) }),
    ...(rules.fields && { fields: (...given: readonly string[]) => step('fields')(given.flat()) }),
    ...(rules.expand && { expand: (...given: readonly string[]) => step('expand')(given.flat()) }),
    ...(rules.paging && { page: step('page'), perPage: step('perPage') }),
    // The caller may change its object. Anything that is not plain is refused when the query is sent.
    ...(rules.params && {
      params: (given: Query['params']) => step('params')(isPlain(given) ? { ...given } : given),
    }),
  });
};

/** The methods that each declared operation adds to a collection, for an endpoint. */
const methodsOf: Readonly<
  Record<Operation, Readonly<Record<string, (endpoint: CollectionEndpoint) => unknown>>>
> = {
  list: { list, query: (endpoint) => () => createQueryBuilder({}, endpoint.rules, list(endpoint)) },
  get: { get: read('get'), find: read('find') },
  create: { create },
  replace: { replace: write('PUT', 'replace') },
  update: { update: write('PATCH', 'update') },
  delete: { delete: remove },
};

/** The functions of endpoints, by the code that came with them: it alone knows what they take. */
const functionsOf = (place: EndpointPlace, endpoints: ApiDeclaration['endpoints'] = {}) => {
  const [any] = Object.values(endpoints);
  return any && (any.code.bind as BindEndpoints)(place, endpoints);
};

/** The operations that a collection declares, bound to its endpoint, and its actions. */
const createCollectionClient = (endpoint: CollectionEndpoint, collection: Collection): object => {
  const methods = operationsOf(collection).flatMap((operation) => Object.entries(methodsOf[operation]));
  return Object.freeze({
    allowedMethods: allowedMethods(endpoint),
    ...(collection.options.bulk && { createMany: createMany(endpoint) }),
    ...Object.fromEntries(methods.map(([name, method]) => [name, method(endpoint)])),
    ...functionsOf({ ...endpoint, collection: endpoint.name }, collection.options.actions),
  });
};

const createCollection = (context: ApiContext, basePath: string, name: string, collection: Collection) => {
  const { path, resource, options, wire = conventionsWire } = collection;
  const api = { ...context, wire };
  const { bodies } = options;
  const schemasOf = selectedSchemasOf(resource);
  const isFetchable = operationsOf(collection).includes('get');
  const shared = {
    name,
    api,
    template: `${basePath}/${templateOf(path)}`,
    rules: { ...options, name: JSON.stringify(name), resource, wire: api.wire },
    key: keyOf(collection),
    schemas: (selection: Selection) => schemasOf(selection, isFetchable),
    maxItems: options.bulk?.maxItems ?? Infinity,
    isSlashed: options.trailingSlash ?? api.wire.family.trailingSlash,
    mayAccept: options.accepts?.includes('create') ?? false,
    bodies: {
      create: encoderOf(bodies?.create ?? resource),
      replace: encoderOf(bodies?.replace ?? resource),
      update: encoderOf(bodies?.update ?? resource),
    },
  };
  // A program in JavaScript may pass null. Its error names the parameter that is missing.
  const at = (parameters: unknown): object => {
    const url = `${api.base.href}${basePath}/${formatPath(path, Object(parameters), `${shared.rules.name}: `)}`;
    return createCollectionClient({ ...shared, url }, collection);
  };
  return path.includes(':') ? at : at({});
};

/** The collections and the endpoints of an API, below `/v<major>/` (§9) or the path of its family. */
export const createApiClient = <A extends ApiDeclaration>(api: A, context: ApiContext): ApiClient<A> => {
  const basePath = basePathOf(context.wire.family, api.version);
  const entries = Object.entries(api.collections).map(([name, collection]) => [
    name,
    createCollection(context, basePath, name, collection),
  ]);
  const place = { api: context, url: context.base.href + basePath, template: basePath };
  const all = { ...Object.fromEntries(entries), ...functionsOf(place, api.endpoints) };
  // The types are computed from the same declaration that this walks.
  return Object.freeze(all) as ApiClient<A>;
};
