import { header } from '../conventions/headers.ts';
import { authScheme } from '../conventions/schemes.ts';
import { InvalidRequestError } from '../errors/request-error.ts';
import { TokenRequestError } from '../errors/token-error.ts';
import { beforeDeadline } from '../http/before-deadline.ts';
import { type HeaderFields, isFieldValue } from '../http/header-fields.ts';
import { traced } from '../http/tracing.ts';
import { parseBaseUrl } from '../http/url.ts';
import { tooLate, withinLimits } from '../http/wait.ts';
import type { AuthScheme } from './authorizer.ts';
import { type Credentials, checkCredentials } from './credentials.ts';
import { type HandedTokens, toChainName, toInitialRecord } from './handed-tokens.ts';
import { randomName } from './random-name.ts';
import { createTokenChain } from './token-chain.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { createGrants, type Latch } from './token-grants.ts';
import { createTokenPause } from './token-pause.ts';
import { createTokenRenewal, type Login } from './token-renewal.ts';
import { memoryStore, type TokenStore } from './token-store.ts';

/** How {@link tokenAuth} logs in: with a password, with one from a vault, or with tokens that a person's login gave. */
export type TokenLogin =
  | Credentials
  | { readonly credentials: () => Credentials | Promise<Credentials>; readonly username?: string }
  | { readonly tokens: HandedTokens };

/** Options of {@link tokenAuth}. Times are milliseconds. */
export type TokenAuthOptions = TokenLogin & {
  /** Where the token endpoint lives: tokens come from `{authUrl}/auth/token` (§4.1). */
  readonly authUrl: string;
  /** Where the tokens are kept; the memory of this process by default. */
  readonly store?: TokenStore | undefined;
  /** For one token request; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long a token request of another process is waited for; two seconds more than `timeoutMs` by default, so that it
   * can end. After it, the login is done anew; a refresh token is not sent twice, however short this is. The clocks of
   * hosts that share a store must not differ by more.
   */
  readonly leaseMs?: number | undefined;
};

/** The scheme that {@link tokenAuth} makes. */
export interface TokenAuth extends AuthScheme<'token'> {
  /** Goes on with new tokens, after a {@link ReauthenticationRequiredError}. */
  useTokens(tokens: HandedTokens): void;
}

const prefix = `${authScheme.bearer} `;
const credentialsTimeoutMs = 60_000;

const checkTokens = (tokens: HandedTokens): HandedTokens => {
  for (const token of [tokens.accessToken, tokens.refreshToken]) {
    if (token !== undefined && (!isFieldValue(token) || token === '')) {
      throw new InvalidRequestError('tokens must be texts that can stand in a header field');
    }
  }
  if (tokens.accessToken === undefined && tokens.refreshToken === undefined) {
    throw new InvalidRequestError('tokens must have an accessToken or a refreshToken');
  }
  return tokens;
};

const checkMs = (name: string, value: number): number => {
  if (!(value > 0)) throw new InvalidRequestError(`${name} must be a number above 0`);
  return value;
};

/** The ways to log in that the options give. */
interface Ways {
  readonly credentials?: () => Credentials | Promise<Credentials>;
  readonly username?: string | undefined;
  readonly tokens?: HandedTokens;
}

/** One that never answers must not keep the login for ever. */
const askVault = async (credentials: () => Credentials | Promise<Credentials>): Promise<Credentials> => {
  const deadline = performance.now() + credentialsTimeoutMs;
  const given = await withinLimits(Promise.resolve(credentials()), { deadline });
  if (given !== tooLate) return checkCredentials(given);
  throw new TokenRequestError('credentials() gave nothing for a minute', undefined, true);
};

const toWays = (options: TokenLogin): Ways => {
  if ('tokens' in options) return { tokens: checkTokens(options.tokens) };
  if ('credentials' in options) {
    const { credentials, username } = options;
    return { credentials: () => askVault(credentials), username };
  }
  const { username, password } = options;
  const login = checkCredentials({ username, password });
  return { credentials: () => login, username };
};

