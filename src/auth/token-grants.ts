import { grantType } from '../conventions/token.ts';
import {
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
  TokenRequestNotSentError,
} from '../errors/token-error.ts';
import type { Credentials } from './credentials.ts';
import type { TokenEndpoint, Tokens } from './token-endpoint.ts';
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
  /** What would be thrown without any request, because there is nothing to send, or not now; undefined when there is. */
  problem(found: TokenRecord): TokenRequestError | undefined;
  /**
   * Sends the refresh token once; when it is dead, or there is none, the password.
   *
   * @throws {@link TokenRequestNotSentError} only when the refresh token provably never left this machine
   */
  request(found: TokenRecord): Promise<Granted>;
}

/** It is the password that was not sent; of the refresh token before it that says nothing. */
const ofPassword = ({ message, status, retryAfterMs }: TokenRequestNotSentError): TokenRequestError =>
  new TokenRequestError(message, status, true, retryAfterMs);

/** The tokens of an answer to a refresh token. One that comes back works no second time (§5.2.7): it is none. */
const withoutSpent = (tokens: Tokens, spent: string | undefined): Tokens =>
  tokens.refreshToken === spent ? { ...tokens, refreshToken: undefined } : tokens;

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
      throw error instanceof TokenRequestNotSentError ? ofPassword(error) : error;
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
    problem: (found) =>
      (freshRefreshToken(found) === undefined ? passwordProblem() : undefined) ?? endpoint.problem(),
    request: async (found) => {
      const refreshToken = freshRefreshToken(found);
      const refreshed = refreshToken === undefined ? undefined : await sendRefreshToken(refreshToken);
      const grant = refreshed === undefined ? grantType.password : grantType.refreshToken;
      return { tokens: withoutSpent(refreshed ?? (await sendPassword()), refreshToken), grant };
    },
  };
};
