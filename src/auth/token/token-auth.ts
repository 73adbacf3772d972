import { authScheme, header } from '../../conventions.ts';
import { TokenRequestError } from '../../errors/token-error.ts';
import type { ApiRequest } from '../../http/message.ts';
import { beforeDeadline } from '../../http/timing.ts';
import { nothingDone, traced } from '../../http/trace.ts';
import { maskUrl, parseBaseUrl } from '../../http/url.ts';
import { checkFunction, checkPositive, createReader } from '../../options.ts';
import type { Authorization, AuthorizerContext, AuthScheme, LoginEvent } from '../authorize.ts';
import { AccessToken } from './access-token.ts';
import type { Requester } from './chain.ts';
import { createTokenEndpoint } from './endpoint.ts';
import { createGrants } from './grants.ts';
import {
  type AnyLogin,
  type HandedTokens,
  type Login,
  type TokenLogin,
  toChainName,
  toLogin,
  withTokens,
} from './login.ts';
import {
  type TokenRequestOptions,
  type TokenRequestParts,
  tokenRequestChecks,
  toTokenRequestParts,
} from './request-options.ts';
import { checkStore, memoryStore, StoreFailure, type TokenStore } from './store.ts';

/** Options of {@link tokenAuth}. Times are milliseconds. */
export type TokenAuthOptions = TokenLogin &
  TokenRequestOptions & {
    /**
     * Where the token endpoint lives: tokens come from `{authUrl}/auth/token` (§4.1), or from `tokenPath`
     * below it.
     */
    readonly authUrl: string;
    /**
     * Where the tokens are kept; the memory of this process by default. A login that is there is continued,
     * whatever the password: a form where people log in ends it first by `signOut`, or names a login by its
     * session.
     */
    readonly store?: TokenStore | undefined;
    /** Time limit for one token request; 11,000 by default. */
    readonly timeoutMs?: number | undefined;
    /**
     * How long to wait for the token request of another process; two seconds more than `timeoutMs` by
     * default, so that it can end, and an hour at most. Afterwards this process logs in itself. However short
     * the wait, no refresh token is sent twice. The clocks of hosts that share a store must not differ by
     * more than this.
     */
    readonly leaseMs?: number | undefined;
  };

/** The scheme that {@link tokenAuth} makes. */
export interface TokenAuth extends AuthScheme<'token'> {
  /** Continues with new tokens, after a {@link ReauthenticationRequiredError}. */
  useTokens(tokens: HandedTokens): void;
  /**
   * Ends the login for all that share it, such as the tabs of a browser, and removes its tokens from the
   * store. Calls then throw {@link ReauthenticationRequiredError} until somebody logs in: a new `tokenAuth`,
   * or `useTokens`. Another process notices when it next needs a token. On the server the tokens stay valid
   * until they expire: §5 has no way to revoke them.
   *
   * @throws {@link TokenRequestError} when the store fails. The login ends here, and its tokens may still be
   * in the store
   */
  signOut(): Promise<void>;
}

// A union has no single list of names, so the names of all its members are read.
const readOptions = createReader<AnyLogin & Pick<TokenAuthOptions, keyof TokenAuthOptions>>({
  authUrl: undefined,
  store: checkStore,
  timeoutMs: checkPositive,
  leaseMs: checkPositive,
  username: undefined,
  password: undefined,
  credentials: checkFunction,
  tokens: undefined,
  ...tokenRequestChecks,
});

/** What nobody may miss: a failure costs a login in each process, and a wait takes seconds. */
const warningOf = ({ failure, waitMs }: LoginEvent): string | undefined => {
  if (failure !== undefined) return `the token store failed (${failure}); only a password login continues`;
  return waitMs === undefined ? undefined : 'waiting for another process to renew the token';
};

const warn = (event: LoginEvent): void => {
  const warning = warningOf(event);
  // biome-ignore lint/suspicious/noConsole: without an observer the console is the only place for it
  if (warning !== undefined) console.warn(`restkin: ${warning}`);
};

const toAuthorization = (token: string, refreshToken = ''): Authorization => ({
  fields: { [header.authorization]: `${authScheme.bearer} ${token}` },
  token,
  secrets: [token, refreshToken],
});

interface AuthorizerOptions {
  readonly baseUrl: string;
  readonly parts: TokenRequestParts;
  readonly timeoutMs: number;
  /** The token of the login, which `useTokens` replaces. */
  readonly current: () => AccessToken;
}

