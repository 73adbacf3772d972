import type { output } from 'zod/v4/core';
import type { NamedAuthorizer } from '../auth/with-authorization.ts';
import { InvalidRequestError } from '../errors/request-error.ts';
import { checkHeaderFields } from '../http/header-fields.ts';
import { createRetryBudget } from '../http/retry-budget.ts';
import { createTransport } from '../http/transport.ts';
import { parseBaseUrl } from '../http/url.ts';
import { createThrottle } from '../http/with-throttle.ts';
import type { Result } from '../query/result.ts';
import type { Schema } from '../query/shape.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import type { Resource } from '../schema/resource.ts';
import type { Call } from './call.ts';
import { type CallOptions, toCallDefaults } from './call-options.ts';
import { type ClientOptions, checkClientOptions, toSchemes } from './client-options.ts';
import { createApiClient } from './collection-client.ts';
import type { ApiClient } from './collection-types.ts';
import { callWith, createExchange, type Exchange, exchange, toFollowedUrl } from './exchange.ts';
import { toReadOutcome } from './outcome.ts';
import { type OwnRequest, sendOwnRequest, toOwnResult } from './own-request.ts';
import { createPipeline } from './pipeline.ts';
import { createSelectedSchemas } from './selected-schemas.ts';

/** A link to a resource: its URL, or a resource or stub that has a `self`. */
export type LinkTo = string | { readonly self?: string | undefined };

/** What {@link Client.request} gives, by `schema` and `accept`. */
export type OwnResult<Q extends OwnRequest> = Q extends { readonly schema: infer S extends Schema }
  ? output<S>
  : Q extends { readonly accept: infer A extends string }
    ? A extends `text/${string}`
      ? string
      : A extends `application/json` | `${string}+json`
        ? unknown
        : Uint8Array<ArrayBuffer>
    : unknown;

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
   * @param options - `auth` names the scheme when the client has several; the first one by default
   * @throws {@link CrossOriginUrlError} for a link that leads away from `baseUrl`; nothing is sent
   */
  follow<R extends Resource>(
    resource: R,
    link: LinkTo,
    options?: CallOptions & { readonly auth?: string },
  ): Call<Result<R>>;
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

const defaultMaxResponseBytes = 32 * 1024 * 1024;

/**
 * Creates a client. Nothing is sent before the first call.
 *
 * @throws {@link InvalidRequestError} for an option that cannot be used
 */
export const createClient = (options: ClientOptions): Client => {
  checkClientOptions(options);
  const { allowInsecure = false, headers = {}, concurrency = Number.POSITIVE_INFINITY } = options;
  const base = parseBaseUrl('baseUrl', options.baseUrl, allowInsecure);
  const defaults = toCallDefaults(options.timeoutMs, options.deadlineMs, options.retry);
  const fields = checkHeaderFields('headers', headers);
  const transport = createTransport({
    fetch: options.fetch,
    maxResponseBytes: options.maxResponseBytes ?? defaultMaxResponseBytes,
  });
  const shared = { transport, throttle: createThrottle(concurrency), budget: createRetryBudget() };
  const schemes = new Map<string, NamedAuthorizer>(
    Object.entries(toSchemes(options.auth)).map(([name, { kind, authorizer }]) => [
      name,
      { kind, authorizer: authorizer({ transport, allowInsecure }) },
    ]),
  );

  const connect = (names: readonly string[], who: string): Exchange => {
    const taken = names.map((name) => schemes.get(name)).filter((scheme) => scheme !== undefined);
    if (taken.length === 0) {
      throw new InvalidRequestError(
        `${who} takes ${names.join(' or ')}; this client has ${[...schemes.keys()].join(', ')}`,
      );
    }
    return createExchange(base, defaults, fields, createPipeline(taken, shared));
  };

  const apis = new WeakMap<ApiDeclaration, object>();
  const direct = new Map<string, Exchange>();
  const connectDirect = (auth: string = schemes.keys().next().value as string): Exchange => {
    const known = direct.get(auth) ?? connect([auth], 'This call');
    direct.set(auth, known);
    return known;
  };
  const itemOf = new WeakMap<Resource, ReturnType<typeof createSelectedSchemas>>();

  return Object.freeze({
    api: <const A extends ApiDeclaration>(api: A): ApiClient<A> => {
      const names = typeof api.auth === 'string' ? [api.auth] : api.auth;
      const known =
        apis.get(api) ?? createApiClient(api, connect(names, `The API ${JSON.stringify(api.name)}`));
      apis.set(api, known);
      return known as ApiClient<A>;
    },
    follow: <R extends Resource>(
      resource: R,
      link: LinkTo,
      { auth, ...call }: CallOptions & { auth?: string } = {},
    ) => {
      const schemas = itemOf.get(resource) ?? createSelectedSchemas(resource);
      itemOf.set(resource, schemas);
      const send = async () => {
        const api = connectDirect(auth);
        const target = typeof link === 'string' ? link : link.self;
        if (target === undefined)
          throw new InvalidRequestError('The resource has no self: it cannot be fetched (§2.1)');
        return exchange(
          api,
          { method: 'GET', url: toFollowedUrl(base, target), headers: api.readFields },
          call,
        );
      };
      return callWith(send, (answer) => toReadOutcome(answer, schemas({}).item) as Promise<Result<R>>);
    },
    request: <const Q extends OwnRequest>(request: Q) =>
      callWith(
        async () => sendOwnRequest(connectDirect(request.auth), request),
        (answer) => toOwnResult(answer, request) as OwnResult<Q>,
      ),
  });
};
