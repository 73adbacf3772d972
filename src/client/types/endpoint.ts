import type { output } from 'zod/v4/core';
import type { Collection } from '../../schema/collection.ts';
import type { AnyEndpoint } from '../../schema/endpoint.ts';
import type { AnyResource, Resource } from '../../schema/resource.ts';
import type { OwnBody } from '../../schema/types/body.ts';
import type { IdOf, PathParameterName, PathParameters } from '../../schema/types/declared.ts';
import type { Call } from '../call.ts';
import type { CallOptions, ConditionalOptions } from '../options.ts';
import type { BodyByForm } from '../own-request.ts';
import type { Accepted, Done } from '../results.ts';
import type { OptionalQueryArguments, RequiredQueryArguments } from './arguments.ts';
import type { MaybeNotModified, ReadResult } from './selected.ts';

/** What an endpoint declares under the option `K`; `never` where it does not declare it. */
type EndpointOption<E extends AnyEndpoint, K extends string> = E['options'] extends {
  readonly [P in K]: infer Given;
}
  ? Given
  : never;

/** The resource of a response; one without fields where it is none. */
type ResourceOf<E extends AnyEndpoint> =
  EndpointOption<E, 'response'> extends infer R extends Resource ? R : Resource<Record<never, never>>;

/**
 * An endpoint as a collection with its `fields` and `expand`, from which queries and results are computed.
 */
type EndpointAsCollection<E extends AnyEndpoint> = Collection<
  E['path'],
  ResourceOf<E>,
  Pick<E['options'], Extract<keyof E['options'], 'fields' | 'expand'>>
> & { readonly declarer: 'endpoint' };

/** The options of a call: only a GET may be conditional. */
type OptionsOf<E extends AnyEndpoint> = E['method'] extends 'GET' ? ConditionalOptions : CallOptions;

/** `query` of an endpoint that declares one; it may be left out where none of its parameters is required. */
type QueryPart<E extends AnyEndpoint> = [EndpointOption<E, 'query'>] extends [never]
  ? unknown
  : Record<never, never> extends OwnBody<EndpointOption<E, 'query'>>
    ? {
        /** The query parameters of the endpoint. */
        readonly query?: OwnBody<EndpointOption<E, 'query'>> | undefined;
      }
    : {
        /** The query parameters of the endpoint, of which one is required. */
        readonly query: OwnBody<EndpointOption<E, 'query'>>;
      };

/** `body` of an endpoint that declares one; it may be left out where its schema is optional. */
export type BodyPart<E extends AnyEndpoint> = [EndpointOption<E, 'body'>] extends [never]
  ? unknown
  : undefined extends OwnBody<EndpointOption<E, 'body'>>
    ? {
        /** The body of the request. */
        readonly body?: OwnBody<EndpointOption<E, 'body'>>;
      }
    : {
        /** The body of the request. */
        readonly body: OwnBody<EndpointOption<E, 'body'>>;
      };

/** The parameters of the path of an endpoint that has some. */
type PathPart<E extends AnyEndpoint> = [PathParameterName<E['path']>] extends [never]
  ? unknown
  : PathParameters<E['path']>;

/** What decides the URL of an endpoint or an action: the parameters of its path, and its query. */
export type UrlInput<E extends AnyEndpoint> = PathPart<E> & QueryPart<E>;

/** What the object of an action holds: path parameters of its own, its query, and the options of the call. */
type ActionInput<E extends AnyEndpoint> = OptionsOf<E> & UrlInput<E>;

/** The arguments of an endpoint: one object, which may be left out where nothing in it is required. */
export type EndpointArguments<E extends AnyEndpoint, A extends readonly unknown[], Input> =
  Record<never, never> extends Input
    ? OptionalQueryArguments<EndpointAsCollection<E>, 'get', A, Input>
    : RequiredQueryArguments<EndpointAsCollection<E>, A, Input>;

/** What the body of a success gives, by `response` or `as`. */
type BodyResult<E extends AnyEndpoint, A extends readonly unknown[]> = [
  EndpointOption<E, 'response'>,
] extends [never]
  ? [EndpointOption<E, 'as'>] extends [never]
    ? Done
    : BodyByForm[EndpointOption<E, 'as'> & keyof BodyByForm]
  : EndpointOption<E, 'response'> extends AnyResource
    ? ReadResult<EndpointAsCollection<E>, A>
    : output<EndpointOption<E, 'response'>>;

/**
 * What a call of an {@link endpoint} with the arguments `A` returns: the body, {@link Done} without one,
 * {@link Accepted} with `accepts`, {@link NotModified} for a GET with a condition.
 */
export type EndpointResult<E extends AnyEndpoint, A extends readonly unknown[] = []> =
  | BodyResult<E, A>
  | (EndpointOption<E, 'accepts'> extends never ? never : Accepted)
  | (E['method'] extends 'GET' ? MaybeNotModified<A> : never);

/**
 * An endpoint of {@link Client.api}: a function of one object with its path parameters, its `query` and
 * `body`, and the options of the call.
 */
export type EndpointClient<E extends AnyEndpoint> = <const A extends readonly unknown[] = []>(
  ...given: EndpointArguments<E, A, ActionInput<E> & BodyPart<E>>
) => Call<EndpointResult<E, A>>;

/**
 * An action of a collection: a function of the id of a resource, the body where one is declared, and the
 * options of the call.
 */
export type Action<C extends Collection, E extends AnyEndpoint> = [EndpointOption<E, 'body'>] extends [never]
  ? <const A extends readonly unknown[] = []>(
      id: IdOf<C>,
      ...options: EndpointArguments<E, A, ActionInput<E>>
    ) => Call<EndpointResult<E, A>>
  : <const A extends readonly unknown[] = []>(
      id: IdOf<C>,
      body: OwnBody<EndpointOption<E, 'body'>>,
      ...options: EndpointArguments<E, A, ActionInput<E>>
    ) => Call<EndpointResult<E, A>>;

/** The actions of a collection. */
export type Actions<C extends Collection> = C['options'] extends { readonly actions: infer Declared }
  ? { readonly [K in keyof Declared]: Declared[K] extends AnyEndpoint ? Action<C, Declared[K]> : never }
  : unknown;

/** The endpoints of an API. */
export type Endpoints<Declared> = {
  readonly [K in keyof Declared]: Declared[K] extends AnyEndpoint ? EndpointClient<Declared[K]> : never;
};
