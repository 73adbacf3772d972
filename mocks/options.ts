import type { ApiDeclaration } from '../src/schema/define-api.ts';

/** One API, or several that share tokens and users. */
export type Apis = ApiDeclaration | readonly ApiDeclaration[];

type KeysOf<One> = One extends { readonly collections: infer C } ? keyof C & string : never;

/** The collection keys of an API, or of several. */
export type CollectionKey<A extends Apis> = A extends readonly (infer One)[] ? KeysOf<One> : KeysOf<A>;

/** A row, or the query parameters of a request, as plain data. */
export type MockRow = Readonly<Record<string, unknown>>;

/** What `permissions` is asked about. */
export interface PermissionRequest {
  /** As sent, for example `DELETE`. */
  readonly method: string;
  /** The key of the collection in the declaration. */
  readonly collection: string;
  /** The username. */
  readonly user: string;
}

/** Somebody who may obtain tokens (§5.2) and use Basic authentication (§5.1). */
export interface MockUser {
  readonly username: string;
  readonly password: string;
  /** Says whether the user may do this; `false` is answered with 403 (§5.2.9). Everything by default. */
  readonly permissions?: ((request: PermissionRequest) => boolean) | undefined;
}

/** Methods that may be answered with 202 (§7.1). */
export type AcceptedMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How the token endpoint behaves (§4.1, §5.2). */
export interface MockTokenOptions {
  /** Seconds; 600 by default (§8). */
  readonly accessLifetimeS?: number | undefined;
  /** Seconds; 2592000 by default (§8). */
  readonly refreshLifetimeS?: number | undefined;
  /** Whether presenting a used refresh token revokes every token of that login. `true` by default. */
  readonly reuseRevokesChain?: boolean | undefined;
  /** Whether a password grant revokes the earlier logins of that user. `false` by default. */
  readonly singleSession?: boolean | undefined;
}

/** Says whether a row belongs to a list, by the endpoint's own query parameters. */
export type RowFilter = (row: MockRow, params: MockRow) => boolean;

/** What a mock starts with. */
export interface MockOptions<A extends Apis = Apis> {
  /**
   * Rows by collection key. Several APIs with the same key get a copy each. An id that a row lacks is assigned
   * from 1; a nested resource is given by its id, as `{ id }` or in full.
   */
  readonly data?: { readonly [K in CollectionKey<A>]?: readonly MockRow[] | undefined } | undefined;
  /** Who may log in. By default any username and password that is not empty. */
  readonly users?: readonly MockUser[] | undefined;
  /** Where the APIs are, for example `https://api.example.com`. By default at the root of every origin. */
  readonly baseUrl?: string | undefined;
  /** Where the token endpoint is (§4.1). By default at the root of every origin. */
  readonly authUrl?: string | undefined;
  /** Records per page where the declaration names no number; 25 by default. */
  readonly defaultPerPage?: number | undefined;
  /** Methods that answer 202 as if processed later (§4.2); applied at once all the same. `true` for all four. */
  readonly accepted?: boolean | readonly AcceptedMethod[] | undefined;
  /** How the token endpoint behaves. */
  readonly tokens?: MockTokenOptions | undefined;
  /** Checks a request to an API whose style is neither `token` nor `basic` (§5). Accepts everything by default. */
  readonly authorize?: ((request: Request) => boolean) | undefined;
  /**
   * What the own query parameters of a list select, by collection key. By default a parameter that is named like
   * a field selects the rows that have its value, and any other has no effect.
   */
  readonly filter?: { readonly [K in CollectionKey<A>]?: RowFilter | undefined } | undefined;
}
