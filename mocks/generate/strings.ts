import type { Schema } from '../../src/schema/types/shape.ts';
import { type Check, checksOf, kindOf } from '../../src/schema/zod.ts';
import { fallbackForms, formOfFormat, formsForFieldName, type StringForm, words } from './formats.ts';
import { type MakeMatch, maxGeneratedLength, readPattern } from './pattern.ts';
import type { Random } from './random.ts';
import { type Maker, UnsupportedSchemaError } from './value-context.ts';

/** How long a string or a list may be. */
interface Lengths {
  readonly least: number;
  readonly most: number;
}

/**
 * Reads how long the strings or the lists of a schema may be.
 *
 * @throws {@link UnsupportedSchemaError} where nothing is so long
 */
export const lengthsOf = (schema: Schema): Lengths => {
  const checks = checksOf(schema);
  const numbers = (key: 'minimum' | 'maximum' | 'length') => checks.flatMap((check) => check[key] ?? []);
  const least = Math.max(0, ...numbers('minimum'), ...numbers('length'));
  const most = Math.min(Number.MAX_SAFE_INTEGER, ...numbers('maximum'), ...numbers('length'));
  if (least > most)
    throw new UnsupportedSchemaError(`its least length, ${least}, is above its greatest, ${most}`);
  if (least > maxGeneratedLength)
    throw new UnsupportedSchemaError(`its length, ${least} or more, is above ${maxGeneratedLength}`);
  return { least, most };
};

/** What a schema says about its strings, besides their format. */
interface StringRule extends Lengths {
  readonly prefix: string;
  /** What they contain, besides the prefix and the suffix. */
  readonly parts: readonly string[];
  readonly suffix: string;
  /** Makes their letters upper or lower case, or leaves them. */
  readonly toCase: (made: string) => string;
}

const longestOf = (all: readonly string[]): string => all.toSorted((a, b) => b.length - a.length)[0] ?? '';

const caseOf = (checks: readonly Check[]): StringRule['toCase'] => {
  if (checks.some(({ format }) => format === 'uppercase')) return (made) => made.toUpperCase();
  return checks.some(({ format }) => format === 'lowercase') ? (made) => made.toLowerCase() : (made) => made;
};

const ruleOf = (schema: Schema): StringRule => {
  const checks = checksOf(schema);
  const valuesOf = (key: 'prefix' | 'includes' | 'suffix') => checks.flatMap((check) => check[key] ?? []);
  const prefix = longestOf(valuesOf('prefix'));
  const suffix = longestOf(valuesOf('suffix'));
  const parts = valuesOf('includes').filter((part) => !prefix.includes(part) && !suffix.includes(part));
  return { ...lengthsOf(schema), prefix, parts, suffix, toCase: caseOf(checks) };
};

/** Checks that narrow a string without being a format. */
const narrowing: ReadonlySet<string> = new Set([
  'regex',
  'starts_with',
  'ends_with',
  'includes',
  'uppercase',
  'lowercase',
]);

/** The check that gives a string its format: a known one, or one of the application with a pattern. */
const formatCheckOf = (schema: Schema): Check | undefined =>
  checksOf(schema).find((check) => check.format && !narrowing.has(check.format));

const templateOf = (schema: Schema): RegExp | undefined =>
  kindOf(schema) === 'template_literal' ? schema._zod.pattern : undefined;

/** The regular expression that the schema names for its strings, for a message; undefined without one. */
export const patternForMessage = (schema: Schema): RegExp | undefined =>
  checksOf(schema).find((check) => check.format === 'regex')?.pattern ?? templateOf(schema);

/** A short URL, or a long one. */
const urlPatternOf = ({ protocol = /https/, hostname = /[a-z]+\.io/ }: Check): RegExp =>
  new RegExp(`(?:${protocol.source})://(?:${hostname.source})/[a-z0-9]*`, hostname.flags);

/** The patterns that strings are drawn from. Each string has to match all of them. */
const patternsOf = (schema: Schema): readonly RegExp[] => {
  const patterns = checksOf(schema).flatMap(({ format, pattern }) =>
    format === 'regex' && pattern !== undefined ? pattern : [],
  );
  const named = formatCheckOf(schema);
  if (named?.format === 'url') return [...patterns, urlPatternOf(named)];
  const other = templateOf(schema) ?? named?.pattern;
  return other === undefined ? patterns : [...patterns, other];
};

