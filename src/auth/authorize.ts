import { authScheme, type grantType, header } from '../conventions.ts';
import { isStream } from '../http/body.ts';
import type { HeaderFields } from '../http/fields.ts';
import type { ApiRequest, ApiResponse, Send } from '../http/message.ts';
import type { Secrets } from '../http/secrets.ts';
import type { Trace } from '../http/trace.ts';

/** A value of `grant_type` (§4.1). */
export type GrantType = (typeof grantType)[keyof typeof grantType];

/** Why a token was renewed. */
export type RenewalReason = 'first' | 'early' | 'expired' | 'refused' | 'recovered';

/** What `on.token` of {@link Observers} receives. It never holds a token. */
export type TokenEvent = {
  /** Identifies one of the calls that wait for the token. */
  readonly callId: string;
  /**
   * Why a new token was requested: `first`, `early` before the old one expires, `expired`, `refused` by the
   * server, or `recovered` with the password, because there was no refresh token.
   *
   * `reauthenticationRequired`: once the access token has ended, calls fail until somebody logs in; reported
   * once, after `signOut()` at the next call. `storeFailed`: once per failure of the store; with a password
   * this process logs in for itself. `waiting`: another process has claimed the tokens for a second, and may
   * have ended meanwhile; once per wait.
   */
  readonly reason: RenewalReason | 'storeFailed' | 'reauthenticationRequired' | 'waiting';
  /** For `waiting`: the longest wait from now, in milliseconds. Afterwards this process renews the tokens. */
  readonly waitMs?: number;
  /**
   * For `storeFailed`: the name and the code of the store's error, never its message, which may quote a
   * token.
   */
  readonly failure?: string;
  /** The grant that returned the token (§4.1); absent when there is no new token. */
  readonly grant?: GrantType;
};

/** An event of a login, without the call that waits for it. */
export type LoginEvent = Omit<TokenEvent, 'callId'>;

/** What a client gives to the scheme it uses; `transport` makes one attempt, without credentials. */
export interface AuthorizerContext {
  readonly transport: Send;
  readonly allowInsecure: boolean;
  /** Receives the secrets of the scheme, so that they are masked. */
  readonly secrets: Secrets;
  /** Surrounds each renewal. */
  readonly trace: Trace | undefined;
  /** Called for each event of the login; undefined without an observer. */
  readonly onToken: ((event: TokenEvent) => void) | undefined;
}

/** The credentials of one request. */
export interface Authorization {
  readonly fields: HeaderFields;
  /** The access token in the fields; undefined for other schemes. */
  readonly token?: string;
  /** What must be masked in the fields, beyond what the scheme gave to {@link AuthorizerContext.secrets}. */
  readonly secrets?: readonly string[];
}

/** Gives requests their credentials. */
interface Authorizer {
  authorize(request: ApiRequest): Authorization | Promise<Authorization>;
  /** The credentials to send in place of those that got a 401; undefined when there are none. */
  replace?(request: ApiRequest, refused: Authorization): Promise<Authorization | undefined>;
  /** Called when the credentials of `replace` got a 401 as well. */
  onReplacementRefused?(replacement: Authorization): void;
}

/**
 * The kinds of schemes (§5): those of {@link tokenAuth} and {@link basicAuth}, and an API's own by
 * {@link customAuth}.
 */
export type SchemeKind = 'token' | 'basic' | 'custom';

/** How a client authenticates (§5): made by {@link tokenAuth}, {@link basicAuth} or {@link customAuth}. */
export interface AuthScheme<Kind extends SchemeKind = SchemeKind> {
  /** The name of the scheme in an API's declaration, when a client has this scheme alone. */
  readonly kind: Kind;
  /** For the client; an application does not call it. */
  readonly authorizer: (context: AuthorizerContext) => Authorizer;
}

/** A scheme that a client has and an API takes. */
export interface NamedAuthorizer {
  readonly kind: SchemeKind;
  readonly authorizer: Authorizer;
}

/** True when the challenge of a 401 names Basic and not Bearer (RFC 9110 §11.6.1). */
const asksForBasic = ({ headers }: ApiResponse): boolean => {
  // A quoted realm may contain the name of a scheme. An unterminated one is matched too, so that the time
  // stays linear.
  const challenge = (headers.get(header.wwwAuthenticate) ?? '').replace(/"(?:[^"\\]|\\.?)*"?/g, '""');
  const names = (scheme: string): boolean =>
    new RegExp(`(?:^|,)\\s*${scheme}(?:\\s|,|$)`, 'i').test(challenge);
  return names(authScheme.basic) && !names(authScheme.bearer);
};

const toAuthorized = (request: ApiRequest, { fields, secrets = [] }: Authorization): ApiRequest => {
  request.carry(secrets);
  return { ...request, headers: { ...request.headers, ...fields } };
};

/**
 * Sends each request with credentials (§5). After a 401 it is resent once with others, outside the retry
 * budget. For an API that takes tokens and Basic, the client switches to Basic for good when a fresh token is
 * refused with a challenge for Basic alone.
 *
 * @param schemes - those that the API takes, in its order of preference; at least one
 */
export const withAuthorization = (send: Send, schemes: readonly NamedAuthorizer[]): Send => {
  let chosen = 0;

  const attempt: Send = async (request) => {
    const { kind, authorizer } = schemes[chosen] as NamedAuthorizer;
    const used = await authorizer.authorize(request);
    const response = await send(toAuthorized(request, used));
    if (response.status !== 401) return response;
    const others = await authorizer.replace?.(request, used);
    // A stream is sent once. The next request uses the renewed credentials.
    if (isStream(request.body)) return response;
    const last = others === undefined ? response : await send(toAuthorized(request, others));
    if (last.status !== 401) return last;
    if (others !== undefined) authorizer.onReplacementRefused?.(others);
    if (kind !== 'token' || !asksForBasic(last)) return last;
    const basic = schemes.findIndex((scheme) => scheme.kind === 'basic');
    if (basic < 0) return last;
    chosen = basic;
    return attempt(request);
  };
  return attempt;
};
