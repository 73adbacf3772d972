import { InvalidRequestError } from '../errors/restkin-error.ts';
import { encodeSegment } from '../http/url.ts';
import { checkQuery, formatQuery, noQuery, type Query, type QueryRules } from '../query/query.ts';
import type { EncodeBody } from '../schema/codec.ts';
import type { BodySchemas, BulkOptions } from '../schema/collection.ts';
import { createReader } from '../schema/read-options.ts';
import type { SelectedSchemas, Selection } from '../schema/select.ts';
import type { Schema } from '../schema/types/shape.ts';
import { createMany as sendParts } from './bulk.ts';
import { type Call, callWith } from './call.ts';
import {
  type CallOptions,
  type ConditionalOptions,
  conditionalChecks,
  conditionsOf,
  type RequestParts,
  readCallOptions,
} from './call-options.ts';
import { toAllowedMethods, toBulkOutcome, toCreateOutcome, toWriteOutcome } from './outcome.ts';
import { type CallContext, type Exchange, sendRequest } from './pipeline.ts';
import { toJsonBody } from './request-body.ts';

/** What the calls of one collection have in common, prepared once. */
export interface Endpoint {
  /** The collection's name in the declaration, for messages. */
  readonly name: string;
  readonly api: CallContext;
  readonly rules: QueryRules;
  readonly schemas: (selection: Selection) => SelectedSchemas;
  readonly bodies: Readonly<Record<keyof BodySchemas, EncodeBody>>;
  /** Whether a 202 to POST is a result. */
  readonly mayAccept: boolean;
  /** The limits of a bulk request; undefined where the collection declares none. */
  readonly bulk: BulkOptions | undefined;
  /** The collection's URL for its path parameters. */
  readonly url: string;
}

/** The URL of a collection or resource with a query. */
export const withQuery = (url: string, query: string): string => (query === '' ? url : `${url}?${query}`);

const urlOf = ({ url, rules }: Endpoint, id: unknown): string =>
  `${url}/${encodeSegment(`${rules.name}: id`, id)}`;

interface GetRequest extends Pick<Query, 'fields' | 'expand'>, ConditionalOptions {}

const readGetRequest = createReader<GetRequest>({
  ...conditionalChecks,
  fields: undefined,
  expand: undefined,
});

/** GET of one resource: `get`, or `find`, where a 404 means undefined. */
export const read =
  (name: 'get' | 'find', toOutcome: (exchange: Exchange, schema: Schema) => unknown) =>
  (endpoint: Endpoint, id: unknown, given?: GetRequest) => {
    const { api, rules, schemas } = endpoint;
    let item: Schema;
    const send = () => {
      const request = readGetRequest(given, `${endpoint.name}.${name}`);
      const query = { ...noQuery, fields: request.fields, expand: request.expand };
      checkQuery(query, rules);
      item = schemas(query).item;
      const url = withQuery(urlOf(endpoint, id), formatQuery(query));
      const mayBeMissing = name === 'find';
      return sendRequest(
        api,
        { method: 'GET', url, headers: api.readFields, mayBeMissing },
        request,
        conditionsOf(request),
      );
    };
    return callWith(api.call, send, (exchange) => toOutcome(exchange, item));
  };

/** A resource with all its fields, and nothing expanded. */
const whole: Selection = { fields: undefined, expand: undefined };

/** An operation that has no options besides those of each call. */
const operate = <T>(
  { api, name }: Endpoint,
  operation: string,
  given: CallOptions | undefined,
  toParts: () => RequestParts,
  toOutcome: (exchange: Exchange) => T | Promise<T>,
): Call<T> => {
  const send = () => {
    const options = readCallOptions(given, `${name}.${operation}`);
    return sendRequest(api, toParts(), options);
  };
  return callWith(api.call, send, toOutcome);
};

/** POST of one resource. */
export const create = (endpoint: Endpoint, body: unknown, given?: CallOptions) => {
  const { api, schemas, bodies, url, mayAccept } = endpoint;
  const toParts = (): RequestParts => ({
    method: 'POST',
    url,
    headers: api.writeFields,
    body: toJsonBody(bodies.create(body), `${endpoint.name}.create`),
  });
  return operate(endpoint, 'create', given, toParts, (exchange) =>
    toCreateOutcome(exchange, schemas(whole).item, mayAccept),
  );
};

/** Creates many resources, by bulk requests within the limits that the collection declares (§8). */
export const createMany = async (endpoint: Endpoint, items: readonly unknown[], given?: CallOptions) => {
  const { api, schemas, bodies, url, bulk = {} } = endpoint;
  const { fail } = api.call;
  try {
    const options = readCallOptions(given, `${endpoint.name}.createMany`);
    // Anything else, such as an async iterable, would be an empty list, and a success.
    if (!Array.isArray(items))
      throw new InvalidRequestError(`${endpoint.name}.createMany: the items must be an array`);
    // A hole in a sparse array is an item too: `map` would skip it.
    const encoded = Array.from(items, (item, index) => bodies.create(item, String(index)));
    const send = async (body: string, count: number) => {
      const request = { method: 'POST', url, headers: api.writeFields, body } as const;
      return toBulkOutcome(await sendRequest(api, request, options), schemas(whole).list, count);
    };
    return await sendParts(encoded, bulk, send, fail);
  } catch (error) {
    throw fail(error);
  }
};

/** PUT or PATCH of one resource. */
export const write =
  (method: 'PUT' | 'PATCH', operation: 'replace' | 'update') =>
  (endpoint: Endpoint, id: unknown, body: unknown, given?: CallOptions) => {
    const toParts = (): RequestParts => ({
      method,
      url: urlOf(endpoint, id),
      headers: endpoint.api.writeFields,
      body: toJsonBody(endpoint.bodies[operation](body), `${endpoint.name}.${operation}`),
    });
    return operate(endpoint, operation, given, toParts, toWriteOutcome);
  };

/** DELETE of one resource. */
export const remove = (endpoint: Endpoint, id: unknown, given?: CallOptions) => {
  const { readFields: headers } = endpoint.api;
  const toParts = (): RequestParts => ({ method: 'DELETE', url: urlOf(endpoint, id), headers });
  return operate(endpoint, 'delete', given, toParts, toWriteOutcome);
};

/** OPTIONS of the collection, or of one resource. */
export const allowedMethods = (endpoint: Endpoint, id?: unknown, given?: CallOptions) => {
  const { readFields: headers } = endpoint.api;
  const toParts = (): RequestParts => {
    const url = id === undefined ? endpoint.url : urlOf(endpoint, id);
    return { method: 'OPTIONS', url, headers };
  };
  return operate(endpoint, 'allowedMethods', given, toParts, toAllowedMethods);
};
