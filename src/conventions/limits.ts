/** Access token lifetime, in seconds (§8). */
export const accessTokenLifetimeS = 600;

/** Refresh token lifetime, in seconds (§8). */
export const refreshTokenLifetimeS = 2_592_000;
