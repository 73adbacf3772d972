import type { HeaderFields } from '../http/header-fields.ts';
import type { Send } from '../http/message.ts';

/** What a scheme needs from the client that uses it. */
export interface AuthorizerContext {
  /** One attempt on the wire; no retry, no credentials. */
  readonly transport: Send;
  readonly allowInsecure: boolean;
}

/** The request that header fields are asked for. */
export interface AuthorizedRequest {
  readonly method: string;
  readonly url: string;
  readonly signal?: AbortSignal | undefined;
}

/** Gives a request its credentials. */
export interface Authorizer {
  /**
   * @param refused - fields that this authorizer gave and that got a 401
   * @returns the fields to send; undefined when the refused ones are the best there is
   */
  authorize(request: AuthorizedRequest, refused?: HeaderFields): Promise<HeaderFields | undefined>;
}

/** How a client authenticates (§5): made by `tokenAuth`, `basicAuth` or `customAuth`. */
export interface AuthScheme {
  /** What the API's declaration calls it, when a client has this scheme alone. */
  readonly kind: 'token' | 'basic' | 'custom';
  /** For the client; an application does not call it. */
  readonly authorizer: (context: AuthorizerContext) => Authorizer;
}
