import type { output } from 'zod/v4/core';
import type { AuthScheme } from '../auth/authorize.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { type ApiDeclaration, isDeclaration } from '../schema/define-api.ts';
import type { Resource } from '../schema/resource.ts';
import type { Exact } from '../schema/types/shape.ts';
import { oncePer } from '../schema/zod.ts';
import type { Call } from './call.ts';
import { createApiClient } from './collection.ts';
import { createContext } from './context.ts';
import { createFetch, type WebFetch } from './fetch.ts';
import { createFollow } from './follow.ts';
import type { AuthSchemes, ClientOptions, ConditionalOptions, SchemeName } from './options.ts';
import { type BodyByForm, createRequest, type OwnRequest } from './own-request.ts';
import type { Accepted, Done } from './results.ts';
import type { OptionalQueryArguments } from './types/arguments.ts';
import type { ApiClient } from './types/collection.ts';
import type { ResourceAsCollection } from './types/query.ts';
import type { MaybeNotModified, ReadResult } from './types/selected.ts';

/** The result of {@link Client.request}, by `as` and `schema`. */
type OwnResult<Q extends OwnRequest> = Q extends { readonly as: infer Form extends keyof BodyByForm }
  ? BodyByForm[Form]
  : Q extends { readonly schema: infer T }
    ? output<T> | (Q extends { readonly method: 'GET' | 'OPTIONS' } ? never : Accepted | Done)
    : unknown;

/**
 * The schemes that an API needs and a client lacks: `'token'` for an API with `auth: 'token'`, where `S` is
 * `'basic'`; `never` if it lacks none, or if the scheme is known only at run time. Of an API with a list,
 * such as `auth: ['basic', 'token']`, the client needs one.
 */
type MissingScheme<Auth, S> = string extends Auth ? never : Exclude<NeededScheme<Auth, S>, S>;

/** The schemes that an API needs, without those of a list of which the client has one. */
type NeededScheme<Auth, S> = Auth extends readonly (infer Name)[]
  ? [Extract<Name, S>] extends [never]
    ? Name
    : never
  : Auth;

/**
 * What {@link Client.api} of a client with the schemes `S` takes: the API, or what is missing if the client
 * does not have its scheme. It is read from a property, so that a function with a type parameter can pass its
 * API on.
 */
export type CheckedApi<A extends ApiDeclaration, S extends string> = A extends unknown
  ? {
      /** The API, or what is missing. */
      readonly api: [MissingScheme<A['auth'], S>] extends [never]
        ? A
        : `the API "${A['name']}" needs the scheme "${MissingScheme<A['auth'], S> & string}"; pass it in createClient({ auth }), which has "${S}"`;
    }
  : never;

/** What {@link Client.request} takes when it is given `Q`: its options, or what is wrong with them. */
export type CheckedRequest<Q, S extends string> = Q extends unknown
  ? Exact<Q, OwnRequest> &
      (Q extends { readonly api: infer A extends ApiDeclaration }
        ? { readonly api: CheckedApi<A, S>['api'] }
        : unknown)
  : never;

/**
 * A client of the family, for any number of its APIs.
 *
 * @typeParam S - the names of its schemes
 */
// biome-ignore lint/suspicious/noExplicitAny: with any schemes; `string` would be a client with all of them
export interface Client<in S extends string = any> {
  /** The base URL that its requests go to, without a slash at the end. It never holds credentials. */
  readonly baseUrl: string;
  /**
   * The collections of an API.
   *
   * @throws {@link InvalidRequestError} when the client has none of the schemes that the API takes
   */
  api<const A extends ApiDeclaration>(api: CheckedApi<A, S>['api'] & A): ApiClient<A>;
  /**
   * Fetches the resource at a self link or a `Location`, with the client's first scheme or the one that
   * `auth` names.
   *
   * @throws {@link CrossOriginUrlError} for a link to another origin than that of `baseUrl`; nothing is sent
   * @example
   * ```ts
   * const order = await orders.get(7);
   * const company = await client.follow(Company, order.company);
   * ```
   */
  follow<R extends Resource, const A extends readonly unknown[] = []>(
    resource: R,
    link: string | { readonly self?: string | undefined },
    ...options: OptionalQueryArguments<
      ResourceAsCollection<R>,
      'get',
      A,
      ConditionalOptions & Pick<OwnRequest<S>, 'auth'>
    >
  ): Call<ReadResult<ResourceAsCollection<R>, A> | MaybeNotModified<A>>;
  /**
   * Sends a request to an API's own endpoint, with the scheme of `api`; without `api`, as `follow` does.
   *
   * @example
   * ```ts
   * const csv = await client.request({ method: 'GET', path: 'v1/reports/3', as: 'text' });
   * ```
   */
  request<const Q extends OwnRequest<S>>(
    request: Q & CheckedRequest<Q, S>,
  ): Call<OwnResult<Q> | MaybeNotModified<[Q]>>;
  /**
   * A `fetch` with the client's first scheme, for any other client that takes one. It sends to the origin of
   * `baseUrl` alone, and returns a `Response` of any status, unread: the credentials, one renewal and one
   * replay after a 401, the retries, the rate limit and the time limits, up to the headers, are those of
   * every call. Of a write that is retried it returns the last response: a 409 may be due to the first one.
   *
   * Of the options of `fetch` it reads `method`, `headers`, `body` and `signal`. A `ReadableStream`, and a
   * body of a `Request` above 1 MiB, is sent once. An error body is limited by `maxResponseBytes`.
   *
   * @throws {@link CrossOriginUrlError} for another origin; {@link RedirectRefusedError};
   * {@link InvalidRequestError} for an `authorization` of the caller's; {@link ConnectionError} and
   * {@link TokenRequestError} where no response arrived
   * @example
   * ```ts
   * const response = await client.fetch(`${client.baseUrl}/v1/orders`);
   * if (response.ok) console.log(await response.json());
   * ```
   */
  readonly fetch: WebFetch;
  /**
   * {@link Client.fetch} with another scheme of the client.
   *
   * @throws {@link InvalidRequestError} for a scheme that the client does not have
   */
  fetchAs(scheme: S): WebFetch;
}

/**
 * Creates a client. Nothing is sent before the first call.
 *
 * @throws {@link InvalidRequestError} for an invalid option
 * @example
 * ```ts
 * const client = createClient({
 *   baseUrl: 'https://api.example.com',
 *   auth: tokenAuth({ authUrl: 'https://auth.example.com', username, password }),
 *   deadlineMs: 10_000,
 * });
 * const { orders } = client.api(ordering);
 * ```
 */
export const createClient = <const A extends AuthScheme | AuthSchemes>(
  options: ClientOptions<A>,
): Client<SchemeName<A>> => {
  const context = createContext(options);
  const clientOf = oncePer((api: ApiDeclaration): object => createApiClient(api, context.forApi(api)));

  const client: Client = {
    baseUrl: context.baseUrl,
    api: <const A extends ApiDeclaration>(api: A): ApiClient<A> => {
      if (!isDeclaration(api))
        throw new InvalidRequestError('client.api needs the declaration that defineApi returned');
      return clientOf(api) as ApiClient<A>;
    },
    // The types of a call follow from the same declaration as the schema that checks its result.
    follow: createFollow(context) as Client['follow'],
    request: createRequest(context) as Client['request'],
    fetch: createFetch(context),
    fetchAs: (scheme) => createFetch(context, scheme),
  };
  return Object.freeze(client);
};
