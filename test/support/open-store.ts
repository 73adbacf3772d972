import type { TokenStore } from '../../src/index.ts';

/** Where a shared store lives: data, so that a worker process can be told. */
export type StorePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'redis' | 'ioredis'; readonly port: number };

export interface OpenedStore {
  readonly store: TokenStore;
  readonly close: () => Promise<void>;
}

/** A connection to Redis whose commands fail when it is lost, and which is not made again. */
export const connectRedis = async (port: number) => {
  const { Redis } = await import('ioredis');
  const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  return client;
};

/** Opens one handle to a shared store, from the sources, in a worker or in a test. */
export const openStore = async (place: StorePlace): Promise<OpenedStore> => {
  if (place.kind === 'sqlite') {
    const { sqliteStore } = await import('../../src/adapters/sqlite.ts');
    const store = sqliteStore({ path: place.path });
    return { store, close: async () => store.close() };
  }
  const { redisStore } = await import('../../src/adapters/redis.ts');
  if (place.kind === 'ioredis') {
    const client = await connectRedis(place.port);
    return { store: redisStore(client), close: async () => client.disconnect() };
  }
  const { createClient } = await import('redis');
  const client = createClient({ socket: { host: '127.0.0.1', port: place.port } });
  client.on('error', () => undefined);
  await client.connect();
  return { store: redisStore(client), close: async () => client.destroy() };
};
