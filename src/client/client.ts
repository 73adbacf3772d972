import type { output } from 'zod/v4/core';
import { InvalidRequestError } from '../errors/request-error.ts';
import type { Result } from '../query/result.ts';
import type { Schema } from '../query/shape.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import type { Resource } from '../schema/resource.ts';
import type { Call } from './call.ts';
import type { CallOptions } from './call-options.ts';
import type { ClientOptions } from './client-options.ts';
import { createApiClient } from './collection-client.ts';
import type { ApiClient } from './collection-types.ts';
import { createConnection } from './connection.ts';
import { callWith, exchange, toFollowedUrl } from './exchange.ts';
import { toReadOutcome } from './outcome.ts';
import { type OwnRequest, sendOwnRequest, toOwnResult } from './own-request.ts';
import { createSelectedSchemas } from './selected-schemas.ts';

/** A link to a resource: its URL, or a resource or stub that has a `self`. */
export type LinkTo = string | { readonly self?: string | undefined };

/** Options of {@link Client.follow}. */
export interface FollowOptions extends CallOptions {
  /** The scheme to use, when the client has several; the first one by default. */
  readonly auth?: string | undefined;
}

/** What {@link Client.request} gives, by `schema` and `accept`. */
export type OwnResult<Q extends OwnRequest> = Q extends { readonly schema: infer S extends Schema }
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

/** A client of the family, for any number of its APIs. */
export interface Client {
  /**
   * The collections of an API.
   *
   * @throws {@link InvalidRequestError} when the client has none of the schemes that the API takes
   */
  api<const A extends ApiDeclaration>(api: A): ApiClient<A>;
  /**
   * Fetches what a self link or a `Location` leads to.
   *
   * @throws {@link CrossOriginUrlError} for a link that leads away from `baseUrl`; nothing is sent
   */
  follow<R extends Resource>(resource: R, link: LinkTo, options?: FollowOptions): Call<Result<R>>;
  /**
   * Sends a request to an API's own endpoint.
   *
   * @example
   * ```ts
   * const csv = await client.request({ method: 'GET', path: 'v1/reports/3', accept: 'text/csv' });
   * ```
   */
  request<const Q extends OwnRequest>(request: Q): Call<OwnResult<Q>>;
}

/**
 * Creates a client. Nothing is sent before the first call.
 *
 * @throws {@link InvalidRequestError} for an option that cannot be used
 */
export const createClient = (options: ClientOptions): Client => {
  const connection = createConnection(options);
  const apis = new WeakMap<ApiDeclaration, object>();
  const schemasOf = new WeakMap<Resource, ReturnType<typeof createSelectedSchemas>>();

  return Object.freeze({
    api: <const A extends ApiDeclaration>(api: A): ApiClient<A> => {
      const known = apis.get(api) ?? createApiClient(api, connection.connectApi(api));
      apis.set(api, known);
      return known as ApiClient<A>;
    },
    follow: <R extends Resource>(resource: R, link: LinkTo, options: FollowOptions = {}) => {
      const schemas = schemasOf.get(resource) ?? createSelectedSchemas(resource, true);
      schemasOf.set(resource, schemas);
      const { auth, ...call } = options;
      const send = async () => {
        const target = typeof link === 'string' ? link : link?.self;
        if (target === undefined) {
          throw new InvalidRequestError('The resource has no self: it cannot be fetched (§2.1)');
        }
        const api = connection.connectDirect(auth);
        const url = toFollowedUrl(connection.base, target);
        return exchange(api, { method: 'GET', url, headers: api.readFields }, call);
      };
      return callWith(send, (answer) => toReadOutcome(answer, schemas({}).item) as Promise<Result<R>>);
    },
    request: <const Q extends OwnRequest>(request: Q) =>
      callWith(
        async () => sendOwnRequest(connection.connectDirect(request.auth), request),
        (answer) => toOwnResult(answer, request) as OwnResult<Q>,
      ),
  });
};
