/** `call-plans` as `CallPlans`, in the letters of ASCII, without accents. */
export const toPascalCase = (name: string): string => {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
};

/** `companies` as `company`. An irregular plural stays as it is: `.meta({ id })` gives a schema another name. */
export const toSingular = (plural: string): string => {
  if (/[^aeiou]ies$/i.test(plural)) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/i.test(plural)) return plural.slice(0, -2);
  return /[^s]s$/i.test(plural) ? plural.slice(0, -1) : plural;
};

export type Claim = ReturnType<typeof createClaim>;

/** Creates a function that claims the first free one of its names, or the last one with a number when none is free. */
export const createClaim = (reserved: readonly string[] = []) => {
  const taken = new Set(reserved);
  return (...candidates: readonly [string, ...string[]]): string => {
    const last = candidates.at(-1) ?? '';
    let name = candidates.find((candidate) => !taken.has(candidate));
    for (let count = 2; name === undefined; count += 1) {
      if (!taken.has(last + count)) name = last + count;
    }
    taken.add(name);
    return name;
  };
};

/** The same entries in the order of their names. */
export const sorted = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
