import { InvalidRequestError } from '../errors/restkin-error.ts';
import { encodeSegment } from '../http/url.ts';
import { createReader } from '../options.ts';
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
  readonly schemas: (selection: Selection) => Schema;
  readonly bodies: Readonly<Record<keyof BodySchemas, EncodeBody>>;
  /** Whether a 202 to POST is a result. */
  readonly mayAccept: boolean;
  /** The collection's URL for its path parameters. */
  readonly url: string;
}

/** The URL of a collection or resource with a query. */
export const withQuery = (url: string, query: string): string => (query === '' ? url : `${url}?${query}`);

const urlOf = ({ url, rules }: Endpoint, id: unknown): string =>
  `${url}/${encodeSegment(`${rules.name}: id`, id)}`;

interface GetRequest extends Selection, ConditionalOptions {}

/** GET of one resource, together with the schema of its response. */
export const fetchOne = async (
  api: CallContext,
  { rules, schemas }: Pick<Endpoint, 'rules' | 'schemas'>,
  request: GetRequest,
  toUrl: (query: string) => string,
  mayBeMissing = false,
) => {
  const query = { fields: request.fields, expand: request.expand };
  checkQuery(query, rules);
  const item = schemas(query);
  const url = toUrl(formatQuery(query));
  const parts = { method: 'GET', url, headers: api.readFields, mayBeMissing } as const;
  return { ...(await sendRequest(api, parts, request, conditionsOf(request))), item };
};

const readGetRequest = createReader<GetRequest>({
  ...conditionalChecks,
  fields: undefined,
  expand: undefined,
});

export const read =
  (name: 'get' | 'find', toOutcome: (exchange: Exchange, schema: Schema) => unknown) =>
  (endpoint: Endpoint, id: unknown, given?: GetRequest) => {
    const { api } = endpoint;
    const send = () => {
      const request = readGetRequest(given, `${endpoint.name}.${name}`);
      const toUrl = (query: string): string => withQuery(urlOf(endpoint, id), query);
      return fetchOne(api, endpoint, request, toUrl, name === 'find');
    };
    return callWith(api.call, send, (exchange) => toOutcome(exchange, exchange.item));
  };

/** A resource with all its fields, and nothing expanded. */
const whole: Selection = { fields: undefined, expand: undefined };

/** An operation that has only the options of every call. */
const operate = <T>(
  { api, name }: Endpoint,
  operation: string,
  given: CallOptions | undefined,
  toOutcome: (exchange: Exchange) => T | Promise<T>,
  toParts: () => RequestParts,
): Call<T> => {
  const send = () => {
    const options = readCallOptions(given, `${name}.${operation}`);
    return sendRequest(api, toParts(), options);
  };
  return callWith(api.call, send, toOutcome);
};

/** POST of one resource. */
export const create = (endpoint: Endpoint, body: unknown, given?: CallOptions) => {
  const { name, api, schemas, bodies, url, mayAccept } = endpoint;
  const toOutcome = (exchange: Exchange) => toCreateOutcome(exchange, schemas(whole), mayAccept);
  return operate(endpoint, 'create', given, toOutcome, () => {
    // Refuses an asynchronous schema before anything is sent.
    schemas(whole);
    return {
      method: 'POST',
      url,
      headers: api.writeFields,
      body: toJsonBody(bodies.create(body), `${name}.create`),
    };
  });
};

/** POST of many resources in one request (§8). */
export const createMany = (endpoint: Endpoint, items: readonly unknown[], given?: CallOptions) => {
  const { name, api, schemas, bodies, url } = endpoint;
  const toOutcome = (exchange: Exchange) => toBulkOutcome(exchange, schemas(whole), items.length);
  return operate(endpoint, 'createMany', given, toOutcome, () => {
    if (!Array.isArray(items))
      throw new InvalidRequestError(`${name}.createMany: the items must be an array`);
    const encoded = items.map((item, index) => bodies.create(item, String(index)));
    return {
      method: 'POST',
      url,
      headers: api.writeFields,
      body: toJsonBody(encoded, `${name}.createMany`),
    };
  });
};

/** PUT or PATCH of one resource. */
export const write =
  (method: 'PUT' | 'PATCH', operation: 'replace' | 'update') =>
  (endpoint: Endpoint, id: unknown, body: unknown, given?: CallOptions) =>
    operate(endpoint, operation, given, toWriteOutcome, () => ({
      method,
      url: urlOf(endpoint, id),
      headers: endpoint.api.writeFields,
      body: toJsonBody(endpoint.bodies[operation](body), `${endpoint.name}.${operation}`),
    }));

/** DELETE of one resource. */
export const remove = (endpoint: Endpoint, id: unknown, given?: CallOptions) =>
  operate(endpoint, 'delete', given, toWriteOutcome, () => ({
    method: 'DELETE',
    url: urlOf(endpoint, id),
    headers: endpoint.api.readFields,
  }));

/** OPTIONS of the collection, or of one resource. */
export const allowedMethods = (endpoint: Endpoint, id?: unknown, given?: CallOptions) =>
  operate(endpoint, 'allowedMethods', given, toAllowedMethods, () => ({
    method: 'OPTIONS',
    url: id === undefined ? endpoint.url : urlOf(endpoint, id),
    headers: endpoint.api.readFields,
  }));
