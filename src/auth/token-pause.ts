import { TokenRequestNotSentError } from '../errors/token-error.ts';

/** The time for which a token endpoint wants to hear nothing, neither a password nor a refresh token. */
export interface TokenPause {
  /** @param retryAfterMs - what an answer asked for with `Retry-After` */
  begin(status: number, retryAfterMs: number): void;
  /** What is thrown in place of a request while the pause lasts; undefined when there is none. */
  problem(): TokenRequestNotSentError | undefined;
}

// Whatever the endpoint asks for, after an hour one request may ask again.
const longestMs = 3_600_000;

/** Made once per login, so that the clients that share it share its pause. */
export const createTokenPause = (): TokenPause => {
  let status = 0;
  let until = 0;
  return {
    begin: (given, retryAfterMs) => {
      const end = performance.now() + Math.min(retryAfterMs, longestMs);
      if (end < until) return;
      status = given;
      until = end;
    },
    problem: () => {
      const leftMs = until - performance.now();
      if (leftMs <= 0) return undefined;
      const message = `The token endpoint answered ${status} and asked for a pause, which still lasts`;
      return new TokenRequestNotSentError(message, status, true, leftMs);
    },
  };
};
