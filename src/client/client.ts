import type { output } from 'zod/v4/core';
import type { AuthScheme } from '../auth/auth-scheme.ts';
import { InvalidRequestError } from '../errors/request-error.ts';
import type { Schema, Unknown } from '../query/shape.ts';
import type { ExpandPath, FieldPath } from '../schema/collection.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import type { Resource } from '../schema/resource.ts';
import type { Call } from './call.ts';
import type { Unconditional } from './call-options.ts';
import type { AuthSchemes, ClientOptions, SchemeName } from './client-options.ts';
import { createApiClient } from './collection-client.ts';
import type { ApiClient } from './collection-types.ts';
import { createConnection } from './connection.ts';
import { callWith, type Exchange } from './exchange.ts';
import { createFollow, type FollowOptions, type LinkTo } from './follow.ts';
import type { NotModified } from './outcome.ts';
import { type OwnRequest, readOwnRequest, sendOwnRequest, toOwnResult } from './own-request.ts';
import type { Followed, Given, MayBe, Names } from './query-types.ts';

/** What {@link Client.request} gives, by `schema` and `accept`; for a conditional request also {@link NotModified}. */
export type OwnResult<Q extends OwnRequest> = OwnBody<Q> | Unchanged<Q[keyof Q & keyof Unconditional]>;

/** What a condition adds to a result. */
type Unchanged<Condition> = [Condition] extends [undefined] ? never : NotModified;

type OwnBody<Q extends OwnRequest> = Q extends { readonly schema: infer S extends Schema }
  ? output<S>
  : Q extends { readonly accept: infer A extends string }
    ? AcceptedBody<A>
    : unknown;

/** What a content type arrives as. A list of them, or one that is known at run time only, may be any. */
type AcceptedBody<A extends string> = string extends A
  ? unknown
  : A extends `${string},${string}` | `application/json${string}` | `${string}+json${string}`
    ? unknown
    : A extends `text/${string}`
      ? string
      : Uint8Array<ArrayBuffer>;

/** An API that takes one of the client's schemes; for another one the compiler says what is missing. */
type Served<A extends ApiDeclaration, S extends string> = string extends S
  ? unknown
  : [Extract<AuthNameOf<A>, S>] extends [never]
    ? `${A['name']} takes ${AuthNameOf<A>}, which this client does not have`
    : unknown;

type AuthNameOf<A extends ApiDeclaration> = A['auth'] extends readonly (infer N extends string)[]
  ? N
  : A['auth'] & string;

/**
 * A client of the family, for any number of its APIs.
 *
 * @typeParam S - the names of its schemes
 */
// biome-ignore lint/suspicious/noExplicitAny: a client whatever its schemes are; `string` would be one that has all of them
export interface Client<in S extends string = any> {
  /**
   * The collections of an API.
   *
   * @throws {@link InvalidRequestError} when the client has none of the schemes that the API takes
   */
  api<const A extends ApiDeclaration>(api: A & Served<A, S>): ApiClient<A>;
  /**
   * Fetches what a self link or a `Location` leads to.
   *
   * @throws {@link CrossOriginUrlError} for a link that leads away from `baseUrl`; nothing is sent
   */
  follow<
    R extends Resource,
    const F extends Names<FieldPath<R>> = undefined,
    const E extends Names<ExpandPath<R>> = undefined,
    Q = unknown,
  >(
    resource: R,
    link: LinkTo,
    options?: Given<FollowOptions<R, F, E, S> & Unconditional, Q>,
  ): Call<Followed<R, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>, ExpandPath<R>>>;
  /** The same, unless it is unchanged (§7.1, 304): {@link isNotModified} tells. */
  follow<
    R extends Resource,
    const F extends Names<FieldPath<R>> = undefined,
    const E extends Names<ExpandPath<R>> = undefined,
    Q = unknown,
  >(
    resource: R,
    link: LinkTo,
    options: Given<FollowOptions<R, F, E, S>, Q> | undefined,
  ): Call<Followed<R, MayBe<F, Q, 'fields'>, MayBe<E, Q, 'expand'>, ExpandPath<R>> | NotModified>;
  /** The resource, whole: the last form is the one that `ReturnType` sees. */
  follow<R extends Resource>(
    resource: R,
    link: LinkTo,
  ): Call<Followed<R, undefined, undefined, ExpandPath<R>>>;
  /**
   * Sends a request to an API's own endpoint.
   *
   * @example
   * ```ts
   * const csv = await client.request({ method: 'GET', path: 'v1/reports/3', accept: 'text/csv' });
   * ```
   */
  request<const Q extends OwnRequest<S>>(
    request: Q & Unknown<Q, keyof OwnRequest, 'a request'>,
  ): Call<OwnResult<Q>>;
}

/**
 * Creates a client. Nothing is sent before the first call.
 *
 * @throws {@link InvalidRequestError} for an option that cannot be used
 */
export const createClient = <const A extends AuthScheme | AuthSchemes>(
  options: ClientOptions<A>,
): Client<SchemeName<A>> => {
  const connection = createConnection(options);
  const apis = new WeakMap<ApiDeclaration, object>();

  const connect = ({ api, auth }: OwnRequest): Exchange => {
    if (api !== undefined && auth !== undefined)
      throw new InvalidRequestError('client.request takes api or auth: an API names the scheme it takes');
    return api === undefined ? connection.connectDirect(auth) : connection.connectApi(api);
  };

  const client: Client = {
    api: <const A extends ApiDeclaration>(api: A): ApiClient<A> => {
      const known = apis.get(api) ?? createApiClient(api, connection.connectApi(api));
      apis.set(api, known);
      return known as ApiClient<A>;
    },
    // The types of a call say what the schema, derived from the same declaration, lets through.
    follow: createFollow(connection) as Client['follow'],
    request: ((given: OwnRequest) => {
      const call = connection.beginCall();
      let request = given;
      const send = async () => {
        request = readOwnRequest(given, 'client.request');
        return sendOwnRequest({ ...connect(request), call }, request);
      };
      return callWith(call, send, (answer) => toOwnResult(answer, request));
    }) as Client['request'],
  };
  return Object.freeze(client);
};
