/** Numbers that look random and are the same for the same seed, on every platform. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number in the range, both ends included. */
  int(from: number, to: number): number;
  /** One of a list that is not empty. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** Numbers of their own: what is drawn from them changes nothing here. */
  fork(name: string): Random;
}

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let at = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    at = Math.imul(at ^ text.charCodeAt(index), 0x01000193);
  return at >>> 0;
};

/** Whole-number arithmetic of 32 bits alone (mulberry32), so that no platform rounds another way. */
export const createRandom = (seed: string): Random => {
  let state = hash(seed);
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
    chance: (probability) => next() < probability,
    fork: (name) => createRandom(`${seed}/${name}`),
  };
};
