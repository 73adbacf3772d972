import {
  type Client,
  createClient,
  type Events,
  type Fetch,
  type TokenAuth,
  type TokenStore,
  tokenAuth,
} from 'restkin';
import type { TokenServer } from './token-server.ts';

export interface TestClient {
  readonly client: Client;
  readonly auth: TokenAuth;
  /** What `on.token` was told, in order. */
  readonly events: readonly Events['token'][];
  /** One call; its result is what the API lists. */
  readonly call: (signal?: AbortSignal) => Promise<unknown>;
}

export interface TestClientOptions {
  readonly store?: TokenStore;
  readonly leaseMs?: number;
  readonly fetch?: Fetch;
  /** Tokens in place of the password. */
  readonly tokens?: { readonly accessToken?: string; readonly refreshToken?: string };
  readonly refreshTokenRotation?: boolean;
}

/** A client of the token server, as another process would have it; its retries do not wait. */
export const createTestClient = (
  server: Pick<TokenServer, 'url'>,
  { store, leaseMs, tokens, fetch, refreshTokenRotation }: TestClientOptions = {},
): TestClient => {
  const events: Events['token'][] = [];
  const login = tokens === undefined ? { username: 'ada', password: 'lovelace' } : { tokens };
  const auth = tokenAuth({ authUrl: server.url, store, leaseMs, refreshTokenRotation, ...login });
  const client = createClient({
    baseUrl: server.url,
    auth,
    ...(fetch === undefined ? {} : { fetch }),
    retry: { baseDelayMs: 1 },
    on: { token: (event) => events.push(event) },
  });
  const call = (signal?: AbortSignal): Promise<unknown> =>
    Promise.resolve(
      client.request({ method: 'GET', path: 'v1/things', ...(signal === undefined ? {} : { signal }) }),
    );
  return { client, auth, events, call };
};

/** Observes a login that is meant to fail: without an observer, its failure is written to the console. */
export const unwarned = { token: () => undefined } as const;

/** Calls one after the other. */
export const callInTurn = async ({ call }: TestClient, times: number): Promise<readonly unknown[]> => {
  const results: unknown[] = [];
  for (let count = 0; count < times; count++) results.push(await call());
  return results;
};

/** What so many calls give when each succeeds. */
export const successes = (times: number): readonly unknown[] => Array.from({ length: times }, () => []);
