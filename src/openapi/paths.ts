import { jsonType, type Operation, operationMethods, versionPrefix } from '../conventions.ts';
import { operationsOf } from '../schema/collection.ts';
import { fieldOf } from '../schema/zod.ts';
import type {
  JsonSchema,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
} from './document.ts';
import { type Claim, toPascalCase, toSingular } from './names.ts';
import { conditionParameters, listParameters, pathParameters, selectionParameters } from './parameters.ts';
import {
  acceptedResponse,
  deprecationHeaders,
  errorResponses,
  pagingHeaders,
  referTo,
  validatorHeaders,
} from './responses.ts';
import type { Place, Schemas } from './schemas.ts';
import { securityOf } from './security.ts';
import type { Declared } from './survey.ts';

/** A collection, with what its paths are made from. */
export interface Endpoint extends Declared {
  readonly place: Place;
  readonly schemas: Schemas;
  readonly claimOperationId: Claim;
  /** True for a major version that a newer one replaces (§9.4). */
  readonly isDeprecated: boolean;
}

export const tagOf = ({ api, key }: Declared): string => `${api.name} ${versionPrefix}${api.version}: ${key}`;

export const placeOf = ({ api, key }: Declared): Place => ({
  collection: `API ${JSON.stringify(api.name)}: collection ${JSON.stringify(key)}`,
  path: '',
  owner: toPascalCase(toSingular(key)),
  ancestors: [],
});

const json = (schema: JsonSchema) => ({ [jsonType]: { schema } });

type Body = 'create' | 'replace' | 'update';

/** The schema of a request body: the declaration's own, or the one that follows from the resource (§4.2). */
const bodySchema = ({ key, collection, schemas, place }: Endpoint, operation: Body): JsonSchema => {
  const own = collection.options.bodies?.[operation];
  if (own === undefined)
    return schemas.toWire(collection.resource, operation === 'update' ? 'update' : 'body', place);
  const owner = `${toPascalCase(key)}${toPascalCase(operation)}Body`;
  schemas.nameBody(own, owner);
  return schemas.toWire(own, 'body', { ...place, owner });
};

/** Where the requirements of fields are described (§2.3): for a person, and for an import. */
const requirements = ({ collection }: Declared) => {
  const given = Object.entries(collection.options.references ?? {});
  const references = given.filter((one): one is [string, string] => one[1] !== undefined);
  if (references.length === 0) return undefined;
  const lines = references.map(([path, url]) => `- \`${path}\`: ${url}`);
  const description = ['Where the requirements of fields are described:', ...lines].join('\n');
  return { description, 'x-restkin-references': Object.fromEntries(references) };
};

const requestBody = (endpoint: Endpoint, operation: Body): RequestBodyObject => {
  const one = bodySchema(endpoint, operation);
  const { bulk } = endpoint.collection.options;
  const about = requirements(endpoint);
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
const itemSchema = ({ collection, schemas, place }: Endpoint): JsonSchema => {
  const { resource, options } = collection;
  const whole = schemas.toWire(resource, 'response', place);
  return options.fields === undefined
    ? whole
    : { anyOf: [whole, schemas.toWire(resource, 'limited', place)] };
};

const unchanged: ResponseObject = {
  description: 'The resource is unchanged since the client last fetched it (§7.1).',
  headers: validatorHeaders,
};

/** The parts of an operation that differ between operations. */
interface OperationRule {
  readonly summary: string;
  readonly parameters?: (endpoint: Endpoint) => readonly (ParameterObject | ReferenceObject)[];
  readonly success: (endpoint: Endpoint) => Readonly<Record<string, ResponseObject>>;
  readonly body?: Body;
}

const done: OperationRule['success'] = () => ({ 202: acceptedResponse, 204: { description: 'Done.' } });

const operationRules: Readonly<Record<Operation | 'options', OperationRule>> = {
  list: {
    summary: 'List the resources',
    parameters: (endpoint) => [
      ...listParameters(endpoint.collection, endpoint.schemas, endpoint.place),
      ...conditionParameters,
    ],
    success: (endpoint) => {
      const { paging } = endpoint.collection.options;
      const ofPage = paging && pagingHeaders(paging === true || paging.totals !== false);
      const headers = { ...ofPage, ...validatorHeaders };
      const content = json({ type: 'array', items: itemSchema(endpoint) });
      return { 200: { description: 'The resources.', headers, content }, 304: unchanged };
    },
  },
  get: {
    summary: 'Retrieve a resource',
    parameters: ({ collection }) => [...selectionParameters(collection), ...conditionParameters],
    success: (endpoint) => {
      const content = json(itemSchema(endpoint));
      return { 200: { description: 'The resource.', headers: validatorHeaders, content }, 304: unchanged };
    },
  },
  create: {
    summary: 'Create a resource',
    body: 'create',
    success: ({ collection: { resource, options }, schemas, place }) => {
      const one = schemas.toWire(resource, 'response', place);
      const created = options.bulk === undefined ? one : { anyOf: [one, { type: 'array', items: one }] };
      const headers = referTo('Location');
      return {
        201: { description: 'The resource was created.', headers, content: json(created) },
        ...(options.accepts?.includes('create') === true && { 202: acceptedResponse }),
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

/** Adds the header fields of a deprecated major to every successful response (§9.4). */
const withDeprecation = (responses: Readonly<Record<string, ResponseObject>>) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...deprecationHeaders } },
    ]),
  );

const makeOperation = (endpoint: Endpoint, name: Operation | 'options', where = ''): OperationObject => {
  const { api, key, collection, claimOperationId, isDeprecated } = endpoint;
  const { summary, body, ...rule } = operationRules[name];
  const id = `${key}${toPascalCase(name)}${where}`;
  const parameters = rule.parameters?.(endpoint) ?? [];
  const successful = rule.success(endpoint);
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
      ...(isDeprecated ? withDeprecation(successful) : successful),
      ...errorResponses(name === 'options' ? 'OPTIONS' : operationMethods[name], isBulk),
    },
  };
};

const idParameter = (
  { collection: { resource }, schemas, place }: Endpoint,
  name: string,
): ParameterObject => {
  const id = fieldOf(resource, 'id') ?? resource;
  return {
    name,
    in: 'path',
    description: 'The `id` of the resource.',
    required: true,
    schema: schemas.toWire(id, 'response', { ...place, path: 'id' }),
  };
};

const ofCollection: readonly Operation[] = ['list', 'create'];
const ofOne: readonly Operation[] = ['get', 'replace', 'update', 'delete'];

/** The paths of one collection, each with its methods (§4.2). */
export const pathsOf = (endpoint: Endpoint): Readonly<Record<string, PathItemObject>> => {
  const { api, collection } = endpoint;
  const path = `/${versionPrefix}${api.version}/${collection.path.replace(/:(\w+)/g, '{$1}')}`;
  const above = pathParameters(collection.path);
  const id =
    ['id', 'itemId', 'resourceId'].find((name) => above.every((other) => other.name !== name)) ?? 'id';
  const declared = operationsOf(collection);
  const itemAt = (at: string, operations: readonly Operation[]): Record<string, PathItemObject> => {
    const own = operations.filter((name) => declared.includes(name));
    if (own.length === 0) return {};
    const parameters = operations === ofOne ? [...above, idParameter(endpoint, id)] : above;
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