/**
 * JSON web tokens, for newer APIs (§5.2): gets a token with the password, renews it with the single-use refresh
 * token before it expires, and replaces it once when the server refuses it.
 *
 * Clients that are given the same scheme share its tokens, and so do processes that are given the same store.
 *
 * @throws {@link InvalidRequestError} for credentials or tokens with control characters; `createClient` throws it for an
 * `authUrl` that cannot be used
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl: 'https://auth.example.com', username, password });
 * ```
 */
export const tokenAuth = (options: TokenAuthOptions): TokenAuth => {
  const timeoutMs = checkMs('timeoutMs', options.timeoutMs ?? 10_000);
  const leaseMs = checkMs('leaseMs', options.leaseMs ?? timeoutMs + 2_000);
  const store = options.store ?? memoryStore();
  const { credentials, username, tokens } = toWays(options);
  let handed = tokens;
  let login: Promise<Login> | undefined;
  const pause = createTokenPause();
  const latch: Latch = {};
  const id = randomName();
  let logins = 1;

  const prepareLogin = async (authUrl: string): Promise<Login> => {
    const who =
      handed?.refreshToken ?? handed?.accessToken ?? username ?? (await credentials?.())?.username ?? '';
    // Nobody else sees a store of our own, and `crypto.subtle` does not exist on every page.
    const name =
      options.store === undefined && handed === undefined ? 'login' : await toChainName(authUrl, who);
    return { name, initial: handed && (await toInitialRecord(handed)) };
  };

  const begin = (authUrl: string): Promise<Login> => {
    const begun = prepareLogin(authUrl);
    // A vault that failed is asked again. Those who wait for the login are told why; it may be that nobody does.
    begun.catch(() => {
      if (login === begun) login = undefined;
    });
    return begun;
  };

  return {
    kind: 'token',
    useTokens: (given) => {
      handed = checkTokens(given);
      login = undefined;
      logins++;
    },
    authorizer: ({ transport, allowInsecure, secrets, onToken }) => {
      const base = parseBaseUrl('authUrl', options.authUrl, allowInsecure);
      const endpoint = createTokenEndpoint({ authUrl: base, transport, timeoutMs, secrets, pause });
      const renew = createTokenRenewal({
        store,
        grants: createGrants(endpoint, credentials, latch),
        leaseMs,
        onStoreFailure: () => onToken({ reason: 'storeFailed' }),
      });
      const chain = createTokenChain({
        login: () => {
          login ??= begin(base.href);
          return login;
        },
        renew: (who, seen) =>
          traced(
            'restkin:token',
            () => renew(who, seen),
            () => ({ authUrl: base.href }),
          ),
        onRenewed: (reason, grant) => onToken({ reason, grant }),
      });
      const users = new WeakMap<HeaderFields, string>();
      let latest = { token: '', user: 0, fields: {} as HeaderFields };

      /** The fields of a token, made once: most requests of a client carry the same one. */
      const fieldsOf = (token: string, user: number): HeaderFields => {
        if (latest.token === token && latest.user === user) return latest.fields;
        const fields = { [header.authorization]: prefix + token };
        users.set(fields, `${id} ${user}`);
        latest = { token, user, fields };
        return fields;
      };
      return {
        authorize: async (request, refused) => {
          const given = refused?.[header.authorization]?.slice(prefix.length);
          const valid = refused === undefined ? chain.validToken() : undefined;
          if (valid !== undefined) return fieldsOf(valid, logins);
          for (;;) {
            const user = logins;
            try {
              const token = await beforeDeadline(chain.accessToken(request, given), request);
              // A token from a store was granted to another process.
              secrets.add([token]);
              if (user === logins) return fieldsOf(token, user);
            } catch (error) {
              // Whoever logged in while the token was waited for has another one, and what went wrong was of the old.
              if (user === logins) throw error;
            }
          }
        },
        user: (fields) => users.get(fields) ?? '',
      };
    },
  };
};
