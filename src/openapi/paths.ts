import { jsonType, type Operation, operationMethods, versionPrefix } from '../conventions.ts';
import type { ApiDeclaration, Collection } from '../index.ts';
import { operationsOf, parameterNamesOf } from '../schema/collection.ts';
import { schemeNamesOf } from '../schema/define-api.ts';
import type {
  JsonSchema,
  OpenApiOptions,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ResponseObject,
} from './document.ts';
import { toPascalCase } from './names.ts';
import { inPath, queryParameters } from './parameters.ts';
import { accepted, errorResponses, locationHeader, notModified, pagingHeaders } from './responses.ts';
import { idNameOf, type Schemas } from './schemas.ts';

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
  { collection: { resource, options }, schemas }: Endpoint,
  operation: 'create' | 'replace' | 'update',
): RequestBody => {
  const { bodies, bulk, references } = options;
  const own = bodies?.[operation];
  const form = operation === 'update' ? 'update' : 'body';
  const one = own === undefined ? schemas.resource(resource, form) : schemas.ownBody(own);
  const hasReferences = Object.values(references ?? {}).length > 0;
  const about = hasReferences && { 'x-restkin-references': references ?? {} };
  if (operation !== 'create' || bulk === undefined) return { ...about, required: true, content: json(one) };
  const { maxItems, maxBytes } = bulk;
  const many = { type: 'array', items: one, ...(maxItems !== undefined && { maxItems }) };
  return {
    ...about,
    ...(maxBytes !== undefined && { 'x-restkin-max-bytes': maxBytes }),
    required: true,
    content: json({ anyOf: [one, many] }),
  };
};

type Responses = Readonly<Record<string, ResponseObject>>;

/** The responses to a GET of resources, which `fields` may limit. */
const found = ({ collection, schemas, options }: Endpoint, isList: boolean): Responses => {
  const { fields, paging } = collection.options;
  const whole = schemas.resource(collection.resource);
  const isLimited = fields !== undefined && options.fullResponses !== true;
  const one = isLimited ? { anyOf: [whole, schemas.resource(collection.resource, 'limited')] } : whole;
  const ofPage = isList && paging && pagingHeaders(paging === true || paging.totals !== false);
  const content = json(isList ? { type: 'array', items: one } : one);
  return {
    200: { description: 'Success.', ...(ofPage && { headers: ofPage }), content },
    304: notModified,
  };
};

const created = ({ collection: { resource, options }, schemas }: Endpoint): Responses => {
  const one = schemas.resource(resource);
  const body = options.bulk === undefined ? one : { anyOf: [one, { type: 'array', items: one }] };
  return {
    201: { description: 'The resource was created.', headers: locationHeader, content: json(body) },
    ...(options.accepts?.includes('create') === true && { 202: accepted }),
  };
};

const done = { 202: accepted, 204: { description: 'Done.' } };

const makeOperation = (endpoint: Endpoint, name: Operation): OperationObject => {
  const { api, key, collection, options } = endpoint;
  const isRead = name === 'list' || name === 'get';
  const isList = name === 'list';
  const parameters = isRead ? queryParameters(collection, isList, options.plainLists) : [];
  const isBulk = name === 'create' && collection.options.bulk !== undefined;
  const success = isRead ? found(endpoint, isList) : name === 'create' ? created(endpoint) : done;
  return {
    operationId: `${key}${toPascalCase(name)}`,
    summary: `${name} ${key}`,
    tags: [`${api.name} ${versionPrefix}${api.version}: ${key}`],
    security: schemeNamesOf(api).map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(!isRead && name !== 'delete' && { requestBody: requestBody(endpoint, name) }),
    responses: { ...success, ...errorResponses(operationMethods[name], isBulk) },
  };
};

/** The paths of one collection, each with its methods (§4.2). */
export const pathsOf = (endpoint: Endpoint): Readonly<Record<string, PathItemObject>> => {
  const { api, collection, schemas } = endpoint;
  const path = `/${versionPrefix}${api.version}/${collection.path.replace(/:(\w+)/g, '{$1}')}`;
  const names = parameterNamesOf(collection.path);
  const above = names.map((name) => inPath(name, { type: ['string', 'number'] }));
  const id = idNameOf(collection.path);
  const ofOne = inPath(id, schemas.id(collection.resource));
  const itemAt = (at: string, parameters: readonly ParameterObject[], operations: readonly Operation[]) => {
    const own = operations.filter((name) => operationsOf(collection).includes(name));
    const methods = own.map((name) => [operationMethods[name].toLowerCase(), makeOperation(endpoint, name)]);
    const item: PathItemObject = {
      ...(parameters.length > 0 && { parameters }),
      ...Object.fromEntries(methods),
    };
    return own.length > 0 && { [at]: item };
  };
  return {
    ...itemAt(path, above, ['list', 'create']),
    ...itemAt(`${path}/{${id}}`, [...above, ofOne], ['get', 'replace', 'update', 'delete']),
  };
};
