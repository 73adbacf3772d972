/** Pseudo-random numbers, the same for the same seed on every platform. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** An integer in the range, both ends included. */
  int(from: number, to: number): number;
  /** One of a list that is not empty. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** An independent sequence: drawing from it does not change this one. */
  fork(name: string): Random;
}

/** A number of 32 bits for a string (FNV-1a): a seed, or a part of an entity tag. */
export const hash = (content: string, start = 0x811c9dc5): number => {
  let at = start;
  for (let index = 0; index < content.length; index += 1)
    at = Math.imul(at ^ content.charCodeAt(index), 0x01000193);
  return at >>> 0;
};

/** Integer arithmetic of 32 bits (mulberry32), so that all platforms round alike. */
const createFrom = (seed: number): Random => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    fork: (name) => createFrom(hash(`/${name}`, seed)),
  };
};

/** The random numbers of a seed. */
export const createRandom = (seed: string): Random => createFrom(hash(seed));
