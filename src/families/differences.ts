import type { Family, WholeFamily } from './family.ts';

/** The parts of a family that those of another one differ from. */
export const differencesOf = (family: WholeFamily, base: WholeFamily): Family => {
  const others: Readonly<Record<string, unknown>> = { ...base };
  const parts = Object.entries(family).filter(
    ([part, value]) => JSON.stringify(value) !== JSON.stringify(others[part]),
  );
  return Object.fromEntries(parts);
};
