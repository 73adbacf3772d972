import { header } from '../../src/conventions.ts';
import type { CollectionOptions } from '../../src/schema/collection.ts';
import type { DeclaredEndpoint } from '../../src/schema/endpoint.ts';
import { successOf } from '../../src/schema/endpoints-of.ts';
import { isResource } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, kindOf, objectOf } from '../../src/schema/zod.ts';
import { authorize } from '../auth/authorize.ts';
import type { MockEndpoint } from '../collections/endpoints.ts';
import { checkAccept } from '../content.ts';
import { readJson } from '../exchange.ts';
import { toConventionsUrl } from '../families/request.ts';
import { toErrorResponse, toResourceResponse } from '../families/response.ts';
import { makeShown, toShown } from '../families/with-family.ts';
import { generateResponse } from '../generate/response.ts';
import {
  callOption,
  errorResponse,
  isDisallowed,
  jsonResponse,
  listMethods,
  optionsResponse,
  Refusal,
  refuseMethod,
} from '../message.ts';
import { isAcceptedMethod } from '../options.ts';
import { type ReadQuery, readQuery } from '../query/read-query.ts';
import { represent } from '../represent.ts';
import type { MockState } from '../row.ts';
import { atPath, toJson } from '../rows/json.ts';
import { fits, parse } from '../rows/parse.ts';
import { addSelf, urnOf } from '../rows/self.ts';
import {
  collectionCallsOf,
  type EndpointCall,
  returnedRow,
  type ShownRow,
  storedRow,
  toResourceCall,
} from './endpoint-row.ts';
import { findRow } from './read.ts';

/** The schema of a response that is not declared. */
const nothing = objectOf(() => ({}));

const isEncodedForm = ({ headers }: Request): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers.get(header.contentType) ?? '');

/**
 * A form or a Blob, whichever its schema takes.
 *
 * @throws {@link Refusal} 400 for a body of the other kind
 */
const readInstance = async (request: Request, schema: Schema): Promise<unknown> => {
  const form = await request
    .clone()
    .formData()
    .catch(() => undefined);
  if (fits(schema, form)) return form;
  if (isEncodedForm(request)) {
    const parameters = new URLSearchParams(await request.clone().text());
    if (fits(schema, parameters)) return parameters;
  }
  const blob = await request.clone().blob();
  if (fits(schema, blob)) return blob;
  throw new Refusal(400, 'The request body is not the form or the Blob that is declared');
};

/**
 * The body as its schema parses it. A form is read for a handler alone: its schema says nothing of its
 * fields.
 *
 * @throws {@link Refusal} 400 for a body that does not fit the schema, 415 for another content type
 */
const readBody = async (call: EndpointCall, { declared, handler, wire }: MockEndpoint): Promise<unknown> => {
  const { body: schema } = declared.options;
  if (schema === undefined) return undefined;
  if (kindOf(schema) === 'custom')
    return handler === undefined ? undefined : readInstance(call.request, schema);
  const { text } = await call.content();
  const absent = parse(schema, undefined);
  if (text.trim() === '' && absent.errors.length === 0) return absent.parsed;
  const { json } = await readJson(call);
  const { parsed, errors } = parse(schema, wire?.readIds(json, schema) ?? json);
  if (errors.length > 0) throw new Refusal(400, 'The request body is not valid', errors);
  return parsed;
};

/** What an endpoint declares of a query, as the options of a collection. */
const queryOptionsOf = ({ options }: DeclaredEndpoint): CollectionOptions => {
  const { query: params, repeated, fields, expand } = options;
  return {
    ...(params && { params }),
    ...(repeated && { repeated }),
    ...(fields && { fields }),
    ...(expand && { expand }),
  };
};

const queryOf = ({ declared, wire }: MockEndpoint, { searchParams }: URL): ReadQuery => {
  // Fields are those of the response; without one, none are declared.
  const { response = nothing } = declared.options;
  const declaration = { options: queryOptionsOf(declared), ...(wire && { wire }) };
  return readQuery({ declaration, resource: response }, searchParams, true);
};

/** The same call, with its query as the conventions have it. */
const withConventionsQuery = (call: EndpointCall, { wire, declared }: MockEndpoint): EndpointCall => {
  const family = wire?.family;
  if (family === undefined) return call;
  const url = new URL(call.url);
  url.search = toConventionsUrl(
    url,
    family,
    queryOptionsOf(declared),
    declared.options.response ?? nothing,
  ).search;
  return { ...call, url };
};

/** The URL at which a response can be fetched; undefined unless its method is GET. */
const selfOf = ({ request, url }: EndpointCall): string | undefined =>
  request.method === 'GET' ? url.origin + url.pathname : undefined;

