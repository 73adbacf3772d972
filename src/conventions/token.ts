/** Path of the token endpoint below the auth URL (§4.1). */
export const tokenPath = 'auth/token';

/** Values of `grant_type` (§4.1). */
export const grantType = { password: 'password', refreshToken: 'refresh_token' } as const;

/** The answer of the token endpoint, as on the wire (§2.2). */
export interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly refresh_expires_in: number;
  readonly refresh_token: string;
}
