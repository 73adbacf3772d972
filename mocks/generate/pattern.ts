import type { Random } from './random.ts';

/** Makes a part of a string. `extra` is how often a part without an upper bound is repeated beyond its lower one. */
type Part = (random: Random, extra: number) => string;

/** What a pattern consists of: the start of a group, a class, an escape, a quantifier, or one character. */
const tokens =
  /\(\?(?:<?[=!]|:|<[^>]*>)|\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|\d+|.)|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/;

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/** Longer than the values of any field. Nested repetitions would go far beyond it. */
const longest = 4_000;

/** True for a token that matches no character: an anchor or a word boundary. */
const isEdge = (token: string): boolean => ['^', '$', '\\b', '\\B'].includes(token);

/** The parts of a pattern, read from its source. */
class PatternReader {
  readonly #tokens: readonly string[];
  readonly #flags: string;
  readonly #characters: readonly string[];
  #at = 0;

  constructor({ source, flags }: RegExp) {
    this.#tokens = source.match(tokens) ?? [];
    this.#flags = flags.replace(/[gy]/g, '');
    // A class may name characters beyond ASCII.
    this.#characters = [...ascii, ...Array.from(source)];
  }

  /** Alternatives, up to the end of their group. */
  read(): Part {
    const parts: [Part, ...Part[]] = [this.#readSequence()];
    while (this.#tokens[this.#at] === '|') {
      this.#at += 1;
      parts.push(this.#readSequence());
    }
    this.#at += 1;
    return (random, extra) => random.pick(parts)(random, extra);
  }

  #readSequence(): Part {
    const parts: Part[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined; token = this.#tokens[this.#at]) {
      if (token === '|' || token === ')') break;
      this.#at += 1;
      parts.push(this.#readQuantified(this.#readPart(token)));
    }
    return (random, extra) => parts.map((part) => part(random, extra)).join('');
  }

  #readPart(token: string): Part {
    if (token.startsWith('(')) {
      const inner = this.read();
      // A lookahead or lookbehind matches no character.
      return /^\(\?<?[=!]$/.test(token) ? () => '' : inner;
    }
    if (isEdge(token)) return () => '';
    const one = new RegExp(`^(?:${token})$`, this.#flags);
    const possible = this.#characters.filter((character) => one.test(character));
    // Other characters are used only where these do not match.
    const plain = possible.filter((character) => /[0-9A-Za-z]/.test(character));
    const chosen = plain.length > 0 ? plain : possible;
    if (chosen.length === 0) throw new RangeError(`No character for ${token}`);
    return (random) => chosen[random.int(0, chosen.length - 1)] ?? '';
  }

  #readQuantified(part: Part): Part {
    const [, sign, from, comma, to] = quantifier.exec(this.#tokens[this.#at] ?? '') ?? [];
    if (sign === undefined && from === undefined) return part;
    this.#at += 1;
    const least = sign === '+' ? 1 : Number(from ?? 0);
    const bounded = comma === '' ? least : Number(to || Number.POSITIVE_INFINITY);
    const most = sign === '?' ? 1 : sign === undefined ? bounded : Number.POSITIVE_INFINITY;
    return (random, extra) => {
      const count = random.int(least, Math.min(most, least + extra));
      let made = '';
      for (let index = 0; index < count; index += 1) {
        made += part(random, extra);
        if (made.length > longest) throw new RangeError('Too long');
      }
      return made;
    };
  }
}

const usualExtra = 3;

/** The patterns that were read, so that no pattern is read for each row; undefined for one that cannot be generated. */
const readPatterns = new WeakMap<RegExp, Part | undefined>();

const read = (pattern: RegExp): Part | undefined => {
  if (readPatterns.has(pattern)) return readPatterns.get(pattern);
  let part: Part | undefined;
  try {
    part = new PatternReader(pattern).read();
  } catch {
    // No character matches one of its classes.
  }
  readPatterns.set(pattern, part);
  return part;
};

/**
 * A string that a pattern probably matches: lookaheads and lookbehinds are ignored. Undefined for a pattern that cannot be
 * generated, for example one with a reference to a group.
 *
 * @param attempt - later attempts make longer strings
 */
export const generateMatch = (pattern: RegExp, random: Random, attempt: number): string | undefined => {
  try {
    return read(pattern)?.(random, usualExtra + attempt);
  } catch {
    // The string would be too long.
    return undefined;
  }
};
