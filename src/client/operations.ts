import { InvalidRequestError } from '../errors/restkin-error.ts';
import { encodeSegment } from '../http/url.ts';
import { createReader, type OptionChecks } from '../options.ts';
import { checkQuery, formatQuery, type QueryRules } from '../query/query.ts';
import type { EncodeBody } from '../schema/codec.ts';
import type { BodySchemas } from '../schema/collection.ts';
import type { Selection } from '../schema/select.ts';
import type { Schema } from '../schema/types/shape.ts';
import { type Call, callWith } from './call.ts';
import {
  type CallOptions,
  type ConditionalOptions,
  conditionalChecks,
  type RequestParts,
  readCallOptions,
} from './call-options.ts';
import {
  toAllowedMethods,
  toBulkOutcome,
  toCreateOutcome,
  toReadOutcome,
  toWriteOutcome,
} from './outcome.ts';
import type { ApiContext, EndpointName, Exchange } from './pipeline.ts';
import { toJsonBody } from './request-body.ts';

/** What the calls of one collection have in common, prepared once. */
export interface Endpoint extends EndpointName {
  readonly api: ApiContext;
  readonly rules: QueryRules;
  readonly schemas: (selection: Selection) => Schema;
  readonly bodies: Readonly<Record<keyof BodySchemas, EncodeBody>>;
  /** Whether a 202 to POST is a result. */
  readonly mayAccept: boolean;
}

/** The URL of a collection or resource with a query. */
export const withQuery = (url: string, query: string): string => (query === '' ? url : `${url}?${query}`);

const urlOf = ({ url, rules }: Endpoint, id: unknown): string =>
  `${url}/${encodeSegment(`${rules.name}: id`, id)}`;

export interface GetRequest extends Selection, ConditionalOptions {}

/** Prepares GET of one resource; `item` is the schema of its response. */
export const prepareGet = (
  api: ApiContext,
  { rules, schemas }: Pick<Endpoint, 'rules' | 'schemas'>,
  request: GetRequest,
  toUrl: (query: string) => string,
  mayBeMissing = false,
) => {
  const query = { fields: request.fields, expand: request.expand };
  checkQuery(query, rules);
  const url = toUrl(formatQuery(query));
  const parts = { method: 'GET', url, headers: api.readFields, mayBeMissing } as const;
  return { api, parts, options: request, item: schemas(query) };
};

export const getChecks: OptionChecks<GetRequest> = {
  ...conditionalChecks,
  fields: undefined,
  expand: undefined,
};

const readGetRequest = createReader(getChecks);

export const read =
  (name: 'get' | 'find') =>
  (endpoint: Endpoint) =>
  (id: unknown, given?: GetRequest): Call<unknown> => {
    const { api } = endpoint;
    const prepare = () => {
      const request = readGetRequest(given, `${endpoint.name}.${name}`);
      const toUrl = (query: string): string => withQuery(urlOf(endpoint, id), query);
      return { ...prepareGet(api, endpoint, request, toUrl, name === 'find'), endpoint };
    };
    return callWith(api.beginCall, prepare, (exchange, { item }) => toReadOutcome(exchange, item));
  };

/** A resource with all its fields, and nothing expanded. */
const whole: Selection = { fields: undefined, expand: undefined };

/** An operation that has only the options of every call. */
const operate = <T>(
  endpoint: Endpoint,
  operation: string,
  given: CallOptions | undefined,
  toParts: () => RequestParts,
  toOutcome: (exchange: Exchange) => T,
): Call<T> => {
  const { api, name } = endpoint;
  const prepare = () => ({
    api,
    options: readCallOptions(given, `${name}.${operation}`),
    parts: toParts(),
    endpoint,
  });
  return callWith(api.beginCall, prepare, toOutcome);
};

export const create = (endpoint: Endpoint) => (body: unknown, given?: CallOptions) => {
  const { name, api, schemas, bodies, url, mayAccept } = endpoint;
  const toParts = (): RequestParts => {
    // Refuses an asynchronous schema before anything is sent.
    schemas(whole);
    const json = toJsonBody(bodies.create(body), `${name}.create`);
    return { method: 'POST', url, headers: api.writeFields, body: json };
  };
  return operate(endpoint, 'create', given, toParts, (exchange) =>
    toCreateOutcome(exchange, schemas(whole), mayAccept),
  );
};

/** POST of many resources in one request (§8). */
export const createMany = (endpoint: Endpoint) => (items: readonly unknown[], given?: CallOptions) => {
  const { name, api, schemas, bodies, url } = endpoint;
  const toParts = (): RequestParts => {
    if (!Array.isArray(items))
      throw new InvalidRequestError(`${name}.createMany: the items must be an array`);
    schemas(whole);
    const encoded = items.map((item, index) => bodies.create(item, String(index)));
    return { method: 'POST', url, headers: api.writeFields, body: toJsonBody(encoded, `${name}.createMany`) };
  };
  return operate(endpoint, 'createMany', given, toParts, (exchange) =>
    toBulkOutcome(exchange, schemas(whole), items.length),
  );
};

export const write =
  (method: 'PUT' | 'PATCH', operation: 'replace' | 'update') =>
  (endpoint: Endpoint) =>
  (id: unknown, body: unknown, given?: CallOptions) => {
    const toParts = (): RequestParts => ({
      method,
      url: urlOf(endpoint, id),
      headers: endpoint.api.writeFields,
      body: toJsonBody(endpoint.bodies[operation](body), `${endpoint.name}.${operation}`),
    });
    return operate(endpoint, operation, given, toParts, toWriteOutcome);
  };

export const remove = (endpoint: Endpoint) => (id: unknown, given?: CallOptions) => {
  const headers = endpoint.api.readFields;
  const toParts = (): RequestParts => ({ method: 'DELETE', url: urlOf(endpoint, id), headers });
  return operate(endpoint, 'delete', given, toParts, toWriteOutcome);
};

/** OPTIONS of the collection, or of one resource. */
export const allowedMethods = (endpoint: Endpoint) => (id?: unknown, given?: CallOptions) => {
  const headers = endpoint.api.readFields;
  const toParts = (): RequestParts => ({
    method: 'OPTIONS',
    url: id === undefined ? endpoint.url : urlOf(endpoint, id),
    headers,
  });
  return operate(endpoint, 'allowedMethods', given, toParts, toAllowedMethods);
};
