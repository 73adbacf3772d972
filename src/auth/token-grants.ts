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
   * @param beforePassword - waited for between the two
   * @throws {@link TokenRequestNotSentError} only when the refresh token provably never left this machine
   */
  request(found: TokenRecord, beforePassword?: () => Promise<void>): Promise<Granted>;
}

/** It is the password that was not sent; of the refresh token before it that says nothing. */
const ofPassword = ({ message, status, retryAfterMs }: TokenRequestNotSentError): TokenRequestError =>
  new TokenRequestError(message, status, true, retryAfterMs);

/** The tokens of an answer to a refresh token. One that comes back works no second time (§5.2.7): it is none. */
const withoutSpent = (tokens: Tokens, spent: string | undefined): Tokens =>
  tokens.refreshToken === spent ? { ...tokens, refreshToken: undefined } : tokens;

/** Credentials that were refused, so that they are not sent again for a while. Shared by the clients of a login. */
export interface Latch {
  refused?: { readonly error: InvalidCredentialsError; readonly until: number };
}

const latchMs = 30_000;

/** @param credentials - undefined when the tokens were handed in and there is no password */
export const createGrants = (
  endpoint: TokenEndpoint,
  credentials: (() => Credentials | Promise<Credentials>) | undefined,
  latch: Latch,
): Grants => {
  const passwordProblem = (): TokenRequestError | undefined => {
    if (credentials === undefined) {
      return new ReauthenticationRequiredError(
        'The refresh token is used up and there is no password: log in again',
      );
    }
    const { refused } = latch;
    return refused !== undefined && performance.now() < refused.until ? refused.error : undefined;
  };

  const sendPassword = async (): Promise<Tokens> => {
    const problem = passwordProblem();
    if (problem !== undefined || credentials === undefined) throw problem;
    const login = await credentials();
    try {
      return await endpoint.passwordGrant(login);
    } catch (error) {
      if (error instanceof InvalidCredentialsError) {
        latch.refused = { error, until: performance.now() + latchMs };
      }
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

  /** Without a password there is nothing to lose by a token whose time is over by this clock, which may be wrong. */
  const refreshTokenOf = (found: TokenRecord): string | undefined =>
    credentials === undefined ? found.refreshToken : freshRefreshToken(found);

  return {
    problem: (found) =>
      (refreshTokenOf(found) === undefined ? passwordProblem() : undefined) ?? endpoint.problem(),
    request: async (found, beforePassword) => {
      const refreshToken = refreshTokenOf(found);
      const refreshed = refreshToken === undefined ? undefined : await sendRefreshToken(refreshToken);
      if (refreshed !== undefined) {
        return { tokens: withoutSpent(refreshed, refreshToken), grant: grantType.refreshToken };
      }
      if (refreshToken !== undefined) await beforePassword?.();
      return { tokens: withoutSpent(await sendPassword(), refreshToken), grant: grantType.password };
    },
  };
};
