import type { Faker } from '@faker-js/faker';

/** Pseudo-random numbers, the same for the same seed on every platform. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** An integer in the range, both ends included. */
  int(from: number, to: number): number;
  /** One of a list that is not empty. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** An independent sequence: drawing from it does not change this one. */
  fork(name: string): Random;
}

/** FNV-1a, 32 bits. */
export const hash = (content: string): number => {
  let at = 0x811c9dc5;
  for (let index = 0; index < content.length; index += 1)
    at = Math.imul(at ^ content.charCodeAt(index), 0x01000193);
  return at >>> 0;
};

/** Integer arithmetic of 32 bits (mulberry32), so that all platforms round alike. */
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

/** Makes a string that a pattern probably matches; undefined where it cannot. */
export type FromPattern = (pattern: RegExp, random: Random) => string | undefined;

/** The `faker` of the package, if it is installed; not imported, so that a bundle for a browser does not need it. */
const findFaker = (): Faker | undefined => {
  try {
    const { createRequire } = globalThis.process.getBuiltinModule('node:module');
    return createRequire(import.meta.url)('@faker-js/faker').faker;
  } catch {
    return undefined;
  }
};

/** Makes strings by the installed faker, from the numbers of a mock; its own seed stays as it is. */
export const createFromPattern = (): FromPattern => {
  let drawn: Random | undefined;
  let own: Faker | undefined;
  return (pattern, random) => {
    drawn = random;
    const OwnFaker = (own ?? findFaker())?.constructor as typeof Faker | undefined;
    if (OwnFaker === undefined) return undefined;
    const randomizer = { next: () => drawn?.next() ?? 0, seed: () => undefined };
    own ??= new OwnFaker({ locale: {}, randomizer });
    try {
      return own.helpers.fromRegExp(pattern);
    } catch {
      // A pattern that it does not support.
      return undefined;
    }
  };
};
