import type { input, output } from 'zod/v4/core';
import type { Operation } from '../src/conventions.ts';
import type { AnyEndpoint } from '../src/schema/endpoint.ts';
import type { AnyResource } from '../src/schema/resource.ts';
import type { PathParameterName } from '../src/schema/types/declared.ts';
import type { Schema } from '../src/schema/types/shape.ts';
import type { Apis, MockRowOf, MockState, ResourceRow } from './row.ts';

type OneOf<A extends Apis> = A extends readonly (infer One)[] ? One : A;

type ActionName<C> = {
  [K in keyof C & string]: C[K] extends { readonly options: { readonly actions: infer Declared } }
    ? `${K}.${keyof Declared & string}`
    : never;
}[keyof C & string];

type NamesIn<One> =
  | (One extends { readonly endpoints: infer Declared } ? keyof Declared & string : never)
  | (One extends { readonly collections: infer C } ? ActionName<C> : never);

/**
 * The names of declared endpoints, such as `settings`, and of actions below their collections, such as
 * `orders.cancel`.
 */
export type EndpointKey<A extends Apis> = NamesIn<OneOf<A>>;

type OperationName<C> = {
  [K in keyof C & string]: C[K] extends {
    readonly options: { readonly operations: readonly (infer Declared)[] };
  }
    ? `${K}.${Declared & Operation}`
    : `${K}.${Operation}`;
}[keyof C & string];

type OperationsIn<One> = One extends { readonly collections: infer C } ? OperationName<C> : never;

/** What {@link EndpointKey} names, and the operations of collections, such as `orders.get`. */
export type FaultEndpoint<A extends Apis> = EndpointKey<A> | OperationsIn<OneOf<A>>;

type ParsedBy<E, K extends string> = E extends {
  readonly options: { readonly [P in K]: infer S extends Schema };
}
  ? output<S>
  : undefined;

/** A request that a {@link DeclaredHandler} gets, after the mock has checked it. */
export interface EndpointRequest<E, Path extends string, Row> {
  /** For its header fields: its body is in `body`. */
  readonly request: Request;
  /** The path parameters, decoded. */
  readonly parameters: { readonly [K in PathParameterName<Path>]: string };
  /** The declared query parameters, as their schema parses them. */
  readonly query: ParsedBy<E, 'query'>;
  /** The body as its schema parses it, or a `FormData`. */
  readonly body: ParsedBy<E, 'body'>;
  /** A copy of the row of an action. */
  readonly row: Row;
}

/** What a handler returns besides a `Response`. */
type Returned<E> = E extends { readonly options: { readonly response: infer S extends Schema } }
  ? S extends AnyResource
    ? ResourceRow<S>
    : input<S>
  : E extends { readonly options: { readonly as: string } }
    ? never
    : // biome-ignore lint/suspicious/noConfusingVoidType: for a function without `return`, in TypeScript 5
      void;

type Handler<A extends Apis, E, Path extends string, Row> = (
  given: EndpointRequest<E, Path, Row>,
  state: MockState<A>,
) => Returned<E> | Response | Promise<Returned<E> | Response>;

type HandlerIn<A extends Apis, One, K> =
  | (One extends { readonly endpoints: { readonly [P in K & string]: infer E extends AnyEndpoint } }
      ? Handler<A, E, E['path'], undefined>
      : never)
  | (K extends `${infer Key}.${infer Name}`
      ? One extends {
          readonly collections: {
            readonly [P in Key]: {
              readonly path: infer Above extends string;
              readonly options: { readonly actions: { readonly [P in Name]: infer E extends AnyEndpoint } };
            };
          };
        }
        ? Handler<A, E, `${Above}/${E['path']}`, MockRowOf<A, Key, 'stored'>>
        : never
      : never);

/**
 * Responds to requests to a declared endpoint or action, after the mock has checked credentials, path, query
 * and body. What it returns is sent as JSON, a row with its `self`; a `Response` is sent as it is.
 */
export type DeclaredHandler<A extends Apis, K extends EndpointKey<A>> = HandlersIn<A, OneOf<A>, K>;

// Distributes over several APIs.
type HandlersIn<A extends Apis, One, K> = One extends unknown ? HandlerIn<A, One, K> : never;

/** A {@link DeclaredHandler} of any endpoint. */
export type AnyHandler = (
  given: Readonly<Record<keyof EndpointRequest<unknown, '', unknown>, unknown>>,
  state: MockState,
) => unknown;
