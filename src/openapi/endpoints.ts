// The operations of declared endpoints, and of the actions of collections.
import { jsonType, versionPrefix } from '../conventions.ts';
import { itemPathOf } from '../families/family.ts';
import type { ApiDeclaration, Collection } from '../index.ts';
import { parse } from '../schema/codec.ts';
import { keyOf, parameterNamesOf, templateOf } from '../schema/collection.ts';
import { familyOf, pathOf, schemeNamesOf } from '../schema/define-api.ts';
import { type NamedEndpoint, successOf } from '../schema/endpoints-of.ts';
import { isResource } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { kindOf } from '../schema/zod.ts';
import type {
  JsonSchema,
  OpenApiOptions,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ResponseObject,
} from './document.ts';
import { wrapped } from './lists.ts';
import { bodyOf } from './name-schemas.ts';
import { type Claim, toPascalCase } from './names.ts';
import { createInQuery, inPath, ownParameters, repeatedNamesOf, selectionParameters } from './parameters.ts';
import { accepted, errorResponses, notModified } from './responses.ts';
import type { Schemas } from './schemas.ts';

interface Context {
  readonly api: ApiDeclaration;
  readonly schemas: Schemas;
  readonly options: OpenApiOptions;
  /** Gives an operationId that no other operation has. */
  readonly claimId: Claim;
}

type Content = NonNullable<ResponseObject['content']>;

const bytes: JsonSchema = { type: 'string', format: 'binary' };
const object: JsonSchema = { type: 'object' };

/** The schema of the body of a successful response. */
const responseSchemaOf = (endpoint: NamedEndpoint, { schemas, options }: Context): JsonSchema => {
  const { declared } = endpoint;
  const { response, as, fields } = declared.options;
  if (response === undefined) return as === 'text' ? { type: 'string' } : bytes;
  const whole = schemas.whole(response);
  // Of another response than a resource the body is not unwrapped.
  if (!isResource(response)) return whole;
  const isLimited = fields !== undefined && options.fullResponses !== true;
  const schema = isLimited ? { anyOf: [whole, schemas.resource(response, 'limited')] } : whole;
  return wrapped(itemPathOf(familyOf(endpoint), declared.method), schema);
};

const responsesOf = (endpoint: NamedEndpoint, context: Context): OperationObject['responses'] => {
  const { declared } = endpoint;
  const { status, type } = successOf(declared);
  const content =
    type === undefined ? undefined : { [type]: { schema: responseSchemaOf(endpoint, context) } };
  return {
    [status]: { description: 'Success.', ...(content && { content }) },
    ...(declared.options.accepts === true && { 202: accepted }),
    ...(declared.method === 'GET' && { 304: notModified }),
    ...errorResponses(declared.method, false, familyOf(context.api)),
  };
};

/** A form or a Blob, which are declared by their class: JSON Schema says nothing of it. */
const contentOfInstance = (body: Schema, contentType = '*/*'): Content => {
  if (parse(body, new Blob()).ok) return { [contentType]: { schema: bytes } };
  const isEncoded = parse(body, new URLSearchParams()).ok;
  return { [isEncoded ? 'application/x-www-form-urlencoded' : 'multipart/form-data']: { schema: object } };
};

const requestBodyOf = (endpoint: NamedEndpoint, { schemas }: Context): OperationObject['requestBody'] => {
  const body = bodyOf(endpoint);
  if (body === undefined) return undefined;
  const { contentType } = endpoint.declared.options;
  const content: Content =
    kindOf(body) === 'custom'
      ? contentOfInstance(body, contentType)
      : { [contentType ?? jsonType]: { schema: schemas.whole(body) } };
  return { required: body === endpoint.declared.options.body, content };
};

const queryOf = (endpoint: NamedEndpoint, { options }: Context): readonly ParameterObject[] => {
  const { query, repeated = [], fields, expand, response } = endpoint.declared.options;
  const { plainLists = false } = options;
  const family = familyOf(endpoint);
  const inQuery = createInQuery([...repeated, ...repeatedNamesOf(family)], plainLists);
  const selection = { ...(fields && { fields }), ...(expand && { expand }) };
  return [
    ...(response === undefined ? [] : selectionParameters(response, selection, family, inQuery, plainLists)),
    ...(query === undefined ? [] : ownParameters(query, inQuery)),
  ];
};

/** The path of an endpoint as a template, and its parameters. */
const placeOf = ({ path, declared, collection, idName }: NamedEndpoint, { api, schemas }: Context) => {
  const slash = (declared.options.trailingSlash ?? familyOf(api).trailingSlash) ? '/' : '';
  const above = collection === undefined ? undefined : (api.collections[collection] as Collection);
  const schemaOf = (name: string): JsonSchema =>
    above !== undefined && name === idName
      ? schemas.key(above.resource, keyOf(above))
      : { type: ['string', 'number'] };
  return {
    path: `/${pathOf(api, templateOf(path))}${slash}`,
    parameters: parameterNamesOf(path).map((name) => inPath(name, schemaOf(name))),
  };
};

/** Whether a name is the one that an import would give. */
const isCamelCase = (name: string): boolean => /^[a-z]+(?:[A-Z][a-z]+)*$/.test(name);

/** The path of an endpoint, and what stands there: its operation with its parameters. */
export const endpointPathOf = (
  endpoint: NamedEndpoint,
  context: Context,
): { readonly path: string; readonly item: PathItemObject } => {
  const { name, collection, declared } = endpoint;
  const { api, claimId } = context;
  const { path, parameters } = placeOf(endpoint, context);
  const query = queryOf(endpoint, context);
  const requestBody = requestBodyOf(endpoint, context);
  const usualId = collection === undefined ? name : `${collection}${toPascalCase(name)}`;
  const operationId = claimId(usualId);
  const isNameShown = operationId === usualId && isCamelCase(name);
  const operation: OperationObject = {
    operationId,
    ...(!isNameShown && { 'x-restkin-name': name }),
    summary: collection === undefined ? name : `${name} ${collection}`,
    tags: [`${api.name} ${versionPrefix}${api.version}: ${collection ?? 'endpoints'}`],
    security: schemeNamesOf(api).map((scheme) => ({ [scheme]: [] })),
    ...(query.length > 0 && { parameters: query }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, context),
  };
  const item: PathItemObject = {
    ...(parameters.length > 0 && { parameters }),
    [declared.method.toLowerCase()]: operation,
  };
  return { path, item };
};
