import { jsonType, type Method, type Operation, operationMethods, versionPrefix } from '../conventions.ts';
import { InvalidRequestError } from '../index.ts';
import { operationsOf } from '../schema/collection.ts';
import { fieldsOf } from '../schema/zod.ts';
import type {
  JsonSchema,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
} from './document.ts';
import type { Form } from './forms.ts';
import { type Names, toPascalCase, toSingular } from './names.ts';
import { conditionParameters, listParameters, pathParameters, selectionParameters } from './parameters.ts';
import {
  acceptedResponse,
  deprecationHeaders,
  errorResponses,
  headerReference,
  pagingHeaders,
  validatorHeaders,
} from './responses.ts';
import type { Place, Schemas } from './schemas.ts';
import { securityOf } from './security.ts';
import type { Declared } from './survey.ts';

/** What the paths of a document are made with. */
export interface Paths {
  readonly schemas: Schemas;
  readonly operationIds: Names;
  /** True for a major version that a newer one replaces (§9.4). */
  readonly isDeprecated: (declared: Declared) => boolean;
}

/** Names a collection in messages. */
export const describeCollection = ({ api, key }: Declared): string =>
  `API ${JSON.stringify(api.name)}: collection ${JSON.stringify(key)}`;

const placeOf = (declared: Declared): Place => ({
  collection: describeCollection(declared),
  path: '',
  owner: toPascalCase(toSingular(declared.key)),
  ancestors: [],
});

const json = (schema: JsonSchema) => ({ [jsonType]: { schema } });

type Body = 'create' | 'replace' | 'update';

/** The schema of a request body: the declaration's own, or the one that follows from the resource (§4.2). */
const bodySchema = (declared: Declared, operation: Body, { schemas }: Paths): JsonSchema => {
  const { resource, options } = declared.collection;
  const own = options.bodies?.[operation];
  const form: Form = operation === 'update' ? 'update' : 'body';
  if (own === undefined) return schemas.toWire(resource, form, placeOf(declared));
  const name = `${toPascalCase(declared.key)}${toPascalCase(operation)}Body`;
  schemas.nameBody(own, name);
  return schemas.toWire(own, 'body', { ...placeOf(declared), owner: name });
};

/** Where the requirements of fields are described (§2.3): for a person, and for an import. */
const requirements = ({ collection }: Declared) => {
  const references: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(collection.options.references ?? {}).flatMap(([path, url]) =>
      url === undefined ? [] : [[path, url]],
    ),
  );
  const lines = Object.entries(references).map(([path, url]) => `- \`${path}\`: ${url}`);
  if (lines.length === 0) return undefined;
  const description = ['Where the requirements of fields are described:', ...lines].join('\n');
  return { description, 'x-restkin-references': references };
};

const requestBody = (declared: Declared, operation: Body, paths: Paths): RequestBodyObject => {
  const schema = bodySchema(declared, operation, paths);
  const { bulk } = declared.collection.options;
  const isBulk = operation === 'create' && bulk !== undefined;
  const many = {
    type: 'array',
    items: schema,
    ...(bulk?.maxItems !== undefined && { maxItems: bulk.maxItems }),
  };
  return {
    ...requirements(declared),
    ...(isBulk && bulk.maxBytes !== undefined && { 'x-restkin-max-bytes': bulk.maxBytes }),
    required: true,
    content: json(isBulk ? { anyOf: [schema, many] } : schema),
  };
};

/** The schema of a resource in a response to a GET, which `fields` may limit. */
const itemSchema = (declared: Declared, { schemas }: Paths): JsonSchema => {
  const { resource, options } = declared.collection;
  const whole = schemas.toWire(resource, 'response', placeOf(declared));
  if (options.fields === undefined) return whole;
  return { anyOf: [whole, schemas.toWire(resource, 'limited', placeOf(declared))] };
};

const unchanged: ResponseObject = {
  description: 'The resource is unchanged since the client last fetched it (§7.1).',
  headers: validatorHeaders,
};

const success = (
  declared: Declared,
  operation: Operation,
  paths: Paths,
): Readonly<Record<string, ResponseObject>> => {
  const { resource, options } = declared.collection;
  switch (operation) {
    case 'list': {
      const { paging } = options;
      const headers = paging === undefined ? {} : pagingHeaders(paging === true || paging.totals !== false);
      const content = json({ type: 'array', items: itemSchema(declared, paths) });
      return {
        200: { description: 'The resources.', headers: { ...headers, ...validatorHeaders }, content },
        304: unchanged,
      };
    }
    case 'get': {
      const content = json(itemSchema(declared, paths));
      return { 200: { description: 'The resource.', headers: validatorHeaders, content }, 304: unchanged };
    }
    case 'create': {
      const one = paths.schemas.toWire(resource, 'response', placeOf(declared));
      const created = options.bulk === undefined ? one : { anyOf: [one, { type: 'array', items: one }] };
      const headers = { Location: headerReference('Location') };
      return {
        201: { description: 'The resource was created.', headers, content: json(created) },
        ...(options.accepts?.includes('create') === true && { 202: acceptedResponse }),
      };
    }
    default:
      return { 202: acceptedResponse, 204: { description: 'Done.' } };
  }
};

