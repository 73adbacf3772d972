import { memoryStore, type StoredRecord, type TokenStore } from 'restkin';
import { checkTokenStore } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

type Swap = (chains: Map<string, StoredRecord>, ...given: Parameters<TokenStore['swap']>) => Promise<boolean>;

const storeOf =
  (swap: Swap, found: (stored: StoredRecord | undefined) => StoredRecord | undefined = (stored) => stored) =>
  (): (() => TokenStore) => {
    const chains = new Map<string, StoredRecord>();
    return () => ({
      read: async (chain) => found(chains.get(chain)),
      swap: (...given) => swap(chains, ...given),
    });
  };

const versionOf = (chains: Map<string, StoredRecord>, chain: string): number =>
  chains.get(chain)?.version ?? 0;

const right: Swap = async (chains, chain, expected, record) => {
  if (versionOf(chains, chain) !== expected) return false;
  chains.set(chain, { version: expected + 1, record });
  return true;
};

const broken: readonly (readonly [string, () => () => TokenStore | Promise<TokenStore>])[] = [
  [
    'does not compare',
    storeOf(async (chains, chain, expected, record) => {
      chains.set(chain, { version: expected + 1, record });
      return true;
    }),
  ],
  [
    'compares, waits, then writes',
    storeOf(async (chains, chain, expected, record) => {
      if (versionOf(chains, chain) !== expected) return false;
      await pause();
      chains.set(chain, { version: expected + 1, record });
      return true;
    }),
  ],
  [
    'loses updates',
    storeOf(async (chains, chain, expected, record) =>
      chains.has(chain) ? versionOf(chains, chain) === expected : right(chains, chain, expected, record),
    ),
  ],
  [
    'returns false but writes',
    storeOf(async (chains, chain, expected, record) => {
      const same = versionOf(chains, chain) === expected;
      chains.set(chain, { version: versionOf(chains, chain) + 1, record });
      return same;
    }),
  ],
  [
    'counts from 0',
    storeOf(right, (stored) => stored && { version: stored.version - 1, record: stored.record }),
  ],
  [
    'does not count',
    storeOf(async (chains, chain, expected, record) => {
      if (versionOf(chains, chain) !== Math.min(expected, 1)) return false;
      chains.set(chain, { version: 1, record });
      return true;
    }),
  ],
  ['has one record for all chains', storeOf((chains, _chain, ...rest) => right(chains, 'same', ...rest))],
  ['gives every handle a storage of its own', () => memoryStore],
  [
    'trims records',
    storeOf((chains, chain, expected, record) => right(chains, chain, expected, record.slice(0, 10_000))),
  ],
  [
    'cannot hold all of Unicode',
    storeOf((chains, chain, expected, record) =>
      right(chains, chain, expected, Buffer.from(record, 'latin1').toString('latin1')),
    ),
  ],
  ['gives an empty record for none', storeOf(right, (stored) => stored ?? { version: 0, record: '' })],
  ['throws', storeOf(() => Promise.reject(new Error('Gone')))],
  [
    'creates at any version',
    storeOf(async (chains, chain, expected, record) => {
      if (chains.has(chain)) return right(chains, chain, expected, record);
      chains.set(chain, { version: 1, record });
      return true;
    }),
  ],
];

describe('checkTokenStore', () => {
  test.each(broken)('refuses a store that %s', async (_what, create) => {
    await expect(checkTokenStore(create())).rejects.toThrow('Not a token store:\n- ');
  });

  test('takes the store in memory, and one that is right', async () => {
    const store = memoryStore();
    await expect(checkTokenStore(() => store)).resolves.toBeUndefined();
    await expect(checkTokenStore(storeOf(right)())).resolves.toBeUndefined();
  });

  test('names each rule that does not hold and no other', async () => {
    const [, create] = broken.find(([what]) => what === 'trims records') ?? broken[0] ?? [];
    await expect(checkTokenStore(create?.() ?? memoryStore)).rejects.toThrow(
      /^Not a token store:\n- a record comes back as it was given$/,
    );
  });
});
