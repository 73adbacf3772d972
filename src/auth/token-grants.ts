import { grantType } from '../conventions/token.ts';
import {
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
} from '../errors/token-error.ts';
import type { Credentials } from './credentials.ts';
import { type TokenEndpoint, TokenRequestNotSentError, type Tokens } from './token-endpoint.ts';
import { freshRefreshToken, type TokenRecord } from './token-record.ts';

/** A value of `grant_type` (§4.1). */
export type GrantType = (typeof grantType)[keyof typeof grantType];

/** New tokens, and what they were got with. */
export interface Granted {
  readonly tokens: Tokens;
  readonly grant: GrantType;
}

/** How a chain gets new tokens. */
export interface Grants {
  /** What would be thrown without any request, because there is nothing to send; undefined when there is. */
  problem(found: TokenRecord): TokenRequestError | undefined;
  /**
   * Sends the refresh token once; when it is dead, or there is none, the password.
   *
   * @throws {@link TokenRequestNotSentError} only when the refresh token provably never left this machine
   */
  request(found: TokenRecord): Promise<Granted>;
}

/**
 * @param credentials - undefined when the tokens were handed in and there is no password
 * @param latchMs - how long refused credentials are not sent again
 */
export const createGrants = (
  endpoint: TokenEndpoint,
  credentials: (() => Credentials | Promise<Credentials>) | undefined,
  latchMs: number,
): Grants => {
  let latched: { readonly error: InvalidCredentialsError; readonly until: number } | undefined;

  const passwordProblem = (): TokenRequestError | undefined => {
    if (credentials === undefined) {
      return new ReauthenticationRequiredError(
        'The refresh token is used up and there is no password: log in again',
      );
    }
    return latched !== undefined && performance.now() < latched.until ? latched.error : undefined;
  };

  const sendPassword = async (): Promise<Tokens> => {
    const problem = passwordProblem();
    if (problem !== undefined || credentials === undefined) throw problem;
    const login = await credentials();
    try {
      return await endpoint.passwordGrant(login);
    } catch (error) {
      if (error instanceof InvalidCredentialsError) latched = { error, until: performance.now() + latchMs };
      // It is the password that was not sent; of the refresh token before it that says nothing.
      if (error instanceof TokenRequestNotSentError)
        throw new TokenRequestError(error.message, undefined, true);
      throw error;
    }
  };

  /** Undefined: whatever the answer was, the refresh token is dead. */
  const sendRefreshToken = async (refreshToken: string): Promise<Tokens | undefined> => {
    try {
      return await endpoint.refreshGrant(refreshToken);
    } catch (error) {
      if (error instanceof TokenRequestError && !(error instanceof TokenRequestNotSentError))
        return undefined;
      throw error;
    }
  };

  return {
    problem: (found) => (freshRefreshToken(found) === undefined ? passwordProblem() : undefined),
    request: async (found) => {
      const refreshToken = freshRefreshToken(found);
      const tokens = refreshToken === undefined ? undefined : await sendRefreshToken(refreshToken);
      if (tokens !== undefined) return { tokens, grant: grantType.refreshToken };
      return { tokens: await sendPassword(), grant: grantType.password };
    },
  };
};
