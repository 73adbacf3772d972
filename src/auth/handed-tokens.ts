import type { TokenRecord } from './token-record.ts';

/** Tokens from elsewhere, for example from a person's login in a browser. */
export interface HandedTokens {
  /** Used until its `exp` claim, where it is a JWT that has one, or until the server refuses it. */
  readonly accessToken?: string | undefined;
  /** Used once; without it the login ends with the access token. */
  readonly refreshToken?: string | undefined;
}

// What says nothing of its end is used until the server refuses it.
const noEnd = Number.MAX_SAFE_INTEGER;

/** The `exp` claim of a JWT (RFC 7519 §4.1.4) as a hint; tokens are opaque otherwise. */
const expiryOf = async (token: string): Promise<number> => {
  const { decodeJwt } = await import('jose/jwt/decode');
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? noEnd : exp * 1_000;
  } catch {
    return noEnd;
  }
};

/** The record of a chain that starts with tokens from elsewhere. */
export const toInitialRecord = async ({ accessToken, refreshToken }: HandedTokens): Promise<TokenRecord> => ({
  generation: 1,
  accessToken: accessToken ?? '',
  accessExpiresAt: accessToken === undefined ? 0 : await expiryOf(accessToken),
  refreshToken,
  refreshExpiresAt: refreshToken === undefined ? 0 : await expiryOf(refreshToken),
});

/** Names the chain of a login. A digest: the name may become a key or a file name, and who logs in is private. */
export const toChainName = async (authUrl: string, who: string): Promise<string> => {
  const text = new TextEncoder().encode(`${authUrl}\n${who}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
