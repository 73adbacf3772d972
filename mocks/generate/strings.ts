import type { Schema } from '../../src/schema/types/shape.ts';
import { type Check, checksOf } from '../../src/schema/zod.ts';
import { readPattern } from './pattern.ts';
import type { Random } from './random.ts';
import type { Maker } from './value-context.ts';

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron'] as const;
const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';

const from = (random: Random, characters: string, length: number): string =>
  Array.from({ length }, () => characters[random.int(0, characters.length - 1)]).join('');

const hex = (random: Random, length: number): string => from(random, `${digits}abcdef`, length);

// A fixed year, so that the same seed gives the same times whenever it runs.
const start = Date.UTC(2025, 0, 1);
const secondsOfYear = 365 * 24 * 60 * 60;

/** A time of 2025 as ISO 8601 in UTC. */
export const generateTime = (random: Random): string =>
  new Date(start + random.int(0, secondsOfYear - 1) * 1000).toISOString();

/** Makes one string. `attempt` selects one of the forms that the format has. */
type StringForm = (random: Random, attempt: number) => string;

const datetime: StringForm = (random, attempt) => {
  const time = generateTime(random);
  const seconds = time.slice(0, 19);
  const forms = [time, `${seconds}Z`, seconds, `${time.slice(0, 16)}Z`, `${seconds}.000000Z`];
  return forms[attempt % forms.length] ?? time;
};

const uuid: StringForm = (random, attempt) => {
  const version = '4716358'[attempt % 7];
  return `${hex(random, 8)}-${hex(random, 4)}-${version}${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`;
};

const email: StringForm = (random) => `${random.pick(words)}.${random.int(1, 9999)}@example.com`;
const date: StringForm = (random) => generateTime(random).slice(0, 10);
const ipv4: StringForm = (random) => Array.from({ length: 4 }, () => random.int(1, 254)).join('.');
const ipv6: StringForm = (random) => `2001:db8:${Array.from({ length: 6 }, () => hex(random, 4)).join(':')}`;

const encode = (content: string): string => btoa(content).replaceAll('=', '');

/** A token whose signature is not valid. */
const jwt: StringForm = (random) => {
  const claims = JSON.stringify({ sub: random.pick(words), jti: hex(random, 8) });
  return [encode('{"alg":"HS256","typ":"JWT"}'), encode(claims), from(random, lower, 43)].join('.');
};
const base64: StringForm = (random) => btoa(from(random, lower, 9));

const formats: Readonly<Record<string, StringForm>> = {
  email,
  url: (random) => `https://example.com/${random.pick(words)}/${random.int(1, 9999)}`,
  hostname: (random) => `${random.pick(words)}-${random.int(1, 9999)}.example.com`,
  uuid,
  guid: uuid,
  datetime,
  date,
  time: (random, attempt) => generateTime(random).slice(11, [19, 16, 23][attempt % 3]),
  duration: (random) => `P${random.int(1, 30)}DT${random.int(1, 23)}H`,
  ipv4,
  ipv6,
  cidrv4: (random, attempt) => `${ipv4(random, attempt)}/${random.int(8, 32)}`,
  cidrv6: (random, attempt) => `${ipv6(random, attempt)}/${random.int(32, 128)}`,
  jwt,
  emoji: (random) => random.pick(['😀', '🚀', '🍎', '🎈']),
  base64,
  base64url: base64,
  e164: (random) => `+47${random.int(20_000_000, 99_999_999)}`,
};

const oneOf =
  (...values: readonly [string, ...string[]]): StringForm =>
  ({ pick }) =>
    pick(values);

const first = oneOf('Ada', 'José', 'Zoë', 'Øyvind', 'Łukasz', 'Mary', 'Noor', 'Ümit');
const last = oneOf('Lovelace', 'Núñez', 'Müller', 'Ødegård', 'Hopper', 'Šimić', 'Okafor', '田中');
const firm = oneOf('Acme', 'Blue Moon', 'Corner Shop', 'Northwind', 'Globex', 'Initech', 'Umbra');

/** Values that a person expects under the usual names of fields. */
const usual: readonly (readonly [name: RegExp, make: StringForm])[] = [
  [/^(first|given)Name$/, first],
  [/^(last|family)Name$/, last],
  [/^(name|company|companyName)$/, (random, attempt) => `${firm(random, attempt)} ${random.int(1, 999)}`],
  [/^e-?mail$/i, email],
  [/^(phone|mobile)(Number)?$/, (random) => `+47 ${random.int(20_000_000, 99_999_999)}`],
  [/^(street|address)$/, (random) => `${random.int(1, 99)} ${random.pick(['Main', 'Park', 'Mill'])} Street`],
  [/^(city|town)$/, oneOf('Oslo', 'Zürich', 'Kraków', 'Utrecht', 'São Paulo', 'Malmö', 'Lyon', '東京')],
  [/^(zip|zipCode|postalCode)$/, (random) => String(random.int(10_000, 99_999))],
  [/^country$/, oneOf('Norway', 'Germany', 'Brazil', 'Japan')],
  [
    /^(title|description|note|comment)$/,
    (random) => `The ${random.pick(words)} of the ${random.pick(words)}`,
  ],
  [/(At|Time|^timestamp)$/, generateTime],
  [/(Date|^date)$/, date],
];

