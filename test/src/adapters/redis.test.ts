import { InvalidRequestError } from 'restkin';
import { type RedisClient, redisStore } from 'restkin/redis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callInTurn, createTestClient, successes } from '../../faults/clients.ts';
import { startTokenServer } from '../../faults/token-server.ts';
import { connectRedis, openStore, type StorePlace } from '../../support/open-store.ts';
import { skipRedis, startRedis } from '../../support/redis-server.ts';
import { checkTokenStore } from '../../support/token-store-rules.ts';

type RedisKind = Exclude<StorePlace['kind'], 'sqlite'>;

const open = async (kind: RedisKind, port: number) => {
  const { store, close } = await openStore({ kind, port });
  onTestFinished(close);
  return store;
};

describe.skipIf(skipRedis)('redisStore', () => {
  test.each<RedisKind>(['redis', 'ioredis'])('is a token store over the client %s', async (kind) => {
    await using redis = await startRedis();
    await expect(checkTokenStore(() => open(kind, redis.port))).resolves.toBeUndefined();
  });

  test('is one store for different clients', async () => {
    await using redis = await startRedis();
    const kinds: RedisKind[] = ['redis', 'ioredis'];
    const next = () => open(kinds.shift() ?? 'ioredis', redis.port);
    await expect(checkTokenStore(next)).resolves.toBeUndefined();
  });

  test('keeps to its prefix', async () => {
    await using redis = await startRedis();
    const client = await connectRedis(redis.port);
    onTestFinished(() => client.disconnect());
    await redisStore(client).swap('chain', 0, 'record');
    await redisStore(client, { prefix: 'mine:' }).swap('chain', 0, 'other');
    const keys = await client.keys('*');
    expect(keys.toSorted()).toEqual(['mine:chain', 'restkin:tokens:chain']);
    expect(await redisStore(client).read('chain')).toEqual({ version: 1, record: 'record' });
  });

  test('that is gone in the middle lets calls succeed', async () => {
    const redis = await startRedis();
    await using server = await startTokenServer({ revokeOnReuse: true });
    const tested = createTestClient(server, { store: await open('ioredis', redis.port), leaseMs: 100 });
    await tested.call();
    await redis.stop();
    for (let time = 0; time < 3; time++) {
      server.expireAll();
      expect(await callInTurn(tested, 5)).toEqual(successes(5));
    }
    expect(tested.events.map(({ reason }) => reason)).toContain('storeFailed');
    expect(server.granted).toEqual({ password: 4, refresh_token: 0 });
  });

  test.each([
    ['another version', ['HSET', 'version', 'abc', 'record', 'a record'], 'Error: the key holds no tokens'],
    ['no record', ['HSET', 'version', '5'], 'Error: the key holds no tokens'],
    ['another kind', ['SET', 'a text'], expect.any(String)],
  ])(
    'whose key is of %s is a store that fails at once: nobody can swap it',
    async (_what, written, failure) => {
      await using redis = await startRedis();
      await using server = await startTokenServer();
      const client = await connectRedis(redis.port);
      onTestFinished(() => client.disconnect());
      const [writes = '', ...fields] = written;
      const store = redisStore({
        sendCommand: async ([name = '', key = '', ...rest]) => {
          if (name === 'HMGET') await client.call(writes, key, ...fields);
          return client.call(name, key, ...rest);
        },
      });
      const { call, events } = createTestClient(server, { store });
      expect(await call()).toEqual([]);
      expect(events).toMatchObject([{ reason: 'storeFailed', failure }, { reason: 'first' }]);
    },
  );
});

test('refuses a client without commands, and options that it does not have', () => {
  const client: RedisClient = { sendCommand: async () => null };
  for (const given of [undefined, Promise.resolve(client), {}])
    expect(() => redisStore(given as RedisClient)).toThrow(InvalidRequestError);
  for (const options of [{ prefx: 'mine:' }, { prefix: 5 }])
    expect(() => redisStore(client, options as object)).toThrow(InvalidRequestError);
});

describe('a structural client', () => {
  const replies = (reply: unknown) => {
    const commands: string[][] = [];
    const note = async (command: string[]): Promise<unknown> => {
      commands.push(command);
      return reply;
    };
    return { commands, note };
  };

  test('gets words by call, as ioredis has it beside a sendCommand of another kind, else a list', async () => {
    const { commands, note } = replies([null, null]);
    const clients: RedisClient[] = [
      {
        call: (name, ...rest) => note([name, ...rest]),
        sendCommand: () => Promise.reject(new Error('Of another kind')),
      } as RedisClient,
      { sendCommand: note },
    ];
    for (const client of clients) expect(await redisStore(client).read('chain')).toBeUndefined();
    const expected = ['HMGET', 'restkin:tokens:chain', 'version', 'record'];
    expect(commands).toEqual([expected, expected]);
  });

  test.each([
    ['texts', ['7', 'record']],
    ['bytes', [Buffer.from('7'), Buffer.from('record')]],
  ])('may reply with %s', async (_name, reply) => {
    const { note } = replies(reply);
    expect(await redisStore({ sendCommand: note }).read('chain')).toEqual({ version: 7, record: 'record' });
  });

  test.each([
    [1, true],
    [0, false],
    ['1', true],
    [1n, true],
  ])('that replies %s to a swap means %s', async (reply, swapped) => {
    const { note } = replies(reply);
    expect(await redisStore({ sendCommand: note }).swap('chain', 0, 'record')).toBe(swapped);
  });
});
