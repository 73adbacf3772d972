import { jsonType, type Operation, operationMethods, versionPrefix } from '../conventions.ts';
import { itemPathOf } from '../families/family.ts';
import { differencesOf } from '../families/read-family.ts';
import type { ApiDeclaration, Collection } from '../index.ts';
import {
  idNameOf,
  keyOf,
  operationsOf,
  parameterNamesOf,
  suppliesTotals,
  templateOf,
} from '../schema/collection.ts';
import { familyOf, pathOf, schemeNamesOf } from '../schema/define-api.ts';
import type {
  JsonSchema,
  OpenApiOptions,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ResponseObject,
} from './document.ts';
import { listOf, pagingHeaders, wrapped } from './lists.ts';
import { toPascalCase } from './names.ts';
import { inPath, queryParameters } from './parameters.ts';
import { accepted, errorResponses, locationHeader, notModified } from './responses.ts';
import type { Schemas } from './schemas.ts';

/** A collection, with what its paths are made from. */
export interface Endpoint {
  readonly api: ApiDeclaration;
  readonly key: string;
  readonly collection: Collection;
  readonly schemas: Schemas;
  readonly options: OpenApiOptions;
}

const json = (schema: JsonSchema) => ({ [jsonType]: { schema } });

type RequestBody = NonNullable<OperationObject['requestBody']>;

/** The request body: the declaration's own, or the one that follows from the resource (§4.2). */
const requestBody = (
  { collection, schemas }: Endpoint,
  operation: 'create' | 'replace' | 'update',
): RequestBody => {
  const { resource, options } = collection;
  const { bodies, bulk, references } = options;
  const own = bodies?.[operation];
  const form = operation === 'update' ? 'update' : 'body';
  const one = own === undefined ? schemas.resource(resource, form) : schemas.ownBody(own);
  const hasReferences = Object.values(references ?? {}).length > 0;
  const about = hasReferences && { 'x-restkin-references': references ?? {} };
  const contentOf = (body: JsonSchema) => json(wrapped(familyOf(collection).body, body));
  if (operation !== 'create' || bulk === undefined)
    return { ...about, required: true, content: contentOf(one) };
  const { maxItems, maxBytes } = bulk;
  const many = { type: 'array', items: one, ...(maxItems !== undefined && { maxItems }) };
  return {
    ...about,
    ...(maxBytes !== undefined && { 'x-restkin-max-bytes': maxBytes }),
    required: true,
    content: contentOf({ anyOf: [one, many] }),
  };
};

type Responses = Readonly<Record<string, ResponseObject>>;

/** The responses to a GET of resources, which `fields` may limit. */
const found = ({ collection, schemas, options }: Endpoint, isList: boolean): Responses => {
  const { fields, paging } = collection.options;
  const whole = schemas.resource(collection.resource);
  const isLimited = fields !== undefined && options.fullResponses !== true;
  const one = isLimited ? { anyOf: [whole, schemas.resource(collection.resource, 'limited')] } : whole;
  const family = familyOf(collection);
  if (!isList)
    return {
      200: { description: 'Success.', content: json(wrapped(itemPathOf(family, 'GET'), one)) },
      304: notModified,
    };
  const pages = paging && { hasTotals: suppliesTotals(paging) };
  const headers = pages === undefined ? {} : pagingHeaders(pages.hasTotals, family);
  const hasHeaders = Object.keys(headers).length > 0;
  const content = json(listOf(one, pages, family));
  return {
    200: { description: 'Success.', ...(hasHeaders && { headers }), content },
    304: notModified,
  };
};

const created = ({ collection, schemas }: Endpoint): Responses => {
  const { resource, options } = collection;
  const family = familyOf(collection);
  const one = schemas.resource(resource);
  const body = options.bulk === undefined ? one : { anyOf: [one, { type: 'array', items: one }] };
  const response: ResponseObject = {
    description: 'The resource was created.',
    ...(family.identity.length > 1 && { headers: locationHeader }),
    content: json(wrapped(itemPathOf(family, 'POST'), body)),
  };
  return {
    ...Object.fromEntries(family.created.map((status) => [status, response])),
    ...(options.accepts?.includes('create') === true && { 202: accepted }),
  };
};

