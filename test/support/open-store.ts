import type { TokenStore } from '../../src/index.ts';
import { connectResp } from './resp-client.ts';

/** Where a shared store lives: data, so that a worker process can be told. */
export type StorePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'resp-call' | 'resp-send' | 'redis' | 'ioredis'; readonly port: number };

export interface OpenedStore {
  readonly store: TokenStore;
  readonly close: () => Promise<void>;
}

const openRedis = async (kind: string, port: number): Promise<OpenedStore> => {
  const { redisStore } = await import('../../src/adapters/redis.ts');
  if (kind === 'redis') {
    const { createClient } = await import('redis');
    const client = createClient({ socket: { host: '127.0.0.1', port } });
    client.on('error', () => undefined);
    await client.connect();
    return { store: redisStore(client), close: async () => client.destroy() };
  }
  if (kind === 'ioredis') {
    const { Redis } = await import('ioredis');
    const client = new Redis({ host: '127.0.0.1', port });
    client.on('error', () => undefined);
    return { store: redisStore(client), close: async () => client.disconnect() };
  }
  const client = await connectResp(port);
  const store =
    kind === 'resp-call'
      ? redisStore({ call: (name, ...rest) => client.send([name, ...rest]) })
      : redisStore({ sendCommand: (command) => client.send(command) });
  return { store, close: async () => client.close() };
};

/** Opens one handle to a shared store, from the sources, in a worker or in a test. */
export const openStore = async (place: StorePlace): Promise<OpenedStore> => {
  if (place.kind !== 'sqlite') return openRedis(place.kind, place.port);
  const { sqliteStore } = await import('../../src/adapters/sqlite.ts');
  const store = sqliteStore({ path: place.path });
  return { store, close: async () => store.close() };
};
