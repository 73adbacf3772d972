/**
 * A token store for a fleet, over the application's own Redis client.
 *
 * @module restkin/redis
 */

import type { TokenStore } from '../auth/token/store.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { checkName, createReader, isCount } from '../options.ts';

/** The part of a client that {@link redisStore} uses: `sendCommand` of node-redis, or `call` of ioredis. */
export type RedisClient =
  | { sendCommand(command: string[]): Promise<unknown> }
  | { call(command: string, ...rest: string[]): Promise<unknown> };

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** The start of the name of each key; `restkin:tokens:` by default. */
  readonly prefix?: string | undefined;
}

const readOptions = createReader<RedisStoreOptions>({ prefix: checkName });

// One script is one step for Redis: no other client reads or writes between the comparison and the swap.
const swapScript = `
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'record', ARGV[3])
return 1`;

const toSend = (client: RedisClient): ((command: string[]) => Promise<unknown>) => {
  const { call, sendCommand } = (client ?? {}) as { readonly call?: unknown; readonly sendCommand?: unknown };
  // A promise of a client has neither method.
  if (typeof call !== 'function' && typeof sendCommand !== 'function') {
    throw new InvalidRequestError(
      'redisStore needs a client with `sendCommand`, as of node-redis, or `call`, as of ioredis',
    );
  }
  // ioredis has a `sendCommand` too, with other arguments; only ioredis has `call`.
  if ('call' in client) return ([name = '', ...rest]) => client.call(name, ...rest);
  return (command) => client.sendCommand(command);
};

/** The error for a key that another program uses: no swap would ever succeed on it. */
const foreignKey = (key: string): Error =>
  Object.assign(
    new Error(`The Redis key ${key} holds no tokens; delete it, or pass another \`prefix\` to redisStore`),
    { errstr: 'the key holds no tokens' },
  );

/**
 * Keeps token chains in Redis, for a fleet of processes. The application connects its client and closes it.
 *
 * Writes are as durable as the server: with `appendonly yes` and `appendfsync always` they survive a crash of
 * Redis.
 *
 * @throws `InvalidRequestError` for anything but a client, and for invalid options
 * @example
 * ```ts
 * const auth = tokenAuth({ authUrl, username, password, store: redisStore(redis) });
 * ```
 */
export const redisStore = (client: RedisClient, options?: RedisStoreOptions): TokenStore => {
  const { prefix = 'restkin:tokens:' } = readOptions(options, 'redisStore');
  const send = toSend(client);
  return {
    read: async (chain) => {
      const key = prefix + chain;
      // The client returns strings or Buffers.
      const reply = (await send(['HMGET', key, 'version', 'record'])) as readonly (object | string | null)[];
      const [version, record] = reply;
      if (version == null) return undefined;
      const stored = { version: Number(version), record: String(record) };
      if (record == null || !isCount(stored.version)) throw foreignKey(key);
      return stored;
    },
    swap: async (chain, expectedVersion, record) => {
      const versions = [String(expectedVersion), String(expectedVersion + 1)];
      const swapped = await send(['EVAL', swapScript, '1', prefix + chain, ...versions, record]);
      return Number(swapped) === 1;
    },
  };
};
