/** Names of the authentication schemes (§5), as `Authorization` writes them (RFC 7617, RFC 6750). */
export const authScheme = { basic: 'Basic', bearer: 'Bearer' } as const;
