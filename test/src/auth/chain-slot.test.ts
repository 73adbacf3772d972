import { memoryStore } from 'restkin';
import { describe, expect, test } from 'vitest';
import { openSlot } from '../../../src/auth/chain-slot.ts';
import { formatRecord, noTokens, type TokenRecord } from '../../../src/auth/token-record.ts';

const claimed = (generation: number, by: string): TokenRecord => ({
  ...noTokens,
  generation,
  claim: { by, until: 0 },
});
const renewed: TokenRecord = { ...noTokens, generation: 4, accessToken: 'new' };

/** The commit of what was renewed after generation 3, when the store holds something else by then. */
const commitOver = async (...others: readonly TokenRecord[]) => {
  const store = memoryStore();
  const slot = openSlot(store, 'chain', 0);
  await slot.put(claimed(3, 'us'));
  for (const [index, other] of others.entries()) await store.swap('chain', index + 1, formatRecord(other));
  const isCommitted = await slot.commit(renewed, 3);
  const stored = await store.read('chain');
  return { isCommitted, isThere: stored?.record === formatRecord(renewed) };
};

describe('a commit counts', () => {
  test.each([
    ['over the own claim', []],
    ['over a claim by another one of the same tokens', [claimed(3, 'them')]],
    ['over several', [claimed(3, 'them'), claimed(3, 'others')]],
  ])('%s', async (_what, others) => {
    expect(await commitOver(...others)).toEqual({ isCommitted: true, isThere: true });
  });

  test('when the store lost what it held', async () => {
    let store = memoryStore();
    const slot = openSlot(
      { read: (name) => store.read(name), swap: (...swap) => store.swap(...swap) },
      'chain',
      0,
    );
    await slot.put(claimed(3, 'us'));
    store = memoryStore();
    expect(await slot.commit(renewed, 3)).toBe(true);
  });
});

describe('a commit does not count', () => {
  test.each([
    ['over newer tokens', { ...noTokens, generation: 4, accessToken: 'theirs' }],
    ['over a claim of newer tokens', claimed(4, 'them')],
    ['where the claim was given back, or the login taken out', { ...noTokens, generation: 3 }],
  ])('%s', async (_what, other) => {
    expect(await commitOver(other)).toEqual({ isCommitted: false, isThere: false });
  });
});
