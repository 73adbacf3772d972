// A token endpoint (§4.1) and an API that are as strict as a server can be, on a real socket. Written apart from
// mocks/, so that both must be wrong in the same way before a fault goes unseen.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Grant = 'password' | 'refresh_token';

/** What becomes of a token request in place of the usual answer. */
export interface Behaviour {
  /** The connection is closed: `before` anything is decided, or `after` the new tokens exist. */
  readonly drop?: 'before' | 'after';
  /** Waits before anything is decided. */
  readonly delayMs?: number;
  /** Waits after the new tokens exist. */
  readonly lateMs?: number;
  /** Replaces the answer; with 200 the fields replace those of the usual answer. */
  readonly status?: number;
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface TokenServerOptions {
  /** A refresh token that comes twice ends its chain: nothing of it is accepted any more. */
  readonly revokeOnReuse?: boolean;
  /** A password grant ends the user's other chains. */
  readonly oneSession?: boolean;
  /** How many API requests an access token is good for, counted for each `x-worker` alone; no bound by default. */
  readonly usesPerWorker?: number;
  readonly behave?: (grant: Grant, index: number) => Behaviour | undefined;
  /** `WWW-Authenticate` of a refused API request; none by default. */
  readonly challenge?: string;
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
  /** Grants that were committed, whether or not the answer arrived. */
  readonly granted: Readonly<Record<Grant, number>>;
  /** Every token request that arrived, in order. */
  readonly tokenRequests: readonly Grant[];
  /** API requests by their answer. */
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

const readText = async (incoming: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

const opaque = (): string => randomBytes(24).toString('base64url');

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const sendJson = (outgoing: ServerResponse, status: number, body: unknown, challenge?: string): void => {
  const fields = challenge === undefined ? {} : { 'www-authenticate': challenge };
  outgoing.writeHead(status, { 'content-type': 'application/json', ...fields });
  outgoing.end(JSON.stringify(body));
};

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

  const issue = (chain: Chain) => {
    const [accessToken, refreshToken] = [opaque(), opaque()];
    access.set(accessToken, { chain, uses: new Map() });
    unused.set(refreshToken, chain);
    return { accessToken, refreshToken };
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
    unused.delete(refreshToken);
    chainOfUsed.set(refreshToken, chain);
    return chain.alive ? issue(chain) : undefined;
  };

  const answerToken = async (form: URLSearchParams, outgoing: ServerResponse): Promise<void> => {
    const grant: Grant = form.get('grant_type') === 'refresh_token' ? 'refresh_token' : 'password';
    const refreshToken = form.get('refresh_token') ?? '';
    if (grant === 'refresh_token') presented.set(refreshToken, (presented.get(refreshToken) ?? 0) + 1);
    const {
      drop,
      delayMs,
      lateMs,
      status = 200,
      body = {},
    } = behave(grant, tokenRequests.push(grant) - 1) ?? {};
    if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (drop === 'before') {
      outgoing.destroy();
      return;
    }
    if (status !== 200) {
      sendJson(outgoing, status, body);
      return;
    }
    const rejected = grant === 'password' && server.refusePassword;
    const tokens = rejected ? undefined : grant === 'password' ? openChain() : redeem(refreshToken);
    if (tokens === undefined) {
      sendJson(outgoing, 401, { message: 'Refused' });
      return;
    }
    granted[grant]++;
    if (lateMs !== undefined) await new Promise((resolve) => setTimeout(resolve, lateMs));
    if (drop === 'after') {
      outgoing.destroy();
      return;
    }
    sendJson(outgoing, 200, {
      access_token: tokens.accessToken,
      expires_in: 600,
      token_type: 'bearer',
      refresh_expires_in: 2_592_000,
      refresh_token: tokens.refreshToken,
      ...body,
    });
  };

  const isAccepted = (incoming: IncomingMessage): boolean => {
    const known = access.get((incoming.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (known === undefined || !known.chain.alive) return false;
    const worker = String(incoming.headers['x-worker'] ?? '');
    const uses = known.uses.get(worker) ?? 0;
    known.uses.set(worker, uses + 1);
    return uses < usesPerWorker;
  };

  const answerApi = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    credentials.push(incoming.headers.authorization ?? '');
    if (credentials.length > keptCredentials) credentials.shift();
    if (!isAccepted(incoming)) {
      api.refused++;
      sendJson(outgoing, 401, { message: 'Invalid or no token' }, options.challenge);
      return;
    }
    api.accepted++;
    const { pathname } = new URL(incoming.url ?? '', 'http://localhost');
    if (pathname === '/v1/things') sendJson(outgoing, 200, []);
    else sendJson(outgoing, 200, { id: 1, self: `${server.url}/v1/things/1`, ...granted });
  };

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const text = await readText(incoming);
    if (incoming.url === '/auth/token') await answerToken(new URLSearchParams(text), outgoing);
    else answerApi(incoming, outgoing);
  };

  const open = (): Server =>
    createServer((incoming, outgoing) => {
      handle(incoming, outgoing).catch(() => outgoing.destroy());
    });

  let listener = open();
  const port = await listen(listener, 0);

  const stop = async (): Promise<void> => {
    if (!listener.listening) return;
    listener.close();
    listener.closeAllConnections();
    await once(listener, 'close');
  };

  const server: TokenServer = {
    url: `http://127.0.0.1:${port}`,
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
    stop,
    start: async () => {
      listener = open();
      await listen(listener, port);
    },
    [Symbol.asyncDispose]: stop,
  };
  return server;
};

/** How often the refresh token that arrived most often did; 0 when none arrived. */
export const mostPresented = ({ presented }: TokenServer): number => Math.max(0, ...presented.values());