const done: Responses = { 202: accepted, 204: { description: 'Done.' } };

/** The responses to PUT and PATCH. */
const changed = ({ collection, schemas }: Endpoint): Responses => {
  const family = familyOf(collection);
  if (family.written === 'nothing') return done;
  const content = json(wrapped(itemPathOf(family, 'PUT'), schemas.resource(collection.resource)));
  return { 200: { description: 'The resource was changed.', content } };
};

/** What each operation responds with when it succeeds (§4.2). */
const successOf: Readonly<Record<Operation, (endpoint: Endpoint) => Responses>> = {
  list: (endpoint) => found(endpoint, true),
  get: (endpoint) => found(endpoint, false),
  create: created,
  replace: changed,
  update: changed,
  delete: () => done,
};

const operationIdOf = (key: string, name: Operation): string => `${key}${toPascalCase(name)}`;

/** The operationIds of the operations of a collection. */
export const operationIdsOf = ([key, collection]: readonly [string, Collection]): readonly string[] =>
  operationsOf(collection).map((name) => operationIdOf(key, name));

const makeOperation = (endpoint: Endpoint, name: Operation): OperationObject => {
  const { api, key, collection, options } = endpoint;
  const isRead = name === 'list' || name === 'get';
  const isList = name === 'list';
  const family = familyOf(collection);
  const parameters = isRead ? queryParameters(collection, isList, family, options.plainLists) : [];
  const isBulk = name === 'create' && collection.options.bulk !== undefined;
  return {
    operationId: operationIdOf(key, name),
    summary: `${name} ${key}`,
    tags: [`${api.name} ${versionPrefix}${api.version}: ${key}`],
    security: schemeNamesOf(api).map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(!isRead && name !== 'delete' && { requestBody: requestBody(endpoint, name) }),
    responses: { ...successOf[name](endpoint), ...errorResponses(operationMethods[name], isBulk, family) },
  };
};

/** The paths of one collection, each with its methods (§4.2). */
export const pathsOf = (endpoint: Endpoint): Readonly<Record<string, PathItemObject>> => {
  const { api, collection, schemas } = endpoint;
  const path = `/${pathOf(api, templateOf(collection.path))}`;
  const family = familyOf(collection);
  const { trailingSlash } = family;
  const { trailingSlash: isSlashed = trailingSlash } = collection.options;
  const names = parameterNamesOf(collection.path);
  const above = names.map((name) => inPath(name, { type: ['string', 'number'] }));
  const key = keyOf(collection);
  const id = idNameOf(collection.path, key);
  const ofOne = inPath(id, schemas.key(collection.resource, key));
  const differences = differencesOf(family, familyOf(api));
  const itemAt = (at: string, parameters: readonly ParameterObject[], operations: readonly Operation[]) => {
    const own = operations.filter((name) => operationsOf(collection).includes(name));
    const methods = own.map((name) => [operationMethods[name].toLowerCase(), makeOperation(endpoint, name)]);
    const item: PathItemObject = {
      ...(Object.keys(differences).length > 0 && { 'x-restkin-family': differences }),
      ...(key !== 'id' && { 'x-restkin-key': key }),
      ...(parameters.length > 0 && { parameters }),
      ...Object.fromEntries(methods),
    };
    return own.length > 0 && { [at]: item };
  };
  return {
    ...itemAt(isSlashed ? `${path}/` : path, above, ['list', 'create']),
    ...itemAt(
      `${path}/{${id}}${trailingSlash ? '/' : ''}`,
      [...above, ofOne],
      ['get', 'replace', 'update', 'delete'],
    ),
  };
};
