import { jsonType, type Operation, operationMethods, versionPrefix } from '../conventions.ts';
import { operationsOf } from '../schema/collection.ts';
import type {
  JsonSchema,
  OpenApiOptions,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ReferenceObject,
  ResponseObject,
} from './document.ts';
import { type Claim, toPascalCase } from './names.ts';
import { conditionParameters, pathParameters, queryParameters } from './parameters.ts';
import { errorResponses, pagingHeaders, referTo } from './responses.ts';
import type { Schemas } from './schemas.ts';
import { securityOf } from './security.ts';
import type { Declared } from './survey.ts';

/** A collection, with what its paths are made from. */
export interface Endpoint extends Declared {
  readonly schemas: Schemas;
  readonly options: Pick<OpenApiOptions, 'plainLists' | 'fullResponses'>;
  readonly claimOperationId: Claim;
  /** True for a major version that a newer one replaces (§9.4). */
  readonly isDeprecated: boolean;
}

export const tagOf = ({ api, key }: Declared): string => `${api.name} ${versionPrefix}${api.version}: ${key}`;

const json = (schema: JsonSchema) => ({ [jsonType]: { schema } });

type Body = 'create' | 'replace' | 'update';

/** The request body: the declaration's own, or the one that follows from the resource (§4.2). */
const requestBody = (
  { collection, schemas }: Endpoint,
  operation: Body,
): NonNullable<OperationObject['requestBody']> => {
  const { bodies, bulk, references } = collection.options;
  const own = bodies?.[operation];
  const form = operation === 'update' ? 'update' : 'body';
  const one = own === undefined ? schemas.resource(collection.resource, form) : schemas.ownBody(own);
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

/** The schema of a resource in a response to a GET, which `fields` may limit. */
const itemSchema = ({ collection, schemas, options }: Endpoint): JsonSchema => {
  const { resource } = collection;
  const whole = schemas.resource(resource);
  const isLimited = collection.options.fields !== undefined && options.fullResponses !== true;
  return isLimited ? { anyOf: [whole, schemas.resource(resource, 'limited')] } : whole;
};

const parametersOf = ({ collection, schemas, options }: Endpoint, isList: boolean) =>
  queryParameters(collection, isList, schemas, options.plainLists === true);

const unchanged: ResponseObject = { description: 'Unchanged since the client last fetched it (§7.1).' };

const accepted: ResponseObject = { description: 'Valid, and processed asynchronously (§4.2).' };

/** The parts of an operation that differ between operations. */
interface OperationRule {
  readonly summary: string;
  readonly parameters?: (endpoint: Endpoint) => readonly (ParameterObject | ReferenceObject)[];
  readonly success: (endpoint: Endpoint) => Readonly<Record<string, ResponseObject>>;
  readonly body?: Body;
}

const done: OperationRule['success'] = () => ({ 202: accepted, 204: { description: 'Done.' } });

const operationRules: Readonly<Record<Operation | 'options', OperationRule>> = {
  list: {
    summary: 'List the resources',
    parameters: (endpoint) => [...parametersOf(endpoint, true), ...conditionParameters],
    success: (endpoint) => {
      const { paging } = endpoint.collection.options;
      const ofPage = paging && pagingHeaders(paging === true || paging.totals !== false);
      const content = json({ type: 'array', items: itemSchema(endpoint) });
      const found = { description: 'The resources.', ...(ofPage && { headers: ofPage }), content };
      return { 200: found, 304: unchanged };
    },
  },
  get: {
    summary: 'Retrieve a resource',
    parameters: (endpoint) => [...parametersOf(endpoint, false), ...conditionParameters],
    success: (endpoint) => ({
      200: { description: 'The resource.', content: json(itemSchema(endpoint)) },
      304: unchanged,
    }),
  },
  create: {
    summary: 'Create a resource',
    body: 'create',
    success: ({ collection: { resource, options }, schemas }) => {
      const one = schemas.resource(resource);
      const created = options.bulk === undefined ? one : { anyOf: [one, { type: 'array', items: one }] };
      const headers = referTo('Location');
      return {
        201: { description: 'The resource was created.', headers, content: json(created) },
        ...(options.accepts?.includes('create') === true && { 202: accepted }),
      };
    },
  },
  replace: { summary: 'Replace an entire resource', body: 'replace', success: done },
  update: { summary: 'Update part of a resource', body: 'update', success: done },
  delete: { summary: 'Delete a resource', success: done },
  options: {
    summary: 'List the available methods',
    success: () => ({ 200: { description: 'The available methods.', headers: referTo('Accept') } }),
  },
};

const makeOperation = (endpoint: Endpoint, name: Operation | 'options', where = ''): OperationObject => {
  const { api, key, collection, claimOperationId, isDeprecated } = endpoint;
  const { summary, body, ...rule } = operationRules[name];
  const id = `${key}${toPascalCase(name)}${where}`;
  const parameters = rule.parameters?.(endpoint) ?? [];
  const isBulk = name === 'create' && collection.options.bulk !== undefined;
  return {
    operationId: claimOperationId(id, `${id}V${api.version}`, `${api.name}V${api.version}${id}`),
    summary,
    tags: [tagOf(endpoint)],
    ...(isDeprecated && { deprecated: true }),
    security: securityOf(api),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(endpoint, body) }),
    responses: {
      ...rule.success(endpoint),
      ...errorResponses(name === 'options' ? 'OPTIONS' : operationMethods[name], isBulk),
    },
  };
};

const ofCollection: readonly Operation[] = ['list', 'create'];
const ofOne: readonly Operation[] = ['get', 'replace', 'update', 'delete'];

/** The paths of one collection, each with its methods (§4.2). */
export const pathsOf = (endpoint: Endpoint): Readonly<Record<string, PathItemObject>> => {
  const { api, collection, schemas } = endpoint;
  const path = `/${versionPrefix}${api.version}/${collection.path.replace(/:(\w+)/g, '{$1}')}`;
  const above = pathParameters(collection.path);
  const id =
    ['id', 'itemId', 'resourceId'].find((name) => above.every((other) => other.name !== name)) ?? 'id';
  const idParameter: ParameterObject = {
    name: id,
    in: 'path',
    description: 'The `id` of the resource.',
    required: true,
    schema: schemas.id(collection.resource),
  };
  const itemAt = (at: string, operations: readonly Operation[]): Record<string, PathItemObject> => {
    const own = operations.filter((name) => operationsOf(collection).includes(name));
    if (own.length === 0) return {};
    const parameters = operations === ofOne ? [...above, idParameter] : above;
    const methods = own.map((name) => [operationMethods[name].toLowerCase(), makeOperation(endpoint, name)]);
    return {
      [at]: {
        ...(parameters.length > 0 && { parameters }),
        ...Object.fromEntries(methods),
        options: makeOperation(endpoint, 'options', operations === ofOne ? 'OfOne' : ''),
      },
    };
  };
  return { ...itemAt(path, ofCollection), ...itemAt(`${path}/{${id}}`, ofOne) };
};
