import { memoryStore, type TokenStore } from 'restkin';
import { describe, expect, test } from 'vitest';
import { createClaim } from '../../../../src/auth/token/claims.ts';
import { noTokens, openChain, type TokenRecord } from '../../../../src/auth/token/store.ts';

const tokens = (generation: number): TokenRecord => ({
  ...noTokens,
  generation,
  accessToken: `of ${generation}`,
});
const claimed = (generation: number, by: string): TokenRecord => ({
  ...tokens(generation),
  claim: { by, until: 0 },
});

const claimIn = (store: TokenStore) =>
  createClaim(
    openChain(
      store,
      async () => 'chain',
      () => undefined,
    ),
    { version: 0, claimed: tokens(3), leaseMs: 0 },
  );

/** The commit of what follows generation 3, when the store holds something else by then. */
const commitOver = async (next: TokenRecord, ...others: readonly TokenRecord[]) => {
  const store = memoryStore();
  const claim = claimIn(store);
  await claim.take();
  for (const [index, other] of others.entries()) await store.swap('chain', index + 1, JSON.stringify(other));
  const isStored = (await claim.commit(next)) !== 'lost';
  const stored = await store.read('chain');
  return { isStored, isThere: stored?.record === JSON.stringify(next) };
};

const refreshed: TokenRecord = { ...tokens(4), accessToken: 'refreshed' };
const loggedIn: TokenRecord = { ...tokens(5), accessToken: 'logged in' };

describe('a commit counts', () => {
  test.each([
    ['over the own claim', refreshed, []],
    ['over a claim by another one of the same tokens', refreshed, [claimed(3, 'them')]],
    ['over several', refreshed, [claimed(3, 'them'), claimed(3, 'others')]],
    ['after another one took over the claim and gave it back without tokens', refreshed, [tokens(3)]],
    ['of a login over the refresh whose claim it took over', loggedIn, [tokens(4)]],
    ['of a login over that refresh, claimed again', loggedIn, [claimed(4, 'them')]],
  ] as const)('%s', async (_what, next, others) => {
    expect(await commitOver(next, ...others)).toEqual({ isStored: true, isThere: true });
  });

  test('when the store lost what it held', async () => {
    let inner = memoryStore();
    const store: typeof inner = {
      read: (name) => inner.read(name),
      swap: (...swap) => inner.swap(...swap),
    };
    const claim = claimIn(store);
    await claim.take();
    inner = memoryStore();
    expect(await claim.commit(refreshed)).toBe('contested');
  });
});

describe('a commit does not count', () => {
  test('when others claim the same tokens again each time', async () => {
    const inner = memoryStore();
    const store: typeof inner = {
      read: async (name) => {
        const stored = await inner.read(name);
        await inner.swap(name, stored?.version ?? 0, JSON.stringify(claimed(3, 'them')));
        return stored;
      },
      swap: inner.swap,
    };
    const claim = claimIn(store);
    await claim.take();
    await store.read('chain');
    expect(await claim.commit(refreshed)).toBe('lost');
  });

  test.each([
    ['over newer tokens', refreshed, tokens(4)],
    ['over a claim of newer tokens', refreshed, claimed(4, 'them')],
    ['of a late refresh over the login that took over its claim', refreshed, tokens(5)],
    ['of a login over another login', loggedIn, tokens(5)],
    ['where the login was taken out', loggedIn, noTokens],
  ])('%s', async (_what, next, other) => {
    expect(await commitOver(next, other)).toEqual({ isStored: false, isThere: false });
  });
});
