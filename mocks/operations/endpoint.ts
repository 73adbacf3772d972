import { header } from '../../src/conventions.ts';
import type { DeclaredEndpoint } from '../../src/schema/endpoint.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { kindOf, objectOf } from '../../src/schema/zod.ts';
import { authorize } from '../auth/authorize.ts';
import { type MockEndpoint, rowParameter } from '../collections/endpoints.ts';
import type { CollectionRoute, EndpointRoute } from '../collections/routes.ts';
import { checkAccept } from '../content.ts';
import { type Call, type Exchange, readJson } from '../exchange.ts';
import { toErrorResponse, toResourceResponse } from '../families/response.ts';
import { toShown } from '../families/with-family.ts';
import { generateResponse } from '../generate/response.ts';
import { errorResponse, isDisallowed, jsonResponse, Refusal, refuseMethod } from '../message.ts';
import { type ReadQuery, readQuery } from '../query/read-query.ts';
import { represent } from '../represent.ts';
import { isResource, parse } from '../rows/schema.ts';
import type { Row } from '../rows/store.ts';
import { findRow } from './read.ts';

/** The schema of a response that is not declared. */
const nothing = objectOf(() => ({}));

type EndpointCall = Exchange<EndpointRoute>;

/** A request to an action, as one to the resource that the action is below. */
const callOfRow = (call: EndpointCall, collection: string | undefined): Call | undefined => {
  const { route } = call;
  if (collection === undefined || route.endpoint === undefined) return undefined;
  const { endpoint, base, parameters } = route;
  const above: CollectionRoute = {
    kind: 'collection',
    endpoint,
    base,
    parameters: new Map([...parameters].filter(([name]) => endpoint.parameters.includes(name))),
    id: parameters.get(rowParameter),
  };
  return { ...call, route: above };
};

/** @throws {@link Refusal} 400 for a body that does not fit the schema, 415 for another content type */
const checkBody = async (call: EndpointCall, schema: Schema | undefined): Promise<void> => {
  // A schema of a form says nothing of its fields.
  if (schema === undefined || kindOf(schema) === 'custom') return;
  const { text } = await call.content();
  if (text.trim() === '' && parse(schema, undefined).errors.length === 0) return;
  const { errors } = parse(schema, (await readJson(call)).json);
  if (errors.length > 0) throw new Refusal(400, 'The request body is not valid', errors);
};

const queryOf = ({ options }: DeclaredEndpoint, { searchParams }: URL): ReadQuery => {
  const { query: params, repeated, response, fields, expand } = options;
  const rules = {
    ...(params && { params }),
    ...(repeated && { repeated }),
    ...(fields && { fields }),
    ...(expand && { expand }),
  };
  // Fields are those of the response; without one, none are declared.
  return readQuery({ collection: { options: rules }, resource: response ?? nothing }, searchParams, true);
};

const typeOf = ({ options: { accept = '', as } }: DeclaredEndpoint): string => {
  const [first = ''] = accept.split(/[,;]/, 1);
  if (first !== '' && !first.includes('*')) return first.trim();
  return as === 'text' ? 'text/plain' : 'application/octet-stream';
};

/** The stored row that a response shows: that of an action, or else the first one of its resource. */
const rowFor = (
  call: EndpointCall,
  { api, declared }: MockEndpoint,
  above: Call | undefined,
  row: Row | undefined,
): { readonly row: Row; readonly call: Call } | undefined => {
  const { response } = declared.options;
  if (response === undefined) return undefined;
  if (above !== undefined && row !== undefined && above.route.endpoint.collection.resource === response)
    return { row, call: above };
  for (const endpoint of call.context.collections.all) {
    const [first] = endpoint.api === api ? endpoint.table.rows.values() : [];
    if (first === undefined || endpoint.collection.resource !== response) continue;
    const { base } = call.route;
    const route = {
      kind: 'collection',
      endpoint,
      base,
      parameters: new Map(),
      id: String(first.id),
    } as const;
    return { row: first, call: { ...call, route } };
  }
  return undefined;
};

const respondWithJson = (
  call: EndpointCall,
  found: MockEndpoint,
  query: ReadQuery,
  response: Schema,
  shown: ReturnType<typeof rowFor>,
): Response => {
  const { api, declared } = found;
  const status = declared.method === 'POST' ? 201 : 200;
  const family = api.wire?.family;
  if (shown === undefined) {
    const body = generateResponse(found, response, call);
    const made = jsonResponse(status, JSON.stringify(body));
    return family && isResource(response) ? toResourceResponse(body, made, status, family) : made;
  }
  const body = represent(shown.row, query, shown.call);
  const made = jsonResponse(status, JSON.stringify(body));
  return family ? toResourceResponse(toShown(body, shown.call, family), made, status, family) : made;
};

const respond = async (call: EndpointCall, found: MockEndpoint): Promise<Response> => {
  const { request, url, context } = call;
  const { declared, collection } = found;
  const { as, accepts, response, body } = declared.options;
  await authorize(request, { api: found.api, key: collection ?? found.name }, context);
  if (response !== undefined) checkAccept(request);
  const query = queryOf(declared, url);
  await checkBody(call, body);
  const above = callOfRow(call, collection);
  const row = above && findRow(above);
  const { accepted } = context.options;
  const isLater = accepted === true || (Array.isArray(accepted) && accepted.includes(declared.method));
  if (accepts === true && isLater) return new Response(null, { status: 202 });
  if (as !== undefined)
    return new Response(`${found.name}\n`, { headers: { [header.contentType]: typeOf(declared) } });
  if (response === undefined) return new Response(null, { status: 204 });
  return respondWithJson(call, found, query, response, rowFor(call, found, above, row));
};

/** Responds to a request to a declared endpoint: with a stored row of its resource, or with a generated value that fits. */
export const respondToEndpoint = async (call: EndpointCall): Promise<Response> => {
  const { request, route } = call;
  const { methods } = route;
  const found = methods.get(request.method);
  const names = [...new Set([...methods.keys(), 'OPTIONS'])].join(', ');
  if (found === undefined && request.method === 'OPTIONS')
    return new Response(null, { status: 200, headers: { [header.accept]: names } });
  if (found === undefined) return refuseMethod(request.method, isDisallowed(request.method) ? '' : names);
  const family = found.api.wire?.family;
  try {
    return await respond(call, found);
  } catch (error) {
    if (family === undefined || request.signal.aborted) throw error;
    const refused = errorResponse(error);
    return toErrorResponse(await refused.clone().json(), refused, family);
  }
};
