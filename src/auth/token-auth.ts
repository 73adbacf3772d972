import { header } from '../conventions/headers.ts';
import { authScheme } from '../conventions/schemes.ts';
import { parseBaseUrl } from '../http/url.ts';
import { untilAborted } from '../http/wait.ts';
import type { AuthScheme } from './authorizer.ts';
import { type Credentials, checkCredentials } from './credentials.ts';
import { createTokenChain } from './token-chain.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { memoryStore, type TokenStore } from './token-store.ts';

/** Options of {@link tokenAuth}. */
export interface TokenAuthOptions extends Credentials {
  /** Where the token endpoint lives: tokens come from `{authUrl}/auth/token` (§4.1). */
  readonly authUrl: string;
  /** Where the tokens are kept; the memory of this process by default. */
  readonly store?: TokenStore;
  /** For one token request, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
}

const prefix = `${authScheme.bearer} `;

// A claim outlives the two requests that it may need, so that a live one is not taken over.
const leasesPerTimeout = 2.5;
const latchMs = 30_000;

/** Names the chain of a login. A digest: the name may become a key or a file name, and a username is private. */
const toChainName = async (authUrl: string, username: string): Promise<string> => {
  const text = new TextEncoder().encode(`${authUrl}\n${username}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/**
 * JSON web tokens, for newer APIs (§5.2): gets a token with the password, renews it with the single-use refresh
 * token before it expires, and replaces it once when the server refuses it.
 *
 * Clients that are given the same scheme share its tokens.
 *
 * @throws {@link InvalidRequestError} for an `authUrl` that is no http(s) URL, and for credentials with control
 * characters
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl: 'https://auth.example.com', username, password });
 * ```
 */
export const tokenAuth = (options: TokenAuthOptions): AuthScheme => {
  const { authUrl, username, password, timeoutMs = 10_000 } = options;
  const store = options.store ?? memoryStore();
  checkCredentials({ username, password });
  return {
    kind: 'token',
    authorizer: ({ transport, allowInsecure }) => {
      const base = parseBaseUrl('authUrl', authUrl, allowInsecure);
      const chain = createTokenChain({
        // Nobody else sees a store of our own, and `crypto.subtle` does not exist on every page.
        name: async () => (options.store === undefined ? 'login' : toChainName(base.href, username)),
        store,
        endpoint: createTokenEndpoint(base, transport, timeoutMs),
        credentials: { username, password },
        leaseMs: timeoutMs * leasesPerTimeout,
        latchMs,
      });
      return {
        authorize: async ({ signal }, refused) => {
          const token = await untilAborted(
            chain.accessToken(refused?.[header.authorization]?.slice(prefix.length)),
            signal,
          );
          return { [header.authorization]: prefix + token };
        },
      };
    },
  };
};
