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
const hash = (seed: string): number => {
  let at = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1)
    at = Math.imul(at ^ seed.charCodeAt(index), 0x01000193);
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

/**
 * An instance of `Faker` from `@faker-js/faker` 9 or 10 for {@link createMock}, for example the `faker` of
 * `@faker-js/faker/locale/de`. The mock uses its locale and leaves its seed alone.
 */
export interface FakerInstance {
  /** The data of its locale. */
  readonly rawDefinitions: object;
}

/** Calls faker, which draws from the given numbers. Returns undefined where the locale lacks the list. */
export type WithFaker = <Value>(random: Random, make: (faker: Faker) => Value) => Value | undefined;

const packageName = '@faker-js/faker/locale/en';

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

/** Binds the given faker, or the installed one. Undefined for `false`, and where none is installed. */
export const bindFaker = (given: FakerInstance | false | undefined): WithFaker | undefined => {
  const original = given ?? findInstalled();
  if (original === undefined || original === false) return undefined;
  // A locale's module exports an instance only, and the class is its constructor.
  const OwnFaker = original.constructor as typeof Faker;
  let drawn: Random | undefined;
  const faker = new OwnFaker({
    // The definitions of an instance are a locale, which is what its class takes.
    locale: original.rawDefinitions as Faker['rawDefinitions'],
    randomizer: { next: () => drawn?.next() ?? 0, seed: () => undefined },
  });
  return (random, make) => {
    const before = drawn;
    drawn = random;
    try {
      return make(faker);
    } catch {
      // faker throws where a locale has no such list.
      return undefined;
    } finally {
      drawn = before;
    }
  };
};
