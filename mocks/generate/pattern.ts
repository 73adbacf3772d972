import type { Random } from './random.ts';
import { UnsupportedSchemaError } from './value-context.ts';

/**
 * Makes a string that a pattern matches. `extra` is called once for each part that may repeat, such as `\d+`
 * or `\d{2,4}`, in the order of the string. Its result is added to the minimum of the part, up to its
 * maximum.
 */
export type MakeMatch = (random: Random, extra: () => number) => string;

const unsupported = ({ source }: RegExp, part: string): never => {
  throw new UnsupportedSchemaError(`the part ${part} of the pattern /${source}/ is not supported`);
};

/** The longest string or list that is made, so that a schema cannot fill the memory. */
export const maxGeneratedLength = 100_000;

/**
 * The characters that strings are made of, unless a pattern names others: printable ASCII, and a few letters.
 */
const usualCharacters: readonly [string, ...string[]] = [
  ' ',
  ...Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)),
  ...Array.from('äéñøÅÇÖ'),
];

/** The characters above it are rare, and mostly not assigned. */
const lastCharacter = 0x1ffff;

/** The most characters of a class that are used. */
const maxCharacters = 256;

/** The first characters of Unicode that fit. */
const findCharacters = (matcher: RegExp): readonly string[] => {
  const found: string[] = [];
  for (let code = 0; code <= lastCharacter && found.length < maxCharacters; code += 1) {
    const character = String.fromCodePoint(code);
    if (matcher.test(character)) found.push(character);
  }
  return found;
};

/** The characters of a class or an escape, such as `[^a-z]` and `\d`: usual ones if it has some. */
const charactersOf = (pattern: RegExp, part: string): readonly [string, ...string[]] => {
  const matcher = new RegExp(`^${part}$`, pattern.flags.replace(/[gy]/g, ''));
  const usual = usualCharacters.filter((character) => matcher.test(character));
  const [first, ...more] = usual.length > 0 ? usual : findCharacters(matcher);
  return first === undefined ? unsupported(pattern, part) : [first, ...more];
};

// Sticky: each is tried where the reader is.
const quantifier = /([*+?]|\{(\d+)(,(\d*))?\})\??/y;
const escaped = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|[pP]\{[^}]*\}|c[A-Za-z]|[^1-9ck])/sy;
const groupStart = /\((?:\?(?:<[^=!][^>]*>|[ims]*(?:-[ims]*)?:)|(?!\?))/y;
const assertionStart = /\(\?<?[=!]/y;
const edge = /[$^]|\\[bB]/y;
const anyCharacter = /\./y;

/** The source of a pattern, which is read from its start to its end. */
interface Reader {
  readonly pattern: RegExp;
  /** Where it is read next. */
  at: number;
}

/** The character that is read next; undefined at the end. */
const peek = ({ pattern, at }: Reader): string | undefined => pattern.source[at];

/** Reads what matches a sticky expression; undefined where it does not match. */
const take = (reader: Reader, token: RegExp): RegExpExecArray | undefined => {
  token.lastIndex = reader.at;
  const found = token.exec(reader.pattern.source) ?? undefined;
  reader.at += found?.[0].length ?? 0;
  return found;
};

const takeClass = (reader: Reader): string => {
  const { source, flags } = reader.pattern;
  const hasNestedClasses = flags.includes('v');
  const start = reader.at;
  let depth = 0;
  do {
    const character = peek(reader);
    if (character === '[' && (depth === 0 || hasNestedClasses)) depth += 1;
    if (character === ']') depth -= 1;
    reader.at += character === '\\' ? 2 : 1;
  } while (depth > 0);
  return source.slice(start, reader.at);
};

const readCharacters = (reader: Reader): MakeMatch => {
  const { pattern } = reader;
  const { source } = pattern;
  const part = peek(reader) === '[' ? takeClass(reader) : take(reader, escaped)?.[0];
  if (part !== undefined) {
    const characters = charactersOf(pattern, part);
    return (random) => random.pick(characters);
  }
  if (peek(reader) === '\\') return unsupported(pattern, source.slice(reader.at, reader.at + 2));
  const character = String.fromCodePoint(source.codePointAt(reader.at) ?? 0);
  reader.at += character.length;
  return () => character;
};

const readGroup = (reader: Reader): MakeMatch => {
  const inner = readAlternatives(reader);
  // Its closing parenthesis.
  reader.at += 1;
  return inner;
};

const readAtom = (reader: Reader): MakeMatch => {
  if (take(reader, assertionStart) !== undefined) {
    readGroup(reader);
    return () => '';
  }
  if (take(reader, groupStart) !== undefined) return readGroup(reader);
  if (take(reader, edge) !== undefined) return () => '';
  if (take(reader, anyCharacter) !== undefined) return (random) => random.pick(usualCharacters);
  return readCharacters(reader);
};

/** How often the part before occurs: `most` is undefined where there is no limit. */
const readTimes = (reader: Reader): { readonly least: number; readonly most: number | undefined } => {
  const [, sign, least, range, most] = take(reader, quantifier) ?? [];
  if (sign === undefined) return { least: 1, most: 1 };
  if (sign === '?') return { least: 0, most: 1 };
  if (least === undefined) return { least: sign === '+' ? 1 : 0, most: undefined };
  if (range === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? undefined : Number(most) };
};

const readRepeated = (reader: Reader): MakeMatch => {
  const { pattern } = reader;
  const start = reader.at;
  const atom = readAtom(reader);
  const { least, most = Number.MAX_SAFE_INTEGER } = readTimes(reader);
  const part = pattern.source.slice(start, reader.at);
  return (random, extra) => {
    const times = most === least ? least : Math.min(most, least + extra());
    let made = '';
    for (let time = 0; time < times; time += 1) {
      made += atom(random, extra);
      if (Math.max(made.length, time) > maxGeneratedLength) return unsupported(pattern, part);
    }
    return made;
  };
};

const readSequence = (reader: Reader): MakeMatch => {
  const parts: MakeMatch[] = [];
  const isOver = (): boolean => [undefined, '|', ')'].includes(peek(reader));
  while (!isOver()) parts.push(readRepeated(reader));
  return (random, extra) => parts.map((part) => part(random, extra)).join('');
};

const readAlternatives = (reader: Reader): MakeMatch => {
  const all: [MakeMatch, ...MakeMatch[]] = [readSequence(reader)];
  while (peek(reader) === '|') {
    reader.at += 1;
    all.push(readSequence(reader));
  }
  return (random, extra) => random.pick(all)(random, extra);
};

/**
 * Reads a pattern once, so that many strings can be made. It supports alternatives, groups, classes, escapes
 * and quantifiers. Assertions are skipped: the caller checks whether a string fits.
 *
 * @throws {@link UnsupportedSchemaError} for a back reference, and for a class without characters
 */
export const readPattern = (pattern: RegExp): MakeMatch => readAlternatives({ pattern, at: 0 });