/** Sends a value, or in its place a row that shows it, as the family of the API has it. */
const respondWithJson = (
  { wire, name, declared }: MockEndpoint,
  query: ReadQuery,
  shown: ShownRow | undefined,
  self: string | undefined,
  makeValue: () => unknown,
): Response => {
  const { status } = successOf(declared);
  const family = wire?.family;
  if (shown === undefined) {
    const { response = nothing } = declared.options;
    const value = makeValue();
    const body = wire?.writeIds(value, response) ?? value;
    const made = jsonResponse(status, JSON.stringify(body));
    const isOne = isResource(response);
    return family && isOne ? toResourceResponse(body, made, status, family, declared.method) : made;
  }
  const { resource } = shown.call.route.collection;
  const represented = represent(shown.row, query, shown.call);
  const isWithoutSelf = represented.self === undefined && fieldOf(resource, 'self') !== undefined;
  const body = isWithoutSelf ? { ...represented, self: self ?? urnOf(name, shown.row.id) } : represented;
  const made = jsonResponse(status, JSON.stringify(body));
  if (family === undefined) return made;
  return toResourceResponse(toShown(body, shown.call, family), made, status, family, declared.method);
};

/** What a handler returned, as JSON has it: a Date is its ISO 8601 string. */
const readReturned = (returned: unknown, { key, declared }: MockEndpoint): unknown => {
  const { as, response } = declared.options;
  if (as === undefined && response === undefined) return undefined;
  if (as !== undefined || returned === undefined)
    throw new TypeError(`the handler of ${key} must return ${as === undefined ? 'JSON or ' : ''}a Response`);
  return toJson(returned, (path, problem) => {
    throw new TypeError(`the handler of ${key} returned what cannot be sent: ${atPath(path, problem)}`);
  });
};

/** True where the mock says, as the endpoint declares it, that the work is done later. */
const isLater = ({ context }: EndpointCall, { declared }: MockEndpoint): boolean =>
  isAcceptedMethod(context.options, declared.method) && declared.options.accepts === true;

/** Checks the credentials of a request to an endpoint, also of one for its methods (§7.1). */
const authorizeEndpoint = (
  { request, context }: EndpointCall,
  { api, name, collection }: MockEndpoint,
): Promise<void> => authorize(request, { api, key: collection ?? name }, context);

const respond = async (call: EndpointCall, found: MockEndpoint, state: MockState): Promise<Response> => {
  const { request, url, route } = call;
  const { name, declared, idName, handler } = found;
  const { as, response } = declared.options;
  await authorizeEndpoint(call, found);
  if (response !== undefined) checkAccept(request);
  const query = queryOf(found, url);
  const body = await readBody(call, found);
  const above = toResourceCall(call, found);
  const own = above && findRow(above);
  const parameters = Object.fromEntries([...route.parameters].filter(([one]) => one !== idName));
  const given = {
    request,
    parameters,
    query: declared.options.query && query.own.parsed,
    body,
    row: structuredClone(own?.value),
  };
  const returned = await callOption(`the handler of ${found.key}`, () => handler?.(given, state));
  if (returned instanceof Response) return returned;
  const json = handler && readReturned(returned, found);
  if (isLater(call, found)) return new Response(null, { status: 202 });
  const { status, type = '' } = successOf(declared);
  if (as !== undefined) return new Response(`${name}\n`, { status, headers: { [header.contentType]: type } });
  if (response === undefined) return new Response(null, { status });
  const calls = collectionCallsOf(call, found, above);
  const self = selfOf(call);
  if (handler === undefined)
    return respondWithJson(found, query, storedRow(calls, above, own), self, () =>
      makeShown(response, url, found.wire?.family, (schema) => generateResponse(found, schema, call, self)),
    );
  return respondWithJson(found, query, returnedRow(calls, json, response), self, () =>
    addSelf(json, response, name, self),
  );
};

/**
 * Responds to a request to a declared endpoint: as its handler does, with a stored row of its resource, or
 * with a generated value.
 */
export const respondToEndpoint = async (call: EndpointCall, state: MockState): Promise<Response> => {
  const { request, route } = call;
  const { endpoint, endpointMethods } = route;
  const isOptions = request.method === 'OPTIONS' && !endpointMethods.has('OPTIONS');
  if (endpoint.declared.method !== request.method && !isOptions)
    return refuseMethod(request.method, isDisallowed(request.method) ? '' : listMethods(endpointMethods));
  const family = endpoint.wire?.family;
  try {
    if (isOptions) {
      await authorizeEndpoint(call, endpoint);
      return optionsResponse(listMethods(endpointMethods));
    }
    return await respond(withConventionsQuery(call, endpoint), endpoint, state);
  } catch (error) {
    if (family === undefined || request.signal.aborted) throw error;
    const refused = errorResponse(error);
    return toErrorResponse(await refused.clone().json(), refused, family);
  }
};
