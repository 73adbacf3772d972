// The operations of declared endpoints, and of the actions of collections.
import { jsonType, versionPrefix } from '../conventions.ts';
import type { ApiDeclaration, Collection } from '../index.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import { familyOf, pathOf, schemeNamesOf } from '../schema/define-api.ts';
import type { NamedEndpoint } from '../schema/endpoints-of.ts';
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
import { toPascalCase } from './names.ts';
import { createInQuery, inPath, ownParameters, repeatedNamesOf, selectionParameters } from './parameters.ts';
import { accepted, errorResponses, notModified } from './responses.ts';
import { idNameOf, type Schemas } from './schemas.ts';

interface Context {
  readonly api: ApiDeclaration;
  readonly schemas: Schemas;
  readonly options: OpenApiOptions;
}

type Content = NonNullable<ResponseObject['content']>;

const bytes: JsonSchema = { type: 'string', format: 'binary' };

/** The first type of an `Accept` header field, without its parameters. */
const mediaTypeOf = (accept: string | undefined): string | undefined => {
  const [type = ''] = accept?.split(/[,;]/, 1) ?? [];
  return type.trim() || undefined;
};

const responseContent = (
  { declared }: NamedEndpoint,
  { api, schemas, options }: Context,
): Content | undefined => {
  const { response, as, accept, fields } = declared.options;
  if (as === 'text') return { [mediaTypeOf(accept) ?? 'text/plain']: { schema: { type: 'string' } } };
  if (as !== undefined) return { [mediaTypeOf(accept) ?? 'application/octet-stream']: { schema: bytes } };
  if (response === undefined) return undefined;
  const whole = schemas.whole(response);
  const isLimited = fields !== undefined && options.fullResponses !== true && isResource(response);
  const schema = isLimited ? { anyOf: [whole, schemas.resource(response, 'limited')] } : whole;
  // Of another response the body is not unwrapped.
  const content = isResource(response) ? wrapped(familyOf(api).item, schema) : schema;
  return { [mediaTypeOf(accept) ?? jsonType]: { schema: content } };
};

/** The responses of an endpoint (§4.2). A client takes every 2xx for a success. */
const responsesOf = (endpoint: NamedEndpoint, context: Context): OperationObject['responses'] => {
  const { method, options } = endpoint.declared;
  const content = responseContent(endpoint, context);
  const success: ResponseObject = { description: 'Success.', ...(content && { content }) };
  const withContent = method === 'POST' && options.response !== undefined ? 201 : 200;
  return {
    [content === undefined ? 204 : withContent]: success,
    ...(options.accepts === true && { 202: accepted }),
    ...(method === 'GET' && { 304: notModified }),
    ...errorResponses(method, false, familyOf(context.api)),
  };
};

/** A form is declared by its class, of which JSON Schema says nothing. */
const requestBodyOf = (body: Schema, { schemas }: Context): NonNullable<OperationObject['requestBody']> => {
  const isForm = kindOf(body) === 'custom';
  const content: Content = isForm
    ? { 'multipart/form-data': { schema: { type: 'object' } } }
    : { [jsonType]: { schema: schemas.whole(body) } };
  return { ...(body._zod.optin === undefined && { required: true }), content };
};

const queryOf = ({ declared }: NamedEndpoint, { api, options }: Context): readonly ParameterObject[] => {
  const { query, repeated = [], fields, expand } = declared.options;
  const { plainLists = false } = options;
  const family = familyOf(api);
  const inQuery = createInQuery([...repeated, ...repeatedNamesOf(family)], plainLists);
  return [
    ...selectionParameters(
      { ...(fields && { fields }), ...(expand && { expand }) },
      family,
      inQuery,
      plainLists,
    ),
    ...(query === undefined ? [] : ownParameters(query, inQuery)),
  ];
};

/** The path of an endpoint as a template, and its parameters. */
const placeOf = ({ path, declared, collection: key }: NamedEndpoint, { api, schemas }: Context) => {
  const slash = familyOf(api).trailingSlash ? '/' : '';
  const toTemplate = (text: string): string => text.replace(/:(\w+)/g, '{$1}');
  const toParameters = (text: string): readonly ParameterObject[] =>
    parameterNamesOf(text).map((name) => inPath(name, { type: ['string', 'number'] }));
  if (key === undefined)
    return { path: `/${pathOf(api, toTemplate(path))}${slash}`, parameters: toParameters(path) };
  const collection = api.collections[key] as Collection;
  const id = idNameOf(`${collection.path}/${declared.path}`);
  return {
    path: `/${pathOf(api, `${toTemplate(collection.path)}/{${id}}/${toTemplate(declared.path)}`)}${slash}`,
    parameters: [
      ...toParameters(collection.path),
      inPath(id, schemas.id(collection.resource)),
      ...toParameters(declared.path),
    ],
  };
};

/** The path of an endpoint, and what stands there: its operation with its parameters. */
export const endpointPathOf = (
  endpoint: NamedEndpoint,
  context: Context,
): { readonly path: string; readonly item: PathItemObject } => {
  const { name, collection, declared } = endpoint;
  const { api } = context;
  const { path, parameters } = placeOf(endpoint, context);
  const query = queryOf(endpoint, context);
  const { body } = declared.options;
  const operation: OperationObject = {
    operationId: collection === undefined ? name : `${collection}${toPascalCase(name)}`,
    summary: collection === undefined ? name : `${name} ${collection}`,
    tags: [`${api.name} ${versionPrefix}${api.version}: ${collection ?? 'endpoints'}`],
    security: schemeNamesOf(api).map((scheme) => ({ [scheme]: [] })),
    ...(query.length > 0 && { parameters: query }),
    ...(body !== undefined && { requestBody: requestBodyOf(body, context) }),
    responses: responsesOf(endpoint, context),
  };
  const item: PathItemObject = {
    ...(parameters.length > 0 && { parameters }),
    [declared.method.toLowerCase()]: operation,
  };
  return { path, item };
};
