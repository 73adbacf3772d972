import { InvalidRequestError } from '../errors/restkin-error.ts';
import { encodeSegment } from '../http/url.ts';
import { createReader, type OptionChecks } from '../options.ts';
import { checkQuery, formatQuery, type QueryRules } from '../query/query.ts';
import type { EncodeBody } from '../schema/codec.ts';
import type { BodySchemas } from '../schema/collection.ts';
import type { Selection } from '../schema/select.ts';
import type { Schema } from '../schema/types/shape.ts';
import { type Call, callWith, type EndpointName, type PreparedCall } from './call.ts';
import type { ApiContext } from './context.ts';
import { type CallOptions, type ConditionalOptions, conditionalChecks, readCallOptions } from './options.ts';
import {
  toAllowedMethods,
  toBulkOutcome,
  toCreateOutcome,
  toReadOutcome,
  toWriteOutcome,
} from './outcome.ts';
import { toJsonBody } from './request-body.ts';

/** What the calls of one collection have in common, prepared once. */
export interface CollectionEndpoint extends EndpointName {
  readonly api: ApiContext;
  readonly rules: QueryRules;
  /** The field in the path of one resource. */
  readonly key: string;
  readonly schemas: (selection: Selection) => Schema;
  readonly bodies: Readonly<Record<keyof BodySchemas, EncodeBody>>;
  /** The most items of a bulk request (§8). */
  readonly maxItems: number;
  /** Whether the path of the collection ends with a slash. */
  readonly isSlashed: boolean;
  /** Whether a 202 to POST is a result. */
  readonly mayAccept: boolean;
}

/** The URL of a collection or resource with a query. */
export const withQuery = (url: string, query: string): string => (query === '' ? url : `${url}?${query}`);

/** The URL of the collection, which some APIs end with a slash. */
export const collectionUrlOf = ({ url, isSlashed }: CollectionEndpoint): string =>
  isSlashed ? `${url}/` : url;

const urlOf = ({ url, rules, key, api }: CollectionEndpoint, id: unknown): string => {
  const resourceUrl = `${url}/${encodeSegment(`${rules.name}: ${key}`, id)}`;
  return api.wire.family.trailingSlash ? `${resourceUrl}/` : resourceUrl;
};

/** The query of `get` and the options of its call, in one object. */
export interface GetRequest extends Selection, ConditionalOptions {}

/** What the query of `get` and the options of its call must be. The declaration decides on the query. */
export const getChecks: OptionChecks<GetRequest> = {
  ...conditionalChecks,
  fields: undefined,
  expand: undefined,
};

const readGetRequest = createReader(getChecks);

/** What a call sends, and what its response means. */
type CallParts = Pick<PreparedCall, 'parts' | 'toResult'>;

/** GET of one resource. */
export const toGet = (
  { rules, schemas }: Pick<CollectionEndpoint, 'rules' | 'schemas'>,
  { fields, expand }: GetRequest,
  toUrl: (query: string) => string,
  mayBeMissing = false,
): CallParts => {
  const query = { fields, expand };
  checkQuery(query, rules);
  const item = schemas(query);
  return {
    parts: { method: 'GET', url: toUrl(formatQuery(query, rules)), mayBeMissing },
    toResult: (exchange) => toReadOutcome(exchange, item),
  };
};

/** `get` and `find` of a collection. */
export const read =
  (name: 'get' | 'find') => (endpoint: CollectionEndpoint) => (id: unknown, given?: GetRequest) => {
    const { api } = endpoint;
    const prepare = (): PreparedCall => {
      const options = readGetRequest(given, `${endpoint.name}.${name}`);
      const toUrl = (query: string): string => withQuery(urlOf(endpoint, id), query);
      return { api, endpoint, options, ...toGet(endpoint, options, toUrl, name === 'find') };
    };
    return callWith(api.beginCall, prepare, given);
  };

/** An operation that has only the options of every call. */
const operate = (
  endpoint: CollectionEndpoint,
  name: string,
  given: CallOptions | undefined,
  toParts: (owner: string) => CallParts,
): Call<unknown> => {
  const { api } = endpoint;
  const prepare = (): PreparedCall => {
    const owner = `${endpoint.name}.${name}`;
    return { api, endpoint, options: readCallOptions(given, owner), ...toParts(owner) };
  };
  return callWith(api.beginCall, prepare, given);
};

/** `create` of a collection. */
export const create = (endpoint: CollectionEndpoint) => (body: unknown, given?: CallOptions) => {
  const { api, rules, schemas, bodies, mayAccept } = endpoint;
  return operate(endpoint, 'create', given, (owner) => {
    const item = schemas({});
    return {
      parts: {
        method: 'POST',
        url: collectionUrlOf(endpoint),
        template: endpoint.template,
        body: toJsonBody(api.wire.toBody(bodies.create(body, `${owner}: body`), rules.resource), owner),
      },
      toResult: (exchange) => toCreateOutcome(exchange, item, mayAccept),
    };
  });
};

/** POST of many resources in one request (§8). */
export const createMany = (endpoint: CollectionEndpoint) => (items: unknown, given?: CallOptions) => {
  const { api, rules, schemas, bodies, maxItems } = endpoint;
  return operate(endpoint, 'createMany', given, (owner) => {
    const item = schemas({});
    if (!Array.isArray(items)) throw new InvalidRequestError(`${owner} takes an array of bodies`);
    if (items.length > maxItems)
      throw new InvalidRequestError(
        `${owner}: ${items.length} items are more than the ${maxItems} of \`bulk.maxItems\` (§8); split the list`,
      );
    const encoded = items.map((each, index) => bodies.create(each, `${owner}: items.${index}`));
    return {
      parts: {
        method: 'POST',
        url: collectionUrlOf(endpoint),
        template: endpoint.template,
        body: toJsonBody(api.wire.toBody(encoded, rules.resource), owner),
      },
      toResult: (exchange) => toBulkOutcome(exchange, item, encoded.length),
    };
  });
};

/** `replace` and `update` of a collection. */
export const write =
  (method: 'PUT' | 'PATCH', name: 'replace' | 'update') =>
  (endpoint: CollectionEndpoint) =>
  (id: unknown, body: unknown, given?: CallOptions) =>
    operate(endpoint, name, given, (owner) => {
      const { api, bodies, schemas, rules } = endpoint;
      const item = api.wire.family.written === 'resource' ? schemas({}) : undefined;
      const encoded = api.wire.toBody(bodies[name](body, `${owner}: body`), rules.resource);
      return {
        parts: { method, url: urlOf(endpoint, id), body: toJsonBody(encoded, owner) },
        toResult: (exchange) => toWriteOutcome(exchange, item),
      };
    });

/** `delete` of a collection. */
export const remove = (endpoint: CollectionEndpoint) => (id: unknown, given?: CallOptions) =>
  operate(endpoint, 'delete', given, () => ({
    parts: { method: 'DELETE', url: urlOf(endpoint, id) },
    toResult: (exchange) => toWriteOutcome(exchange),
  }));

/** OPTIONS of the collection, or of one resource. */
export const allowedMethods = (endpoint: CollectionEndpoint) => (id?: unknown, given?: CallOptions) =>
  operate(endpoint, 'allowedMethods', given, () => ({
    parts: { method: 'OPTIONS', url: id === undefined ? collectionUrlOf(endpoint) : urlOf(endpoint, id) },
    toResult: toAllowedMethods,
  }));