/** Gives the requests of one client their tokens. */
const createAuthorizer = (
  context: AuthorizerContext,
  { baseUrl, parts, timeoutMs, current }: AuthorizerOptions,
): ReturnType<TokenAuth['authorizer']> => {
  const { secrets, trace, onToken } = context;
  const url = `${baseUrl}/${parts.path}`;
  const endpointFor = createTokenEndpoint(context, { url, parts, timeoutMs });
  const about = { kind: 'renewal', method: 'POST', baseUrl, template: `/${parts.path}` } as const;
  const requesterFor = (callId: string): Requester => ({
    endpoint: (form) => {
      const renewal = { ...nothingDone, ...about, callId };
      const send = () => endpointFor(renewal)(form);
      return trace ? traced(trace, renewal, send) : send();
    },
    onToken: (event) => (onToken === undefined ? warn(event) : onToken({ callId, ...event })),
  });

  const waitsFor = (): string =>
    current().isWaiting ? ' for another process to renew the token' : ' for a token';

  /** Waits for a token until the deadline of the request. An error names the call. */
  const waitForToken = async <T>(request: ApiRequest, token: T | Promise<T>): Promise<T> => {
    try {
      return token instanceof Promise ? await beforeDeadline(token, request, waitsFor) : token;
    } catch (error) {
      if (!(error instanceof TokenRequestError)) throw error;
      const { callId, attempts } = request;
      throw error.with({ url: maskUrl(url, secrets.mask), callId, attempts });
    }
  };

  return {
    authorize: async (request) => {
      const token = current().get(requesterFor(request.callId));
      return toAuthorization(await waitForToken(request, token), current().refreshToken);
    },
    replace: async (request, { token: refused = '' }) => {
      const replacement = current().replace(requesterFor(request.callId), refused);
      const token = await waitForToken(request, replacement);
      return token === undefined ? undefined : toAuthorization(token, current().refreshToken);
    },
    onReplacementRefused: ({ token = '' }) => current().noteRefusal(token),
  };
};

/**
 * JSON web tokens, for newer APIs (§5.2): gets a token with the password, renews it with the single-use
 * refresh token before it expires, and replaces it once when the server refuses it.
 *
 * Clients that are given the same scheme share its tokens, and so do processes that are given the same store.
 *
 * @throws {@link InvalidRequestError} for credentials or tokens with control characters; `createClient`
 * throws it for an `authUrl` that cannot be used
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl: 'https://auth.example.com', username, password });
 * ```
 */
export const tokenAuth = (given: TokenAuthOptions): TokenAuth => {
  const options = readOptions(given as AnyLogin & TokenAuthOptions, 'tokenAuth');
  // Longer than Node takes to give up a connection (10.5 s), because that proves that nothing was sent.
  const { timeoutMs = 11_000, leaseMs = timeoutMs + 2_000, store = memoryStore() } = options;
  const login = toLogin(options);
  const parts = toTokenRequestParts(options);
  const toBase = (allowInsecure: boolean) =>
    parseBaseUrl('tokenAuth: authUrl', options.authUrl, allowInsecure).href;
  const accessTokenOf = (of: Login): AccessToken => {
    // A store of the login's own needs no digest: not every page has `crypto.subtle`. `http:` is allowed in a
    // name.
    const name = async () =>
      options.store === undefined ? (of.who ?? 'login') : toChainName(of, toBase(true), parts.identity);
    const grants = createGrants(of.credentials, options.refreshTokenRotation);
    return new AccessToken({ store, leaseMs, grants, name, initial: of.initial });
  };
  let accessToken = accessTokenOf(login);

  return {
    kind: 'token',
    useTokens: (tokens) => {
      const next = accessTokenOf(withTokens(login.credentials, tokens));
      accessToken.close();
      accessToken = next;
    },
    signOut: () =>
      accessToken.signOut().catch((error: unknown) => {
        if (!(error instanceof StoreFailure)) throw error;
        const what = `signOut(): the token store failed (${error.message}), and the tokens may still be in it`;
        throw new TokenRequestError(`${what}. Call signOut() again`, { temporary: true });
      }),
    authorizer: (context) => {
      const { username, password, tokens } = options;
      const given = password === undefined ? [] : [password, `${username}:${password}`];
      context.secrets.holder()([...given, tokens?.refreshToken ?? '', ...parts.secrets]);
      const baseUrl = toBase(context.allowInsecure);
      return createAuthorizer(context, { baseUrl, parts, timeoutMs, current: () => accessToken });
    },
  };
};
