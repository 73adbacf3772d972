import type { HeaderFields } from '../http/header-fields.ts';
import type { ApiRequest, Send } from '../http/message.ts';
import type { Secrets } from '../http/secrets.ts';
import type { TokenEvent } from './token-event.ts';

/** What a scheme needs from the client that uses it. */
export interface AuthorizerContext {
  /** One attempt on the wire; no retry, no credentials. */
  readonly transport: Send;
  readonly allowInsecure: boolean;
  /** Told what must not be shown. */
  readonly secrets: Secrets;
  /** Told of each renewal of a token. */
  readonly onToken: (event: TokenEvent) => void;
}

/** Gives a request its credentials. */
export interface Authorizer {
  /**
   * @param refused - fields that this authorizer gave and that got a 401
   * @returns the fields to send; undefined when the refused ones are the best there is
   */
  authorize(request: ApiRequest, refused?: HeaderFields): Promise<HeaderFields | undefined>;
  /** Whose credentials the fields are, so that remembered answers of one user do not reach another. */
  user(fields: HeaderFields): string;
}

/** The kinds of schemes (§5): the conventions' two, and an API's own. */
export type SchemeKind = 'token' | 'basic' | 'custom';

/** How a client authenticates (§5): made by `tokenAuth`, `basicAuth` or `customAuth`. */
export interface AuthScheme<Kind extends SchemeKind = SchemeKind> {
  /** What the API's declaration calls it, when a client has this scheme alone. */
  readonly kind: Kind;
  /** For the client; an application does not call it. */
  readonly authorizer: (context: AuthorizerContext) => Authorizer;
}
