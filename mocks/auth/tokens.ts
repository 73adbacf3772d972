import { SignJWT } from 'jose';
import { accessTokenLifetimeS, refreshTokenLifetimeS, type TokenResponse } from '../../src/conventions.ts';
import { optional, value } from '../check.ts';
import type { MockClock } from '../clock.ts';

/**
 * How the token endpoint of {@link createMock} behaves (§4.1, §5.2).
 *
 * @example
 * ```ts
 * const mock = createMock(ordering, { tokens: { accessLifetimeS: 60, singleSession: true } });
 * ```
 */
export interface MockTokenOptions {
  /** Whole seconds; 600 by default (§8). */
  readonly accessLifetimeS?: number | undefined;
  /** Whole seconds; 2592000 by default (§8). */
  readonly refreshLifetimeS?: number | undefined;
  /** Whether presenting a used refresh token revokes every token of that login. `true` by default. */
  readonly reuseRevokesChain?: boolean | undefined;
  /** Status for a refresh token that is unknown, used, expired or revoked: 401, or 400 as in RFC 6749 §5.2. 401 by default. */
  readonly refusedRefreshStatus?: 400 | 401 | undefined;
  /** Whether a password grant revokes the earlier logins of that user. `false` by default. */
  readonly singleSession?: boolean | undefined;
}

/** The schema of the option `tokens`. */
export const tokensSchema = optional<MockTokenOptions>({
  accessLifetimeS: value.integer(0, ' of seconds'),
  refreshLifetimeS: value.integer(0, ' of seconds'),
  reuseRevokesChain: value.boolean,
  refusedRefreshStatus: value.oneOf(400, 401),
  singleSession: value.boolean,
});

/** One login: every token of a password grant and of the refreshes that follow it. */
interface Login {
  readonly username: string;
  revoked: boolean;
}

interface Issued {
  readonly login: Login;
  readonly expiresAt: number;
  used: boolean;
}

const algorithm = 'HS256';

/** The tokens of a mock (§4.1, §5.2), signed with a key of its own. */
export const createTokens = (clock: MockClock, options: MockTokenOptions = {}) => {
  const {
    accessLifetimeS = accessTokenLifetimeS,
    refreshLifetimeS = refreshTokenLifetimeS,
    reuseRevokesChain = true,
    singleSession = false,
  } = options;
  const key = crypto.getRandomValues(new Uint8Array(32));
  const access = new Map<string, Issued>();
  const refresh = new Map<string, Issued>();
  const logins = new Set<Login>();

  const issue = async (
    login: Login,
    lifetimeS: number,
    use: 'access' | 'refresh',
    into: Map<string, Issued>,
  ) => {
    const now = clock.now();
    const issuedAtS = Math.floor(now / 1000);
    const token = await new SignJWT({ use })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(login.username)
      .setJti(crypto.randomUUID())
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + lifetimeS)
      .sign(key);
    // A reset while the token was signed has forgotten its login.
    if (logins.has(login)) into.set(token, { login, expiresAt: now + lifetimeS * 1000, used: false });
    return token;
  };

  const issuePair = async (login: Login): Promise<TokenResponse> => ({
    access_token: await issue(login, accessLifetimeS, 'access', access),
    expires_in: accessLifetimeS,
    token_type: 'bearer',
    refresh_expires_in: refreshLifetimeS,
    refresh_token: await issue(login, refreshLifetimeS, 'refresh', refresh),
  });

  const isLive = ({ login, expiresAt }: Issued): boolean => !login.revoked && clock.now() < expiresAt;

  return {
    /** The response to a password grant whose credentials were checked. */
    grant: (username: string): Promise<TokenResponse> => {
      if (singleSession) {
        for (const login of logins) if (login.username === username) login.revoked = true;
      }
      const login: Login = { username, revoked: false };
      logins.add(login);
      return issuePair(login);
    },
    /** The response to a refresh; undefined when the token is unknown, used, expired or revoked. */
    refresh: async (token: string): Promise<TokenResponse | undefined> => {
      const issued = refresh.get(token);
      if (issued === undefined || !isLive(issued)) return undefined;
      if (issued.used) {
        if (reuseRevokesChain) issued.login.revoked = true;
        return undefined;
      }
      // Before anything is awaited: of two requests with one token, one succeeds (§5.2.7).
      issued.used = true;
      return issuePair(issued.login);
    },
    /** Whose access token this is; undefined when it is not valid. */
    userOf: (token: string): string | undefined => {
      const issued = access.get(token);
      return issued !== undefined && isLive(issued) ? issued.login.username : undefined;
    },
    reset: (): void => {
      access.clear();
      refresh.clear();
      logins.clear();
    },
  };
};
