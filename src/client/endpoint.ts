import { header, type Method } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { encodeSegment, formatPath } from '../http/url.ts';
import { createReader, type OptionChecks } from '../options.ts';
import { checkParameters, checkQuery, formatQuery } from '../query/query.ts';
import { checkEndpoints, readEndpoint } from '../schema/check-endpoints.ts';
import { encoderOf, parse, requireSynchronous } from '../schema/codec.ts';
import { parameterNamesOf, templateOf } from '../schema/collection.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import type { CheckedEndpoint, DeclaredEndpoint, EndpointCode, EndpointOptions } from '../schema/endpoint.ts';
import { isResource } from '../schema/resource.ts';
import { type Selection, selectedSchemasOf } from '../schema/select.ts';
import type { Schema } from '../schema/types/shape.ts';
import { coreOf, kindOf } from '../schema/zod.ts';
import { type Call, callWith, type PreparedCall } from './call.ts';
import type { ApiContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import { withQuery } from './operations.ts';
import { type ConditionalOptions, callChecks, conditionalChecks } from './options.ts';
import {
  requireNoWebPage,
  toAccepted,
  toDone,
  toNotModified,
  toResource,
  toValue,
  unexpected,
} from './outcome.ts';
import { requireWhole, toOwnBody, toOwnParts } from './own-request.ts';

/** What a call is given besides its path parameters. */
interface Given extends ConditionalOptions, Selection {
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Where the endpoints of an API are, or the actions of a collection. */
export interface EndpointPlace {
  readonly api: ApiContext;
  /** The key of the collection of actions. */
  readonly collection?: string;
  /** The field in the path of one resource of that collection. */
  readonly key?: string;
  /** The URL of the API, or of that collection. */
  readonly url: string;
  /** The template of the API or of that collection, without the base URL. */
  readonly template: string;
}

type Functions = Readonly<Record<string, (...given: readonly never[]) => Call<unknown>>>;

/** Makes the functions of a client; see {@link EndpointCode.bind}. */
export type BindEndpoints = (
  place: EndpointPlace,
  declared: Readonly<Record<string, DeclaredEndpoint>>,
) => Functions;

/**
 * The reader of what a call takes: the options of a call, path parameters, and what the endpoint declares.
 */
const createGivenReader = ({ method, path, options }: DeclaredEndpoint, hasBody: boolean) => {
  const declared = (['query', 'fields', 'expand'] as const).filter((name) => options[name] !== undefined);
  const names = [...parameterNamesOf(path), ...declared, ...(hasBody ? ['body'] : [])];
  const checks = {
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    ...(method === 'GET' ? conditionalChecks : callChecks),
  };
  const ofQuery = options.query === undefined ? '' : '; parameters of the query belong in `query`';
  const ofBody = hasBody ? '; the body belongs in `body`' : '';
  // The names of path parameters are known only here.
  return createReader(checks as OptionChecks<Given>, { hint: ofQuery + ofBody });
};

/** The classes of bodies that are not JSON. */
const bodyClasses = { FormData, URLSearchParams, Blob };

/** @throws {@link InvalidRequestError} for a body of another class than the declared one, sent as JSON */
const checkInstance = (name: string, schema: Schema, body: unknown): void => {
  if (kindOf(coreOf(schema)) !== 'custom' || parse(schema, body).ok) return;
  const [wanted] = Object.entries(bodyClasses).find(([, Class]) => parse(schema, new Class()).ok) ?? [];
  const problem =
    wanted === undefined ? 'does not match its declaration' : `must be a ${wanted}, as declared`;
  throw new InvalidRequestError(`${name}: the body ${problem}`);
};

const acceptedLater = (exchange: Exchange, accepts: boolean): unknown => {
  // Nobody reads the body, and its connection must end.
  exchange.response.unread?.body?.cancel().catch(() => undefined);
  if (accepts) return toAccepted(exchange);
  const advice = 'add accepts: true to the endpoint() to get this as a result';
  throw unexpected(exchange, `the server accepted the work and does it later; ${advice}`);
};

const toResult = (
  exchange: Exchange,
  { as, accepts, response }: EndpointOptions,
  accept: string,
  schema: Schema | undefined,
): unknown => {
  const { status } = exchange.response;
  if (status === 304) return toNotModified(exchange);
  requireWhole(exchange);
  if (status === 202) return acceptedLater(exchange, accepts === true);
  if (as !== undefined) return toOwnBody(exchange, as, accept);
  requireNoWebPage(exchange);
  if (schema === undefined) return toDone();
  return isResource(response) ? toResource(exchange, schema) : toValue(exchange, schema);
};

/**
 * Makes the function that prepares a call; `above` is the URL of what the path is below, and `template` that
 * of the endpoint.
 *
 * @param placeOfBody - where a caller passes the body, in words
 */
const createPrepare = (
  name: string,
  api: ApiContext,
  template: string,
  declared: DeclaredEndpoint,
  placeOfBody: string,
) => {
  const { method, path, options } = declared;
  const { query, body: bodySchema, contentType, response, as, accept } = options;
  const schemasOf = isResource(response) ? selectedSchemasOf(response) : undefined;
  const shared = { ...options, name, wire: api.wire };
  const rules = response && { ...shared, resource: response };
  const slash = (options.trailingSlash ?? api.wire.family.trailingSlash) ? '/' : '';

  return (above: string, given: Given, body: unknown): PreparedCall => {
    for (const schema of [bodySchema, response]) if (schema !== undefined) requireSynchronous(schema);
    if (bodySchema !== undefined && body === undefined && !parse(bodySchema, undefined).ok)
      throw new InvalidRequestError(`${name}: the body is missing; pass it ${placeOfBody}`);
    if (bodySchema !== undefined) checkInstance(name, bodySchema, body);
    const selection = { fields: given.fields, expand: given.expand };
    if (rules !== undefined) checkQuery(selection, rules);
    const params = query && checkParameters(query, given.query, name, 'query', 'endpoint');
    const url = `${above}/${formatPath(path, { ...given }, `${name}: `)}${slash}`;
    const content = {
      method,
      url: withQuery(url, formatQuery({ ...selection, params }, rules ?? shared)),
      as: as ?? ('json' as const),
      accept,
      body: bodySchema && api.wire.writeIds(encoderOf(bodySchema)(body, `${name}: body`), bodySchema),
      contentType,
      headers: given.headers,
    };
    const parts = { ...toOwnParts(api, content, name), template };
    const accepted = parts.headers[header.accept] ?? '*/*';
    const schema = schemasOf?.(selection) ?? response;
    return {
      api,
      options: given,
      endpoint: { name, url, template },
      parts,
      toResult: (exchange) => toResult(exchange, options, accepted, schema),
    };
  };
};

const bindEndpoint = (name: string, { api, url, template }: EndpointPlace, declared: DeclaredEndpoint) => {
  const readGiven = createGivenReader(declared, declared.options.body !== undefined);
  const prepare = createPrepare(name, api, `${template}/${templateOf(declared.path)}`, declared, 'as `body`');
  return (given?: Given): Call<unknown> => {
    const prepareCall = (): PreparedCall => {
      const read = readGiven(given, name);
      return prepare(url, read, read.body);
    };
    return callWith(api.beginCall, prepareCall, given);
  };
};

const bindAction = (name: string, { api, key, url, template }: EndpointPlace, declared: DeclaredEndpoint) => {
  const readGiven = createGivenReader(declared, false);
  const ofAction = `${template}/{id}/${templateOf(declared.path)}`;
  const prepare = createPrepare(name, api, ofAction, declared, 'after the id');
  const act = (id: unknown, body: unknown, given: Given | undefined): Call<unknown> => {
    const prepareAction = (): PreparedCall => {
      const above = `${url}/${encodeSegment(`${name}: ${key}`, id)}`;
      return prepare(above, readGiven(given, name), body);
    };
    return callWith(api.beginCall, prepareAction, given);
  };
  if (declared.options.body !== undefined) return act;
  return (id: unknown, given: Given | undefined) => act(id, undefined, given);
};

const bind: BindEndpoints = (place, endpoints) => {
  const { collection } = place;
  const bound = Object.entries(endpoints).map(([key, declared]) => {
    if (collection === undefined) return [key, bindEndpoint(key, place, declared)];
    return [key, bindAction(`${collection}.${key}`, place, declared)];
  });
  return Object.fromEntries(bound);
};

/** What a call takes in the same object as the parameters of its path, which cannot have these names. */
const callNames = ['query', 'body', 'fields', 'expand', '__proto__'];

const code: EndpointCode = {
  check: (api: ApiDeclaration) => checkEndpoints(api, [...callNames, ...Object.keys(conditionalChecks)]),
  bind,
};

/**
 * Declares an endpoint that is not a collection: its method, its path below `/v<major>/`, and what it takes
 * and returns. It stands in the `endpoints` of {@link defineApi}, or in the `actions` of {@link collection},
 * where its path is below that of a resource.
 *
 * Retries and errors are those of every call. Any 2xx is a success, but 202 only with `accepts`. A `response`
 * that is a resource is read as those of collections are; any other is the whole body.
 *
 * @param path - for example `settings` or `recordings/:id/audio`
 * @throws {@link InvalidRequestError} for a method, a path or an option that an endpoint cannot have
 * @example
 * ```ts
 * const audio = endpoint('GET', 'recordings/:id/audio', { accept: 'audio/wav', as: 'response' });
 * const cancel = endpoint('POST', 'cancel', { body: z.object({ reason: z.string() }), response: Order });
 * ```
 */
export const endpoint = <
  const M extends Method,
  const Path extends string,
  const O extends EndpointOptions = Record<never, never>,
>(
  method: M,
  path: Path,
  options?: (O & undefined) | CheckedEndpoint<O, M>,
): DeclaredEndpoint<M, Path, O> => {
  // The compiler has checked the options, which are `O`.
  const declared = { method, path, options: { ...(options as unknown as O) }, code };
  readEndpoint(declared);
  return Object.freeze(declared);
};
