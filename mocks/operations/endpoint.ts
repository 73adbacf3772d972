import { header } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import type { DeclaredEndpoint } from '../../src/schema/endpoint.ts';
import { isResource } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { kindOf, objectOf } from '../../src/schema/zod.ts';
import { authorize } from '../auth/authorize.ts';
import { type MockEndpoint, rowParameter } from '../collections/endpoints.ts';
import type { CollectionRoute, EndpointRoute } from '../collections/routes.ts';
import { checkAccept } from '../content.ts';
import { type Call, type Exchange, readJson } from '../exchange.ts';
import { toErrorResponse, toResourceResponse } from '../families/response.ts';
import { toShown } from '../families/with-family.ts';
import { generateResponse, withSelf } from '../generate/response.ts';
import { errorResponse, isDisallowed, jsonResponse, Refusal, refuseMethod } from '../message.ts';
import { type ReadQuery, readQuery } from '../query/read-query.ts';
import { represent } from '../represent.ts';
import type { MockState } from '../row.ts';
import { fits, normalise, parse } from '../rows/schema.ts';
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

/**
 * The body as its schema parses it. A form is read for a handler alone: its schema says nothing of its
 * fields.
 *
 * @throws {@link Refusal} 400 for a body that does not fit the schema, 415 for another content type
 */
const readBody = async (call: EndpointCall, { declared, handler }: MockEndpoint): Promise<unknown> => {
  const { body: schema } = declared.options;
  if (schema === undefined) return undefined;
  if (kindOf(schema) === 'custom') {
    if (handler === undefined) return undefined;
    const form = await call.request
      .clone()
      .formData()
      .catch(() => undefined);
    if (fits(schema, form)) return form;
    throw new Refusal(400, 'The request body is not the form that is declared');
  }
  const { text } = await call.content();
  const absent = parse(schema, undefined);
  if (text.trim() === '' && absent.errors.length === 0) return absent.parsed;
  const { parsed, errors } = parse(schema, (await readJson(call)).json);
  if (errors.length > 0) throw new Refusal(400, 'The request body is not valid', errors);
  return parsed;
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

/** A row that a response shows, as one of a collection. */
interface Shown {
  readonly row: Row;
  readonly call: Call;
}

/** The collections of the resource that a response shows, as calls to them: that of an action first. */
const callsOf = (
  call: EndpointCall,
  { api, declared }: MockEndpoint,
  above: Call | undefined,
): readonly Call[] => {
  const { response } = declared.options;
  const { base } = call.route;
  const others = call.context.collections.all
    .filter((endpoint) => endpoint.api === api)
    .map((endpoint): Call => {
      const parameters = new Map<string, string>();
      return { ...call, route: { kind: 'collection', endpoint, base, parameters, id: undefined } };
    });
  const all = above === undefined ? others : [above, ...others];
  return all.filter(({ route }) => route.endpoint.collection.resource === response);
};

const showAs = (row: Row, call: Call): Shown => ({
  row,
  call: { ...call, route: { ...call.route, id: String(row.id) } },
});

/** The stored row that a response shows: that of an action, or else the first one of its resource. */
const rowFor = (calls: readonly Call[], above: Call | undefined, own: Row | undefined): Shown | undefined => {
  for (const call of calls) {
    const [first] = call.route.endpoint.table.rows.values();
    const row = call === above ? own : first;
    if (row !== undefined) return showAs(row, call);
  }
  return undefined;
};

/** What a handler returned, as a row of a collection; undefined where no collection has its resource. */
const rowOfHandler = ([call]: readonly Call[], value: unknown, schema: Schema): Shown | undefined => {
  if (call === undefined || !isObject(value)) return undefined;
  const row = normalise(value, schema, { keepsUnknown: true, takesIds: true });
  if (!isObject(row)) return undefined;
  const shown: Row = { id: row.id as Row['id'], value: row, changedAt: 0, below: new Map() };
  return showAs(shown, call);
};

/** @param value - what is sent where no row is shown */
const respondWithJson = (
  { api, declared }: MockEndpoint,
  query: ReadQuery,
  response: Schema,
  shown: Shown | undefined,
  value: () => unknown,
): Response => {
  const status = declared.method === 'POST' ? 201 : 200;
  const family = api.wire?.family;
  if (shown === undefined) {
    const body = value();
    const made = jsonResponse(status, JSON.stringify(body));
    return family && isResource(response) ? toResourceResponse(body, made, status, family) : made;
  }
  const body = represent(shown.row, query, shown.call);
  const made = jsonResponse(status, JSON.stringify(body));
  return family ? toResourceResponse(toShown(body, shown.call, family), made, status, family) : made;
};

/** What a handler returned, as JSON has it: a Date is its ISO 8601 string. */
const toJson = (returned: unknown, { key, declared }: MockEndpoint): unknown => {
  const { as, response } = declared.options;
  if (as === undefined && response === undefined) return undefined;
  if (as !== undefined || returned === undefined)
    throw new TypeError(`the handler of ${key} must return ${as === undefined ? 'JSON or ' : ''}a Response`);
  return JSON.parse(JSON.stringify(returned));
};

const respond = async (call: EndpointCall, found: MockEndpoint, state: MockState): Promise<Response> => {
  const { request, url, context, route } = call;
  const { declared, collection, handler } = found;
  const { as, accepts, response } = declared.options;
  await authorize(request, { api: found.api, key: collection ?? found.name }, context);
  if (response !== undefined) checkAccept(request);
  const query = queryOf(declared, url);
  const body = await readBody(call, found);
  const above = callOfRow(call, collection);
  const own = above && findRow(above);
  const parameters = Object.fromEntries([...route.parameters].filter(([name]) => name !== rowParameter));
  const row = structuredClone(own?.value);
  const parsed = declared.options.query && query.own.parsed;
  const returned = await handler?.({ request, parameters, query: parsed, body, row }, state);
  if (returned instanceof Response) return returned;
  const json = handler && toJson(returned, found);
  const { accepted } = context.options;
  const isLater = accepted === true || (Array.isArray(accepted) && accepted.includes(declared.method));
  if (accepts === true && isLater) return new Response(null, { status: 202 });
  if (as !== undefined)
    return new Response(`${found.name}\n`, { headers: { [header.contentType]: typeOf(declared) } });
  if (response === undefined) return new Response(null, { status: 204 });
  const calls = callsOf(call, found, above);
  if (handler === undefined)
    return respondWithJson(found, query, response, rowFor(calls, above, own), () =>
      generateResponse(found, response, call),
    );
  const shown = rowOfHandler(calls, json, response);
  return respondWithJson(found, query, response, shown, () => withSelf(json, response, found.name));
};

/**
 * Responds to a request to a declared endpoint: as its handler does, with a stored row of its resource, or
 * with a generated value.
 */
export const respondToEndpoint = async (call: EndpointCall, state: MockState): Promise<Response> => {
  const { request, route } = call;
  const { methods } = route;
  const found = methods.get(request.method);
  const names = [...new Set([...methods.keys(), 'OPTIONS'])].join(', ');
  if (found === undefined && request.method === 'OPTIONS')
    return new Response(null, { status: 200, headers: { [header.accept]: names } });
  if (found === undefined) return refuseMethod(request.method, isDisallowed(request.method) ? '' : names);
  const family = found.api.wire?.family;
  try {
    return await respond(call, found, state);
  } catch (error) {
    if (family === undefined || request.signal.aborted) throw error;
    const refused = errorResponse(error);
    return toErrorResponse(await refused.clone().json(), refused, family);
  }
};
