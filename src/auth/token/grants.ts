import { grantType } from '../../conventions.ts';
import { whatOf } from '../../errors/restkin-error.ts';
import {
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import type { Credentials } from '../basic.ts';
import type { GrantType } from '../with-authorization.ts';
import type { EndpointGate } from './backoff.ts';
import type { TokenEndpoint, Tokens } from './endpoint.ts';
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
  /** The error of a request that cannot be sent, or not yet; undefined when it can. */
  problem(refreshToken: string | undefined): TokenRequestError | undefined;
  /**
   * Requests new tokens. Sends the refresh token once; when it is dead, or there is none, the password.
   *
   * @param beforePassword - waited for between the two
   * @throws {@link TokenRequestNotSentError} only when the refresh token provably never left this machine
   */
  request(known: TokenRecord, beforePassword?: () => Promise<void>): Promise<Granted>;
}

/** The password was not sent, but the refresh token was. */
const ofPassword = (error: TokenRequestError): TokenRequestError =>
  new TokenRequestError(whatOf(error), error);

export const createGrants = (
  endpoint: TokenEndpoint,
  credentials: Login['credentials'],
  gate: EndpointGate,
): Grants => {
  const passwordProblem = (): TokenRequestError | undefined => {
    if (credentials === undefined) {
      return new ReauthenticationRequiredError(
        'the refresh token is used up and there is no password; log in again',
      );
    }
    // A vault may have another password by now; `passwordNow` looks.
    return typeof credentials === 'function' ? undefined : gate.passwordProblem(credentials);
  };

  /** After any response the refresh token is dead. The password may work, unless the endpoint asked for a pause. */
  const onRefreshFailed = (error: unknown): undefined => {
    if (!(error instanceof TokenRequestError)) throw error;
    const isUnsent = error instanceof TokenRequestNotSentError;
    if (isUnsent || error.retryAfterMs !== undefined) gate.failed(error);
    if (isUnsent) throw error;
  };

  const onLoginFailed = (sent: Credentials, error: unknown): never => {
    if (error instanceof InvalidCredentialsError) gate.passwordRefused(sent, error);
    else if (error instanceof TokenRequestError) gate.failed(error);
    throw error instanceof TokenRequestNotSentError ? ofPassword(error) : error;
  };

  /** The password, when it may be sent. */
  const passwordNow = async (): Promise<Credentials> => {
    const problem = passwordProblem();
    if (problem !== undefined || credentials === undefined) throw problem;
    const held = gate.problem();
    if (held !== undefined) throw ofPassword(held);
    if (typeof credentials !== 'function') return credentials;
    const current = await credentials();
    const refused = gate.passwordProblem(current);
    if (refused !== undefined) throw refused;
    return current;
  };

  return {
    hasPassword: credentials !== undefined,
    problem: (refreshToken) => (refreshToken === undefined ? passwordProblem() : undefined) ?? gate.problem(),
    request: async ({ accessToken, refreshToken, generation }, beforePassword) => {
      const startedAt = Date.now();
      let grant: GrantType = grantType.refreshToken;
      let tokens: Tokens | undefined;
      if (refreshToken !== undefined) {
        tokens = await endpoint({ grant_type: grant, refresh_token: refreshToken }).catch(onRefreshFailed);
        if (tokens === undefined) await beforePassword?.();
      }
      if (tokens === undefined) {
        grant = grantType.password;
        const { username, password } = await passwordNow();
        tokens = await endpoint({ grant_type: grant, username, password }).catch((error: unknown) =>
          onLoginFailed({ username, password }, error),
        );
      }
      gate.succeeded();
      const isLogin = grant === grantType.password;
      const record = {
        generation: generation + (isLogin ? 2 : 1),
        accessToken: tokens.accessToken,
        accessExpiresAt: startedAt + tokens.accessLifetimeMs,
        // A refresh token that is returned in the response to itself does not work again (§5.2.7).
        refreshToken: tokens.refreshToken === refreshToken ? undefined : tokens.refreshToken,
        refreshExpiresAt: startedAt + tokens.refreshLifetimeMs,
      };
      return { record, grant, isRecovery: isLogin && accessToken !== '' };
    },
  };
};
