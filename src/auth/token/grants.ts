import { grantType } from '../../conventions.ts';
import {
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../../errors/token-error.ts';
import type { GrantType } from '../authorize.ts';
import type { Claim } from './claims.ts';
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

/** How a chain gets new tokens. The clients of a login share it, and each has its own endpoint. */
export interface Grants {
  /** False when the tokens were handed in and there is no password. */
  readonly hasPassword: boolean;
  readonly gate: Gate;
  /** The error when no request can be sent, or not yet; undefined when one can. */
  cannotSend(refreshToken: string | undefined): TokenRequestError | undefined;
  /**
   * Sends the refresh token once.
   * @returns the error when the refresh token is dead: after any response but new tokens, and after none
   * @throws {@link TokenRequestNotSentError} when it provably never left this machine
   */
  refresh(endpoint: TokenEndpoint, refreshToken: string): Promise<Tokens | TokenRequestError>;
  /** Sends the password. @throws {@link TokenRequestError}, never as one that was not sent: `refusal` came before it */
  logIn(endpoint: TokenEndpoint, refusal: TokenRequestError | undefined): Promise<Tokens>;
}

const noPassword = (refusal?: TokenRequestError): ReauthenticationRequiredError => {
  const reason = refusal === undefined ? 'used up' : `dead after ${refusal.what}`;
  return new ReauthenticationRequiredError(
    `the refresh token is ${reason}, and there is no password; log in again`,
  );
};

/** Only a browser tells. */
const isOffline = (): boolean => globalThis.navigator?.onLine === false;

export const createGrants = (credentials: Login['credentials']): Grants => {
  const gate = new Gate();
  return {
    hasPassword: credentials !== undefined,
    gate,
    cannotSend: (refreshToken) => {
      if (refreshToken === undefined)
        return credentials === undefined ? noPassword() : gate.closedFor('endpoint');
      // Sent into a connection that is down, it would be lost.
      if (isOffline()) return new TokenRequestError('not sent: the browser is offline', { temporary: true });
      return gate.closedFor('endpoint');
    },
    refresh: async (endpoint, refreshToken) => {
      try {
        const tokens = await endpoint({ grant_type: grantType.refreshToken, refresh_token: refreshToken });
        gate.succeeded();
        return tokens;
      } catch (error) {
        if (!(error instanceof TokenRequestError)) throw error;
        const isUnsent = error instanceof TokenRequestNotSentError;
        // The password may work, unless the endpoint asked for a pause.
        if (isUnsent || error.retryAfterMs !== undefined) gate.failed('endpoint', error);
        if (isUnsent) throw error;
        return error;
      }
    },
    logIn: async (endpoint, refusal) => {
      if (credentials === undefined) throw noPassword(refusal);
      const closed = gate.closedFor('endpoint');
      if (closed !== undefined) throw closed;
      const { username, password } = typeof credentials === 'function' ? await credentials() : credentials;
      try {
        const tokens = await endpoint({ grant_type: grantType.password, username, password });
        gate.succeeded();
        return tokens;
      } catch (error) {
        if (error instanceof InvalidCredentialsError) gate.passwordRefused(error);
        else if (error instanceof TokenRequestError) gate.failed('endpoint', error);
        throw error instanceof TokenRequestNotSentError ? new TokenRequestError(error.what, error) : error;
      }
    },
  };
};

/**
 * Sends the refresh token of `known` once, or else the password. Undefined when another process took over the claim in between.
 *
 * @param sent - the highest generation whose refresh token was sent; a login is newer
 */
export const requestTokens = async (
  grants: Grants,
  endpoint: TokenEndpoint,
  claim: Claim,
  { refreshToken, accessToken, generation }: TokenRecord,
  sent: number,
): Promise<Granted | undefined> => {
  let refusal: TokenRequestError | undefined;
  if (refreshToken !== undefined) {
    const tokens = await grants.refresh(endpoint, refreshToken);
    if (!(tokens instanceof TokenRequestError)) {
      // A refresh token that is returned in the response to itself does not work again (§5.2.7).
      const next = tokens.refreshToken === refreshToken ? undefined : tokens.refreshToken;
      const record = { ...tokens, refreshToken: next, generation: generation + 1 };
      return { record, grant: grantType.refreshToken, isRecovery: false };
    }
    refusal = tokens;
    // Extends the claim, so that others also wait for the password.
    if (grants.hasPassword && !(await claim.take())) return undefined;
  }
  const tokens = await grants.logIn(endpoint, refusal);
  const record = { ...tokens, generation: Math.max(generation, sent) + 2 };
  return { record, grant: grantType.password, isRecovery: accessToken !== '' };
};
