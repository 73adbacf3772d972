import type { Faker } from '@faker-js/faker';
import type { Random } from './random.ts';

/**
 * An instance of `Faker` from `@faker-js/faker` 9 or 10, for example the `faker` of `@faker-js/faker/locale/de`. The mock
 * uses its locale and leaves its seed alone.
 */
export interface FakerInstance {
  /** The data of its locale. */
  readonly rawDefinitions: object;
}

/** Calls faker, which draws from the given numbers. Returns undefined where the locale lacks what is asked for. */
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

/** Binds the given faker, or the installed one. undefined for `false`, and where none is installed. */
export const bindFaker = (given: FakerInstance | false | undefined): WithFaker | undefined => {
  const original = given ?? findInstalled();
  if (original === undefined || original === false) return undefined;
  // Only an instance leads to the class: a locale's module does not export it.
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
