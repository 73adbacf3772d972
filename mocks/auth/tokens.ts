import {
  accessTokenLifetimeS as defaultLifetimeS,
  grantType,
  refreshTokenLifetimeS,
  type TokenResponse,
  tokenPath,
} from '../../src/conventions.ts';
import { checkBoolean, checkName, checkOf, createReader } from '../../src/options.ts';
import { checkInteger } from '../checks.ts';
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
  /** The lifetime of an access token in seconds, an integer; 600 by default (§8). */
  readonly accessLifetimeS?: number | undefined;
  /**
   * The path of the token endpoint below `authUrl`, as `tokenPath` of `tokenAuth`; `auth/token` by default
   * (§4.1).
   */
  readonly path?: string | undefined;
  /**
   * The status for an invalid, used, expired or revoked refresh token: 401 by default, or 400 as in RFC 6749
   * §5.2.
   */
  readonly refusedRefreshStatus?: 400 | 401 | undefined;
  /**
   * Whether a refresh token works once, and each refresh returns another one (§5.2.7); true by default. With
   * false a refresh returns none, and the refresh token stays valid until it expires.
   */
  readonly refreshTokenRotation?: boolean | undefined;
  /** Whether a password grant revokes the earlier logins of that user. `false` by default. */
  readonly singleSession?: boolean | undefined;
}

export const readTokenOptions = createReader<MockTokenOptions>({
  accessLifetimeS: checkInteger,
  path: checkName,
  refusedRefreshStatus: checkOf((status) => status === 400 || status === 401, '400 or 401'),
  refreshTokenRotation: checkBoolean,
  singleSession: checkBoolean,
});

/** The path of the token endpoint as the URL of a request has it, without a slash at its beginning. */
export const tokenPathOf = ({ path = tokenPath }: MockTokenOptions = {}): string =>
  new URL(`https://any/${path.replace(/^\/+/, '')}`).pathname.slice(1);

/** A grant of the token endpoint (§4.1). */
export type Grant = (typeof grantType)[keyof typeof grantType];

/** The grant of a form; undefined for one that the conventions do not have. */
export const grantOf = (form: string): Grant | undefined => {
  const sent = new URLSearchParams(form).get('grant_type');
  return Object.values(grantType).find((grant) => grant === sent);
};

/** A password grant and the refreshes that follow it. */
interface Login {
  readonly username: string;
  revoked: boolean;
}

interface Issued {
  readonly login: Login;
  readonly use: 'access' | 'refresh';
  readonly expiresAt: number;
  used: boolean;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (char) => ({ '+': '-', '/': '_' })[char] ?? '');

const encodeJson = (value: object): string => base64url(new TextEncoder().encode(JSON.stringify(value)));

/**
 * A JWT (RFC 7519) whose signature is random bytes. Without the key of a mock, a client cannot tell the
 * difference, and signing would take real time under the fake timers of a test.
 */
const createJwt = (claims: object): string => {
  const signature = crypto.getRandomValues(new Uint8Array(32));
  return [encodeJson({ alg: 'HS256', typ: 'JWT' }), encodeJson(claims), base64url(signature)].join('.');
};

/** The most tokens that a mock knows: those of the latest 10,000 logins or renewals. */
const maxTokens = 20_000;

/** The tokens of a mock (§4.1, §5.2). */
export interface IssuedTokens {
  /** The response to a password grant whose credentials were checked. */
  grant(username: string): TokenResponse;
  /**
   * The response to a refresh; undefined when the token is not valid. A used one revokes the tokens of its
   * login, unless refresh tokens work more than once.
   */
  refresh(token: string): Partial<TokenResponse> | undefined;
  /** The user of an access token; undefined when the token is not valid. */
  userOf(token: string): string | undefined;
  /** Forgets all tokens. */
  reset(): void;
}

export const createTokens = (clock: MockClock, options: MockTokenOptions = {}): IssuedTokens => {
  const { accessLifetimeS = defaultLifetimeS, refreshTokenRotation = true, singleSession = false } = options;
  const issued = new Map<string, Issued>();

  /** Forgets the tokens that have expired, and the oldest beyond the limit. */
  const prune = (): void => {
    const now = clock.now();
    for (const [token, { expiresAt, login }] of issued) {
      if (issued.size <= maxTokens && now < expiresAt && !login.revoked) return;
      issued.delete(token);
    }
  };

  const issue = (login: Login, use: Issued['use'], lifetimeS: number): string => {
    const now = clock.now();
    const iat = Math.floor(now / 1000);
    const exp = iat + lifetimeS;
    const token = createJwt({ use, sub: login.username, jti: crypto.randomUUID(), iat, exp });
    prune();
    issued.set(token, { login, use, expiresAt: now + lifetimeS * 1000, used: false });
    return token;
  };

  const issueAccess = (login: Login) => ({
    access_token: issue(login, 'access', accessLifetimeS),
    expires_in: accessLifetimeS,
    token_type: 'bearer' as const,
  });

  const issuePair = (login: Login): TokenResponse => ({
    ...issueAccess(login),
    refresh_expires_in: refreshTokenLifetimeS,
    refresh_token: issue(login, 'refresh', refreshTokenLifetimeS),
  });

  const findLive = (token: string, use: Issued['use']): Issued | undefined => {
    const found = issued.get(token);
    const isLive = found?.use === use && !found.login.revoked && clock.now() < found.expiresAt;
    return isLive ? found : undefined;
  };

  return {
    grant: (username) => {
      for (const { login } of singleSession ? issued.values() : [])
        if (login.username === username) login.revoked = true;
      return issuePair({ username, revoked: false });
    },
    refresh: (token) => {
      const found = findLive(token, 'refresh');
      if (found === undefined) return undefined;
      if (!refreshTokenRotation) return issueAccess(found.login);
      if (found.used) {
        found.login.revoked = true;
        return undefined;
      }
      found.used = true;
      return issuePair(found.login);
    },
    userOf: (token) => findLive(token, 'access')?.login.username,
    reset: () => issued.clear(),
  };
};