/**
 * Strings that a codec over a plain string may want: words, numbers, times, booleans, JSON, letters, digits.
 */
const plainForms: readonly StringForm[] = [
  (random) => `${random.pick(words)} ${random.int(1, 9999)}`,
  (random) => String(random.int(1, 9999)),
  generateTime,
  () => 'true',
  () => '{}',
  (random) => from(random, lower, 8),
  (random) => from(random, lower, 2).toUpperCase(),
];

/** How long a string or a list may be. */
export const lengthsOf = (schema: Schema): { readonly least: number; readonly most: number } => {
  const checks = checksOf(schema);
  const numbers = (key: 'minimum' | 'maximum' | 'length') => checks.flatMap((check) => check[key] ?? []);
  return {
    least: Math.max(0, ...numbers('minimum'), ...numbers('length')),
    most: Math.min(Number.MAX_SAFE_INTEGER, ...numbers('maximum'), ...numbers('length')),
  };
};

/** Checks that narrow a string without being a format. */
const narrowing: ReadonlySet<string> = new Set(['regex', 'starts_with', 'ends_with', 'includes']);

/** The check that gives a string its format: a known one, or one of the application with a pattern. */
const formatCheckOf = (schema: Schema): Check | undefined =>
  checksOf(schema).find((check) => check.format && !narrowing.has(check.format));

/** The forms of the fields with a usual name; empty for all others. */
const formsOf = (name: string): readonly StringForm[] =>
  usual.filter(([names]) => names.test(name)).map(([, make]) => make);

/** The regular expression that a string must match; undefined without one. */
export const patternOf = (schema: Schema): RegExp | undefined =>
  checksOf(schema).find((check) => check.format === 'regex')?.pattern;

/**
 * Makes strings for a schema that have its prefix, its parts and its length, whatever form is between them.
 */
const fitParts = (schema: Schema, format: string): ((middle: string, random: Random) => string) => {
  const checks = checksOf(schema);
  const prefix = checks.find((check) => check.prefix)?.prefix ?? '';
  const start = prefix + (checks.find((check) => check.includes)?.includes ?? '');
  const end = checks.find((check) => check.suffix)?.suffix ?? '';
  const { least, most } = lengthsOf(schema);
  return (given, random) => {
    let middle = given;
    while (start.length + middle.length + end.length < least) middle += ` ${random.pick(words)}`;
    // No space at its end, because a schema may trim.
    middle = middle.slice(0, Math.max(0, most - start.length - end.length)).replace(/ $/, 'x');
    const made = start + middle + end;
    if (format === 'uppercase') return made.toUpperCase();
    return format === 'lowercase' ? made.toLowerCase() : made;
  };
};

/**
 * The first attempts vary in length. The next ones have each length in turn, for a schema that wants a
 * certain one.
 */
const varied = 10;

const extraAt = (random: Random, attempt: number): number =>
  attempt < varied ? random.int(0, 7) : attempt - varied;

/**
 * The forms of the strings of a schema, by the name of their field. Each attempt is another form; the caller
 * checks whether it fits.
 */
const createFormsByName = (schema: Schema): ((name: string) => StringForm) => {
  const named = formatCheckOf(schema);
  const format = named?.format ?? '';
  const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (known !== undefined) return () => known;
  const fill = fitParts(schema, format);
  const isCased = format === 'uppercase' || format === 'lowercase';
  const pattern = patternOf(schema) ?? (isCased ? undefined : named?.pattern);
  if (pattern === undefined)
    return (name) => {
      const forms = [...formsOf(name), ...plainForms];
      return (random, attempt) => fill(forms[attempt % forms.length]?.(random, attempt) ?? '', random);
    };
  const draw = readPattern(pattern);
  return (name) => {
    // These forms come first, because they read better than a match.
    const forms = formsOf(name);
    return (random, attempt) =>
      forms[attempt]?.(random, attempt) ?? draw(random, () => extraAt(random, attempt));
  };
};

/**
 * Makes the strings of a schema: in its format, or like a person expects them under the name of the field.
 *
 * @throws {@link UnsupportedPatternError} for a pattern that no string can be made of
 */
export const createStringMaker = (schema: Schema): Maker => {
  const formFor = createFormsByName(schema);
  const known = new Map<string, StringForm>();
  return ({ name, random, attempt }) => {
    const form = known.get(name) ?? formFor(name);
    known.set(name, form);
    return form(random, attempt);
  };
};