const summaries: Readonly<Record<Operation | 'options', string>> = {
  list: 'List the resources',
  get: 'Retrieve a resource',
  create: 'Create a resource',
  replace: 'Replace an entire resource',
  update: 'Update part of a resource',
  delete: 'Delete a resource',
  options: 'List the available methods',
};

const parametersOf = (
  declared: Declared,
  operation: Operation,
  { schemas }: Paths,
): readonly (ParameterObject | ReferenceObject)[] => {
  if (operation === 'get') return [...selectionParameters(declared.collection), ...conditionParameters];
  if (operation !== 'list') return [];
  return [...listParameters(declared.collection, schemas, placeOf(declared)), ...conditionParameters];
};

/** Adds to every success what a deprecated major sends along (§9.4). */
const withDeprecation = (responses: Readonly<Record<string, ResponseObject>>) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...deprecationHeaders } },
    ]),
  );

const makeOperation = (
  declared: Declared,
  name: Operation | 'options',
  paths: Paths,
  where = '',
): OperationObject => {
  const { api, key, collection } = declared;
  const method: Method = name === 'options' ? 'OPTIONS' : operationMethods[name];
  const isDeprecated = paths.isDeprecated(declared);
  const id = `${key}${toPascalCase(name)}${where}`;
  const parameters = name === 'options' ? [] : parametersOf(declared, name, paths);
  const successful =
    name === 'options'
      ? { 200: { description: 'The available methods.', headers: { Accept: headerReference('Accept') } } }
      : success(declared, name, paths);
  return {
    operationId: paths.operationIds.claim(id, `${id}V${api.version}`, `${api.name}V${api.version}${id}`),
    summary: summaries[name],
    tags: [tagOf(declared)],
    ...(isDeprecated && { deprecated: true }),
    security: securityOf(api),
    ...(parameters.length > 0 && { parameters }),
    ...((name === 'create' || name === 'replace' || name === 'update') && {
      requestBody: requestBody(declared, name, paths),
    }),
    responses: {
      ...(isDeprecated ? withDeprecation(successful) : successful),
      ...errorResponses(method, name === 'create' && collection.options.bulk !== undefined),
    },
  };
};

/** The tag of a collection's operations. */
export const tagOf = ({ api, key }: Declared): string => `${api.name} ${versionPrefix}${api.version}: ${key}`;

const idParameter = (declared: Declared, name: string, { schemas }: Paths): ParameterObject => {
  const { resource } = declared.collection;
  const id = fieldsOf(resource)?.id ?? resource;
  return {
    name,
    in: 'path',
    description: 'The `id` of the resource.',
    required: true,
    schema: schemas.toWire(id, 'response', { ...placeOf(declared), path: 'id' }),
  };
};

const pathItem = (
  declared: Declared,
  operations: readonly Operation[],
  parameters: readonly ParameterObject[],
  where: string,
  paths: Paths,
): PathItemObject => ({
  ...(parameters.length > 0 && { parameters }),
  ...Object.fromEntries(
    operations.map((name) => [operationMethods[name].toLowerCase(), makeOperation(declared, name, paths)]),
  ),
  options: makeOperation(declared, 'options', paths, where),
});

const ofCollection: readonly Operation[] = ['list', 'create'];
const ofOne: readonly Operation[] = ['get', 'replace', 'update', 'delete'];

/** The paths of one collection, each with its methods (§4.2). */
export const pathsOf = (declared: Declared, paths: Paths): readonly (readonly [string, PathItemObject])[] => {
  const { api, collection } = declared;
  const path = `/${versionPrefix}${api.version}/${collection.path.replace(/:(\w+)/g, '{$1}')}`;
  const parameters = pathParameters(collection.path);
  const id =
    ['id', 'itemId', 'resourceId'].find((name) => parameters.every((other) => other.name !== name)) ?? 'id';
  const has = (operation: Operation): boolean => operationsOf(collection).includes(operation);
  const here = ofCollection.filter(has);
  const below = ofOne.filter(has);
  return [
    ...(here.length === 0 ? [] : [[path, pathItem(declared, here, parameters, '', paths)] as const]),
    ...(below.length === 0
      ? []
      : [
          [
            `${path}/{${id}}`,
            pathItem(declared, below, [...parameters, idParameter(declared, id, paths)], 'OfOne', paths),
          ] as const,
        ]),
  ];
};

/** @throws {@link InvalidRequestError} for two paths that differ in the names of their parameters only */
export const refuseSamePath = (path: string, declared: Declared, taken: Map<string, Declared>): void => {
  const shape = path.replace(/\{\w+\}/g, '{}');
  const other = taken.get(shape);
  if (other !== undefined && other !== declared) {
    throw new InvalidRequestError(
      `${describeCollection(declared)}: its path ${path} is also one of ${describeCollection(other)}; a document has ` +
        'each path once',
    );
  }
  taken.set(shape, declared);
};
