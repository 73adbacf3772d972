import { memoryStore, type StoredRecord, type TokenStore } from 'restkin';
import { checkTokenStore } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../support/shop.ts';

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

const broken: Readonly<Record<string, () => () => TokenStore>> = {
  'does not compare': storeOf(async (chains, chain, expected, record) => {
    chains.set(chain, { version: expected + 1, record });
    return true;
  }),
  'compares, waits, then writes': storeOf(async (chains, chain, expected, record) => {
    if (versionOf(chains, chain) !== expected) return false;
    await pause();
    chains.set(chain, { version: expected + 1, record });
    return true;
  }),
  'returns false but writes': storeOf(async (chains, chain, expected, record) => {
    const same = versionOf(chains, chain) === expected;
    chains.set(chain, { version: versionOf(chains, chain) + 1, record });
    return same;
  }),
  'counts from 0': storeOf(right, (stored) => stored && { ...stored, version: stored.version - 1 }),
  'has one record for all chains': storeOf((chains, _chain, ...rest) => right(chains, 'same', ...rest)),
  'gives every handle a storage of its own': () => memoryStore,
  'trims records': storeOf((chains, chain, expected, record) =>
    right(chains, chain, expected, record.slice(0, 10_000)),
  ),
  'gives an empty record for none': storeOf(right, (stored) => stored ?? { version: 0, record: '' }),
  throws: storeOf(() => Promise.reject(new Error('Gone'))),
  'creates at any version': storeOf(async (chains, chain, expected, record) => {
    if (chains.has(chain)) return right(chains, chain, expected, record);
    chains.set(chain, { version: 1, record });
    return true;
  }),
};

describe('checkTokenStore', () => {
  test.each(Object.entries(broken))('refuses a store that %s', async (what, create) => {
    const refusal = String(await rejectionOf(checkTokenStore(create())));
    // It names each rule that does not hold, and no other.
    const rules = what === 'trims records' ? /:\n- a record comes back as it was given$/ : /:\n- /;
    expect(refusal).toMatch(/Not a token store:\n- /);
    expect(refusal).toMatch(rules);
  });

  test('takes the store in memory, and one that is right', async () => {
    const store = memoryStore();
    await expect(checkTokenStore(() => store)).resolves.toBeUndefined();
    await expect(checkTokenStore(storeOf(right)())).resolves.toBeUndefined();
  });
});
