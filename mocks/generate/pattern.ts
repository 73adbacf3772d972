import type { Random } from './random.ts';

/**
 * Makes a string. `extra` says how often a part such as `\d+` or `\d{2,4}` occurs beyond its minimum, at
 * most.
 */
type Draw = (random: Random, extra: () => number) => string;

/** Thrown for a pattern that has a part of which no string can be made. */
export class UnsupportedPatternError extends Error {
  constructor({ source }: RegExp, part: string) {
    super(`the part ${part} of the pattern /${source}/ is not supported`);
  }
}

/**
 * The characters that strings are made of, unless a pattern names others: printable ASCII, and a few letters.
 */
const usualCharacters: readonly string[] = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)),
  ...Array.from('äéñøÅÇÖ'),
];

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };

/** The most characters of a range that are used. */
const maxRange = 256;

const charactersBetween = (from: string, to: string): readonly string[] => {
  const first = from.codePointAt(0) ?? 0;
  const length = Math.min((to.codePointAt(0) ?? first) - first + 1, maxRange);
  return Array.from({ length }, (_, index) => String.fromCodePoint(first + index));
};

const pickFrom = (random: Random, characters: readonly string[]): string =>
  characters[random.int(0, characters.length - 1)] ?? '';

// Sticky: each is tried where the parser is.
const quantifier = /([*+?]|\{(\d+)(,(\d*))?\})\??/y;
const escapedClass = /\\(?:[dDwWsS]|[pP]\{[^}]*\})/y;
const escapedCode = /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\})/iy;
const groupStart = /\((?:\?:|\?<[^=!][^>]*>|(?!\?))/y;
const assertionStart = /\(\?<?[=!]/y;

/**
 * Reads a pattern once, so that many strings can be made. It supports alternatives, groups, classes, escapes
 * and quantifiers. Assertions are skipped: the caller checks whether a string fits.
 *
 * @throws {@link UnsupportedPatternError} for a back reference, and for a class without a usual character
 */
export const readPattern = (pattern: RegExp): Draw => {
  const { source } = pattern;
  let at = 0;

  const take = (token: RegExp): RegExpExecArray | undefined => {
    token.lastIndex = at;
    const found = token.exec(source) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  };

  const takeCharacter = (): string => {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
    at += character.length;
    return character;
  };

  /** One character after a backslash. */
  const readEscape = (): string => {
    const start = at;
    const code = take(escapedCode);
    if (code !== undefined)
      return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16));
    at += 1;
    const character = takeCharacter();
    if (/[1-9kcxu]/.test(character)) throw new UnsupportedPatternError(pattern, source.slice(start, at));
    return controls[character] ?? character;
  };

  /** The usual characters of `\d`, `\w`, `\s`, `\p{...}`, and of what they exclude. */
  const readEscapedClass = (): readonly string[] | undefined => {
    const found = take(escapedClass);
    if (found === undefined) return undefined;
    const { flags } = pattern;
    const matcher = new RegExp(`^${found[0]}$`, /[uv]/.test(flags) ? flags : '');
    return usualCharacters.filter((character) => matcher.test(character));
  };

  const readMember = (): readonly string[] => {
    const escaped = readEscapedClass();
    if (escaped !== undefined) return escaped;
    const first = source[at] === '\\' ? readEscape() : takeCharacter();
    if (source[at] !== '-' || source[at + 1] === ']') return [first];
    at += 1;
    return charactersBetween(first, source[at] === '\\' ? readEscape() : takeCharacter());
  };

  /** The characters of `[a-z]` or `[^a-z]`. */
  const readClass = (): readonly string[] => {
    const start = at;
    at += 1;
    const isNegated = source[at] === '^';
    if (isNegated) at += 1;
    const members = new Set<string>();
    while (at < source.length && source[at] !== ']') for (const member of readMember()) members.add(member);
    at += 1;
    const characters = isNegated ? usualCharacters.filter((one) => !members.has(one)) : [...members];
    if (characters.length === 0) throw new UnsupportedPatternError(pattern, source.slice(start, at));
    return characters;
  };

  const readAtom = (): Draw => {
    if (take(assertionStart) !== undefined) {
      readAlternatives();
      at += 1;
      return () => '';
    }
    if (take(groupStart) !== undefined) {
      const inner = readAlternatives();
      at += 1;
      return inner;
    }
    if (take(/[$^]|\\[bB]/y) !== undefined) return () => '';
    if (take(/\./y) !== undefined) return (random) => pickFrom(random, usualCharacters);
    const characters = source[at] === '[' ? readClass() : readEscapedClass();
    if (characters !== undefined) return (random) => pickFrom(random, characters);
    const character = source[at] === '\\' ? readEscape() : takeCharacter();
    return () => character;
  };

  /** How often the part before occurs: `most` is undefined where there is no limit. */
  const readTimes = (): { readonly least: number; readonly most: number | undefined } => {
    const [, sign, least, range, most] = take(quantifier) ?? [];
    if (sign === undefined) return { least: 1, most: 1 };
    if (sign === '?') return { least: 0, most: 1 };
    if (least === undefined) return { least: sign === '+' ? 1 : 0, most: undefined };
    if (range === undefined) return { least: Number(least), most: Number(least) };
    return { least: Number(least), most: most === '' ? undefined : Number(most) };
  };

  const readSequence = (): Draw => {
    const parts: Draw[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const atom = readAtom();
      const { least, most } = readTimes();
      parts.push((random, extra) => {
        const length = most === least ? least : Math.min(most ?? Number.MAX_SAFE_INTEGER, least + extra());
        return Array.from({ length }, () => atom(random, extra)).join('');
      });
    }
    return (random, extra) => parts.map((part) => part(random, extra)).join('');
  };

  const readAlternatives = (): Draw => {
    const first = readSequence();
    const all: [Draw, ...Draw[]] = [first];
    while (source[at] === '|') {
      at += 1;
      all.push(readSequence());
    }
    return (random, extra) => random.pick(all)(random, extra);
  };

  return readAlternatives();
};
