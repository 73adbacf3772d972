/** `call-plans` as `CallPlans`, in the letters of ASCII, without accents. */
export const toPascalCase = (name: string): string => {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
};

/**
 * Words whose singular the rules below would get wrong. The first ones are no plurals, or have no other form.
 */
const singulars: Readonly<Record<string, string>> = {
  alias: 'alias',
  atlas: 'atlas',
  bias: 'bias',
  canvas: 'canvas',
  chaos: 'chaos',
  gas: 'gas',
  goods: 'goods',
  kudos: 'kudos',
  lens: 'lens',
  news: 'news',
  series: 'series',
  species: 'species',
  aliases: 'alias',
  caches: 'cache',
  cookies: 'cookie',
  movies: 'movie',
  statuses: 'status',
};

/**
 * Endings of words that are no plurals, or whose singular may end in two ways: `analysis`, `buses`,
 * `quizzes`, `heroes`.
 */
const unclear = /(?:ss|us|is|us?es|yses|ches|zzes|oes|[glv]ases|iases)$/;

/**
 * `companies` as `company`. A word that is not clearly an English plural stays as it is: `.meta({ id })`
 * gives a schema another name.
 */
export const toSingular = (plural: string): string => {
  const [last = ''] = /[A-Z]?[a-z]+$/.exec(plural) ?? [];
  const start = plural.slice(0, plural.length - last.length);
  const word = last.toLowerCase();
  const known = Object.hasOwn(singulars, word) ? singulars[word] : undefined;
  if (known !== undefined) return start + last.slice(0, 1) + known.slice(1);
  if (/[^aeiou]ies$/.test(word)) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|sh|[nrt]ch|x)es$/.test(word)) return plural.slice(0, -2);
  // An abbreviation has no vowel: `sms`.
  const isPlural = /[aeiouy].*s$/.test(word) && !unclear.test(word);
  return isPlural ? plural.slice(0, -1) : plural;
};

export type Claim = ReturnType<typeof createClaim>;

/**
 * Creates a function that claims the first free one of its names, or the last one with a number when none is
 * free.
 */
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