/** A string of any form with the parts and the length of a schema around it. */
const surround = (
  given: string,
  { prefix, parts, suffix, least, most }: StringRule,
  random: Random,
): string => {
  // The parts come last, because a schema may want some of them behind other characters.
  const end = parts.join('') + suffix;
  let middle = given;
  while (prefix.length + middle.length + end.length < least) middle += ` ${random.pick(words)}`;
  // No space at its end, because a schema may trim.
  middle = middle.slice(0, Math.max(0, most - prefix.length - end.length)).replace(/ $/, 'x');
  return prefix + middle + end;
};

/** A string that fits a pattern, with the parts of a schema in place of as many characters, or of others. */
const replaceParts = (made: string, { prefix, parts, suffix }: StringRule, random: Random): string => {
  const replaced = ({ length }: string): number =>
    random.next() < 0.5 ? length : random.int(0, made.length);
  let at = made.startsWith(prefix) ? made : prefix + made.slice(replaced(prefix));
  if (!at.endsWith(suffix)) at = at.slice(0, Math.max(0, at.length - replaced(suffix))) + suffix;
  for (const part of parts) {
    if (at.includes(part)) continue;
    const start = random.int(0, at.length);
    at = at.slice(0, start) + part + at.slice(start + replaced(part));
  }
  return at;
};

/** How many attempts vary each part of a pattern at random. */
const varied = 10;

/**
 * A string of a pattern. The first {@link varied} attempts repeat each of its parts at random. If the schema
 * wants a length that they did not have, two other ways follow in turn: one part takes all the characters
 * that are missing, or all parts are repeated equally often, once more each time.
 */
const drawFrom = (draw: MakeMatch, { least, most }: Lengths, random: Random, attempt: number): string => {
  if (attempt < varied) return draw(random, () => random.int(0, 7));
  const step = attempt - varied;
  if (step % 2 === 1) return draw(random, () => (step - 1) / 2);
  let parts = 0;
  const { length } = draw(random.fork('parts'), () => {
    parts += 1;
    return 0;
  });
  const isOpen = least === 0 && most === Number.MAX_SAFE_INTEGER;
  const missing = isOpen
    ? step
    : random.int(Math.max(0, least - length), Math.max(0, Math.min(most, least + 7) - length));
  const chosen = random.int(1, parts);
  let part = 0;
  return draw(random.fork('parts'), () => {
    part += 1;
    return part === chosen ? missing : 0;
  });
};

/** Makes the strings that fit patterns, or a format, which has forms that read better. */
const createShaped = (
  familiar: readonly StringForm[],
  patterns: readonly RegExp[],
  rule: StringRule,
): StringForm => {
  let draws: readonly MakeMatch[] | undefined;
  return (random, attempt) => {
    const known = familiar[patterns.length === 0 ? attempt % familiar.length : attempt];
    if (known !== undefined) return replaceParts(known(random, attempt), rule, random);
    draws ??= patterns.map(readPattern);
    const own = attempt - familiar.length;
    const draw = draws[own % draws.length];
    return draw === undefined ? '' : replaceParts(drawFrom(draw, rule, random, own), rule, random);
  };
};

/** How many attempts a format gets, which may have several forms. */
const formatAttempts = 8;

/**
 * The forms of the strings of a schema, by the name of their field. Each attempt is another form; the caller
 * checks whether it fits.
 */
const createFormsByName = (schema: Schema): ((name: string) => StringForm) => {
  const rule = ruleOf(schema);
  const patterns = patternsOf(schema);
  const form = formOfFormat(formatCheckOf(schema) ?? {});
  if (form !== undefined) {
    const shaped = createShaped(
      Array.from({ length: formatAttempts }, () => form),
      patterns,
      rule,
    );
    return () => shaped;
  }
  if (patterns.length > 0) return (name) => createShaped(formsForFieldName(name), patterns, rule);
  return (name) => {
    const forms = [...formsForFieldName(name), ...fallbackForms];
    return (random, attempt) =>
      surround(forms[attempt % forms.length]?.(random, attempt) ?? '', rule, random);
  };
};

/**
 * Creates what makes the strings of a schema: in its format or of its pattern, or like a person expects them
 * in a field of that name.
 *
 * @throws {@link UnsupportedSchemaError} for a schema that no string can be made for
 */
export const createStringMaker = (schema: Schema): Maker => {
  const { toCase } = ruleOf(schema);
  const formFor = createFormsByName(schema);
  const known = new Map<string, StringForm>();
  return ({ name, random, attempt }) => {
    const form = known.get(name) ?? formFor(name);
    known.set(name, form);
    return toCase(form(random, attempt));
  };
};
