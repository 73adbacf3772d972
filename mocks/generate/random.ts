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

/** The `faker` of `@faker-js/faker` 9 or 10, as {@link createMock} uses it. */
export interface FakerInstance {
  /** Its functions that need no locale. */
  readonly helpers: object;
}

/** Makes a string that a pattern probably matches; undefined where it cannot. */
export type FromPattern = (pattern: RegExp, random: Random) => string | undefined;

const packageName = '@faker-js/faker';

/** Found without an import, so that a bundle for a browser neither contains the package nor fails without it. */
const findInstalled = (): FakerInstance | undefined => {
  try {
    const { createRequire } = globalThis.process.getBuiltinModule('node:module');
    return createRequire(import.meta.url)(packageName).faker;
  } catch {
    // No Node, or no faker.
    return undefined;
  }
};

/** Binds the given faker, or the installed one, to the numbers of a mock; its own seed stays as it is. */
export const bindFaker = (given: FakerInstance | undefined): FromPattern => {
  let drawn: Random | undefined;
  const bind = (): Faker | undefined => {
    const instance = given ?? findInstalled();
    // Its class, which a browser could not import without the package.
    const OwnFaker = instance?.constructor as typeof Faker | undefined;
    const randomizer = { next: () => drawn?.next() ?? 0, seed: () => undefined };
    return OwnFaker && new OwnFaker({ locale: {}, randomizer });
  };
  let faker: Faker | undefined;
  return (pattern, random) => {
    drawn = random;
    try {
      faker ??= bind();
      return faker?.helpers.fromRegExp(pattern);
    } catch {
      return undefined;
    }
  };
};
