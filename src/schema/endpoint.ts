import type { Method } from '../conventions.ts';
import type { Resource } from './resource.ts';
import type { CheckedNames, CheckedRepeated, ShapeIn } from './types/checked.ts';
import type { AnySchema, NamesOf, ObjectSchema, UnknownName } from './types/shape.ts';

/**
 * What an {@link endpoint} takes and returns.
 *
 * @example
 * ```ts
 * const report = endpoint('POST', 'reports', {
 *   query: z.object({ from: z.iso.date() }),
 *   body: z.object({ title: z.string() }),
 *   response: resource({ title: z.string(), total: z.number() }),
 *   accepts: true,
 * });
 * ```
 */
export interface EndpointOptions {
  /** Its query parameters, an object schema. Lists are sent with commas, dates as ISO 8601. */
  readonly query?: AnySchema & ObjectSchema<unknown>;
  /** The lists in `query` that are sent as one parameter for each item: `status=open&status=shipped`. */
  readonly repeated?: readonly string[];
  /**
   * The body of its requests, sent as JSON. `z.instanceof(FormData)` declares a form, also with files,
   * `z.instanceof(URLSearchParams)` one that is URL-encoded, and `z.instanceof(Blob)` text or bytes.
   */
  readonly body?: AnySchema;
  /**
   * The content type of a body of JSON or of a Blob, such as `application/merge-patch+json`; by default
   * `application/json`, and that of the Blob.
   */
  readonly contentType?: string;
  /**
   * The JSON of its responses: a resource, or any other schema. Without it and `as`, a call resolves with
   * {@link Done}.
   */
  readonly response?: AnySchema;
  /** How a body that is not JSON arrives: as a string, as bytes, or unread as the `Response` of `fetch`. */
  readonly as?: 'text' | 'bytes' | 'response';
  /** The accepted content types (§4.3); `application/json` by default, any type with `as`. */
  readonly accept?: string;
  /** Whether its path ends with a slash; by default as the family of its API says. */
  readonly trailingSlash?: boolean;
  /** The server may accept the work and do it later (202): a call may then resolve with {@link Accepted}. */
  readonly accepts?: true;
  /**
   * `true` for every field of a `response` that is a resource, or the paths that `fields` may name (§4.4).
   */
  readonly fields?: true | readonly string[];
  /** The nested resources of such a `response` that can be expanded (§4.4). */
  readonly expand?: readonly string[];
}

/** An endpoint that is not a collection, as {@link endpoint} declares it. */
export interface DeclaredEndpoint<
  M extends Method = Method,
  Path extends string = string,
  O extends EndpointOptions = EndpointOptions,
> {
  /** One of those of §4.2. */
  readonly method: M;
  /** Below `/v<major>/`, or below `<collection>/:id/` for an action, with `:name` for a parameter. */
  readonly path: Path;
  /** What it takes and returns. */
  readonly options: O;
  /**
   * What declarations and clients do with endpoints. It comes with them, so that a program without any does
   * not load it.
   */
  readonly code: EndpointCode;
}

/** The code of endpoints; see {@link DeclaredEndpoint.code}. */
export interface EndpointCode {
  /**
   * Checks the endpoints of a declaration, whose type is made of theirs.
   *
   * @throws {@link InvalidRequestError} for endpoints that their API cannot have
   */
  check(api: object): void;
  /** Makes the functions of a client, which alone knows their place. */
  readonly bind: (place: never, endpoints: Readonly<Record<string, DeclaredEndpoint>>) => unknown;
}

/** Any endpoint, as a constraint: its type is not compared again, because {@link endpoint} has checked it. */
export type AnyEndpoint = DeclaredEndpoint<Method, string, object>;

/** True for what {@link endpoint} returned. */
export const isEndpoint = (value: unknown): value is DeclaredEndpoint =>
  typeof (value as Partial<DeclaredEndpoint> | null | undefined)?.code?.check === 'function';

type Bodiless = 'GET' | 'DELETE' | 'OPTIONS';

/** The options of an endpoint, or what is wrong with them. */
export type CheckedEndpoint<O, M> = {
  readonly [K in keyof O]: K extends 'fields' | 'expand'
    ? O['response' & keyof O] extends infer R extends Resource
      ? CheckedNames<O[K], ShapeIn<R>, K>
      : `\`${K}\` needs a \`response\` that is made by resource()`
    : K extends 'repeated'
      ? CheckedRepeated<O[K], O['query' & keyof O]>
      : K extends 'body'
        ? M extends Bodiless
          ? `${M} has no request body (§4.2)${M extends 'DELETE' ? '; client.fetch sends one' : ''}`
          : O[K]
        : K extends 'as'
          ? O extends { readonly response: unknown }
            ? 'leave out `as`: `response` is the schema of JSON'
            : O[K]
          : K extends keyof EndpointOptions
            ? O[K]
            : UnknownName<K, Extract<NamesOf<EndpointOptions>, string>>;
  // `& {}` makes the compiler show the options instead of the alias.
} & {};
