// A process that shares a token store with others: `node test/faults/token-worker.ts '<config>'`, with an IPC
// channel. It may be told to kill itself, as `kill -9` would, at a point of the protocol.
import { flushCompileCache } from 'node:module';
import { createClient, type Fetch, type TokenStore, tokenAuth } from '../../src/index.ts';
import { openStore, type StorePlace } from '../support/open-store.ts';

/** Where in claim, act, commit a worker kills itself. */
export type KillPoint = 'beforeClaim' | 'afterClaim' | 'afterSending' | 'afterCommit';

export interface WorkerConfig {
  readonly id: string;
  readonly url: string;
  readonly place: StorePlace;
  readonly leaseMs: number;
  /** Of one token request. */
  readonly timeoutMs?: number;
  readonly killAt?: KillPoint;
  readonly refreshTokenRotation?: boolean;
}

/** Asks a worker that is ready to make so many calls, one after the other. */
export interface Order {
  readonly calls: number;
}

/** What a worker tells. */
export type Report =
  | { readonly type: 'ready' | 'storeFailed' | 'called' }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'done'; readonly calls: number };

const config: WorkerConfig = JSON.parse(process.argv[2] ?? '');

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const tell = (report: Report): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(report, undefined, {}, () => resolve());
  });

const isClaim = (record: string): boolean => JSON.parse(record).claim !== undefined;

/** A store whose process may end in it. */
const deadly = (store: TokenStore, killAt: KillPoint | undefined): TokenStore => ({
  read: (chain) => store.read(chain),
  swap: async (chain, expectedVersion, record) => {
    const claim = isClaim(record);
    if (claim && killAt === 'beforeClaim') die();
    const swapped = await store.swap(chain, expectedVersion, record);
    if (swapped && killAt === (claim ? 'afterClaim' : 'afterCommit')) die();
    return swapped;
  },
});

const deadlyFetch: Fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (config.killAt === 'afterSending' && input.endsWith('/auth/token')) die();
  return response;
};

const { store, close } = await openStore(config.place);
const client = createClient({
  baseUrl: config.url,
  auth: tokenAuth({
    authUrl: config.url,
    username: 'ada',
    password: 'lovelace',
    leaseMs: config.leaseMs,
    timeoutMs: config.timeoutMs,
    refreshTokenRotation: config.refreshTokenRotation,
    store: deadly(store, config.killAt),
  }),
  fetch: deadlyFetch,
  headers: { 'x-worker': config.id },
  on: {
    token: ({ reason }) => {
      if (reason === 'storeFailed') void tell({ type: 'storeFailed' });
    },
  },
});

const obey = async ({ calls }: Order): Promise<void> => {
  let succeeded = 0;
  for (let count = 0; count < calls; count++) {
    try {
      await client.request({ method: 'GET', path: 'v1/things/1' });
      succeeded++;
      if (succeeded === 1) await tell({ type: 'called' });
    } catch (error) {
      await tell({ type: 'failed', error: String(error) });
    }
  }
  await tell({ type: 'done', calls: succeeded });
  await close();
  process.disconnect();
};

// A test that is gone leaves no worker behind.
process.on('disconnect', () => process.exit());
process.once('message', (order: Order) => void obey(order));
// Node would do so at its exit, which a killed process does not have.
flushCompileCache();
await tell({ type: 'ready' });
