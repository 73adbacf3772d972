import { grantType } from '../../conventions.ts';
import {
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import type { GrantType } from '../authorize.ts';
import type { TokenEndpoint, Tokens } from './endpoint.ts';
import { Gate } from './gate.ts';
import type { Login } from './login.ts';
import type { TokenRecord } from './store.ts';

/** New tokens, and how they were obtained. */
export interface Granted {
  readonly record: TokenRecord;
  readonly grant: GrantType;
  /** True when the refresh token was lost, and the password was used. */
  readonly isRecovery: boolean;
}

/** How a chain gets new tokens. */
export interface Grants {
  /** False when the tokens were handed in and there is no password. */
  readonly hasPassword: boolean;
  readonly gate: Gate;
  /** The error when no request can be sent, or not yet; undefined when one can. */
  cannotSend(refreshToken: string | undefined): TokenRequestError | undefined;
  /**
   * Requests new tokens. Sends the refresh token once. If it is dead, or there is none, sends the password.
   *
   * @param endpoint - that of the client that needs the tokens; the clients of a login share the rest
   * @param beforePassword - awaited after a failed refresh, before the password is sent
   * @throws {@link TokenRequestNotSentError} only when the refresh token provably never left this machine
   */
  request(
    endpoint: TokenEndpoint,
    known: TokenRecord,
    beforePassword?: () => Promise<void>,
  ): Promise<Granted>;
}

/** The error for a password that was not sent: the refresh token before it may have been. */
const toPasswordError = (error: TokenRequestError): TokenRequestError =>
  new TokenRequestError(error.what, error);

export const createGrants = (credentials: Login['credentials']): Grants => {
  const gate = new Gate();

  const noPassword = (): ReauthenticationRequiredError =>
    new ReauthenticationRequiredError('the refresh token is used up and there is no password; log in again');

  /** After any response the refresh token is dead. The password may work, unless the endpoint asked for a pause. */
  const onRefreshFailed = (error: unknown): undefined => {
    if (!(error instanceof TokenRequestError)) throw error;
    const isUnsent = error instanceof TokenRequestNotSentError;
    if (isUnsent || error.retryAfterMs !== undefined) gate.failed('endpoint', error);
    if (isUnsent) throw error;
  };

  /** Sends the password, if it may be sent. */
  const logIn = async (endpoint: TokenEndpoint): Promise<Tokens> => {
    if (credentials === undefined) throw noPassword();
    const closed = gate.closedFor('endpoint');
    if (closed !== undefined) throw closed;
    const { username, password } = typeof credentials === 'function' ? await credentials() : credentials;
    return endpoint({ grant_type: grantType.password, username, password }).catch((error: unknown) => {
      if (error instanceof InvalidCredentialsError) gate.passwordRefused(error);
      else if (error instanceof TokenRequestError) gate.failed('endpoint', error);
      throw error instanceof TokenRequestNotSentError ? toPasswordError(error) : error;
    });
  };

  return {
    hasPassword: credentials !== undefined,
    gate,
    cannotSend: (refreshToken) =>
      refreshToken === undefined && credentials === undefined ? noPassword() : gate.closedFor('endpoint'),
    request: async (endpoint, { accessToken, refreshToken, generation }, beforePassword) => {
      let refreshed: Tokens | undefined;
      if (refreshToken !== undefined) {
        const form = { grant_type: grantType.refreshToken, refresh_token: refreshToken };
        refreshed = await endpoint(form).catch(onRefreshFailed);
        if (refreshed === undefined) await beforePassword?.();
      }
      const tokens = refreshed ?? (await logIn(endpoint));
      gate.succeeded();
      const isLogin = refreshed === undefined;
      const record = {
        ...tokens,
        generation: generation + (isLogin ? 2 : 1),
        // A refresh token that is returned in the response to itself does not work again (§5.2.7).
        refreshToken: tokens.refreshToken === refreshToken ? undefined : tokens.refreshToken,
      };
      const grant = isLogin ? grantType.password : grantType.refreshToken;
      return { record, grant, isRecovery: isLogin && accessToken !== '' };
    },
  };
};
