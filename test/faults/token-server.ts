// A token endpoint (§4.1) and an API that are as strict as a server can be, on a real socket. Written apart
// from mocks/, so that both must be wrong in the same way before a fault goes unseen.
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { json, type Outcome, type RecordedRequest, type Reply, record } from '../support/recording-server.ts';

export type Grant = 'password' | 'refresh_token';

/** What becomes of a token request in place of the usual response. */
export interface Behaviour {
  /** The connection is closed: `before` anything is decided, or `after` the new tokens exist. */
  readonly drop?: 'before' | 'after';
  /** Waits before anything is decided. */
  readonly delayMs?: number;
  /** What the response waits for. */
  readonly until?: Promise<unknown>;
  /** Waits after the new tokens exist. */
  readonly lateMs?: number;
  /** Replaces the response; with 200 the fields replace those of the usual response. */
  readonly status?: number;
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface TokenServerOptions {
  /** A refresh token that comes twice ends its chain: nothing of it is accepted any more. */
  readonly revokeOnReuse?: boolean;
  /** With false a refresh returns no refresh token, and the old one stays valid (RFC 6749 §6). */
  readonly rotates?: boolean;
  /** A password grant ends the user's other chains. */
  readonly oneSession?: boolean;
  /**
   * How many API requests an access token is good for, counted for each `x-worker` alone; no bound by
   * default.
   */
  readonly usesPerWorker?: number;
  readonly behave?: (grant: Grant, index: number, request: RecordedRequest) => Behaviour | undefined;
  /** `WWW-Authenticate` of a refused API request; none by default. */
  readonly challenge?: string;
  /** Replies to GET requests for these paths, before anything else: the files of a page. */
  readonly files?: Readonly<Record<string, Reply>>;
}

interface Chain {
  alive: boolean;
}

interface Access {
  readonly chain: Chain;
  readonly uses: Map<string, number>;
}

export interface TokenServer extends AsyncDisposable {
  readonly url: string;
  /** How often each refresh token arrived. */
  readonly presented: ReadonlyMap<string, number>;
  /** Grants that were committed, whether or not the response arrived. */
  readonly granted: Readonly<Record<Grant, number>>;
  /** Every token request that arrived, in order. */
  readonly tokenRequests: readonly Grant[];
  /** API requests by their response. */
  readonly api: { accepted: number; refused: number };
  /** `Authorization` of the last API requests, in order. */
  readonly credentials: readonly string[];
  /** Passwords are refused while this is true. */
  refusePassword: boolean;
  /** Refuses every access token given so far. */
  expireAll(): void;
  /** Ends every chain: no token given so far is accepted. */
  revokeAll(): void;
  /** Another login of the same user, for tokens that are handed in. */
  login(): { readonly accessToken: string; readonly refreshToken: string };
  /** Stops listening: connections are refused until `start`, which listens on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const keptCredentials = 100;

const opaque = (): string => randomBytes(24).toString('base64url');

const refuse = (message: string, challenge?: string): Reply =>
  json({ message }, 401, challenge === undefined ? {} : { 'www-authenticate': challenge });

/** Starts the server on a free port of this machine. Its counts are the judge of the fault tests. */
export const startTokenServer = async (options: TokenServerOptions = {}): Promise<TokenServer> => {
  const { usesPerWorker = Number.POSITIVE_INFINITY, behave = () => undefined } = options;
  const chains = new Set<Chain>();
  const access = new Map<string, Access>();
  const unused = new Map<string, Chain>();
  const chainOfUsed = new Map<string, Chain>();
  const presented = new Map<string, number>();
  const granted = { password: 0, refresh_token: 0 };
  const tokenRequests: Grant[] = [];
  const api = { accepted: 0, refused: 0 };
  const credentials: string[] = [];

  const revoke = (chain: Chain): void => {
    chain.alive = false;
    chains.delete(chain);
  };

  const issueAccess = (chain: Chain): string => {
    const accessToken = opaque();
    access.set(accessToken, { chain, uses: new Map() });
    return accessToken;
  };

  const issue = (chain: Chain) => {
    const refreshToken = opaque();
    unused.set(refreshToken, chain);
    return { accessToken: issueAccess(chain), refreshToken };
  };

  const openChain = () => {
    if (options.oneSession === true) for (const chain of chains) revoke(chain);
    const chain = { alive: true };
    chains.add(chain);
    return issue(chain);
  };

  const redeem = (refreshToken: string) => {
    const chain = unused.get(refreshToken);
    if (chain === undefined) {
      const reused = chainOfUsed.get(refreshToken);
      if (reused !== undefined && options.revokeOnReuse === true) revoke(reused);
      return undefined;
    }
    if (options.rotates === false)
      return chain.alive ? { accessToken: issueAccess(chain), refreshToken: undefined } : undefined;
    unused.delete(refreshToken);
    chainOfUsed.set(refreshToken, chain);
    return chain.alive ? issue(chain) : undefined;
  };

  const respondToken = async (request: RecordedRequest): Promise<Outcome> => {
    const form = new URLSearchParams(request.body);
    const grant: Grant = form.get('grant_type') === 'refresh_token' ? 'refresh_token' : 'password';
    const refreshToken = form.get('refresh_token') ?? '';
    if (grant === 'refresh_token') presented.set(refreshToken, (presented.get(refreshToken) ?? 0) + 1);
    const index = tokenRequests.push(grant) - 1;
    const { drop, delayMs, until, lateMs, status = 200, body = {} } = behave(grant, index, request) ?? {};
    await until;
    if (delayMs !== undefined) await setTimeout(delayMs);
    if (drop === 'before') return 'drop';
    if (status !== 200) return json(body, status);
    if (grant === 'password' && server.refusePassword) return refuse('Refused');
    const tokens = grant === 'password' ? openChain() : redeem(refreshToken);
    if (tokens === undefined) return refuse('Refused');
    granted[grant]++;
    if (lateMs !== undefined) await setTimeout(lateMs);
    if (drop === 'after') return 'drop';
    return json({
      access_token: tokens.accessToken,
      expires_in: 600,
      token_type: 'bearer',
      refresh_expires_in: 2_592_000,
      refresh_token: tokens.refreshToken,
      ...body,
    });
  };

  const isAccepted = ({ headers }: RecordedRequest): boolean => {
    const known = access.get((headers.authorization ?? '').replace(/^Bearer /, ''));
    if (known === undefined || !known.chain.alive) return false;
    const worker = String(headers['x-worker'] ?? '');
    const uses = known.uses.get(worker) ?? 0;
    known.uses.set(worker, uses + 1);
    return uses < usesPerWorker;
  };

  const respondApi = (request: RecordedRequest): Reply => {
    credentials.push(request.headers.authorization ?? '');
    if (credentials.length > keptCredentials) credentials.shift();
    if (!isAccepted(request)) {
      api.refused++;
      return refuse('Invalid or no token', options.challenge);
    }
    api.accepted++;
    const { pathname } = new URL(request.url, 'http://localhost');
    return json(pathname === '/v1/things' ? [] : { id: 1, self: `${server.url}/v1/things/1`, ...granted });
  };

  const { url, close, reopen } = await record((request) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/auth/token') return respondToken(request);
    return options.files?.[pathname] ?? respondApi(request);
  });

  const server: TokenServer = {
    url,
    presented,
    granted,
    tokenRequests,
    api,
    credentials,
    refusePassword: false,
    expireAll: () => access.clear(),
    revokeAll: () => {
      for (const chain of chains) revoke(chain);
    },
    login: openChain,
    stop: close,
    start: reopen,
    [Symbol.asyncDispose]: close,
  };
  return server;
};

/** How often the refresh token that arrived most often did; 0 when none arrived. */
export const mostPresented = ({ presented }: TokenServer): number => Math.max(0, ...presented.values());
