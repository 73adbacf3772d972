import type { Schema } from '../../src/schema/types/shape.ts';
import { type Check, checksOf } from '../../src/schema/zod.ts';
import type { FromPattern, Random } from './random.ts';

const words = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heron',
  'ivory',
  'jetty',
] as const;
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

/** Makes a string. `attempt` selects one of the forms that the format has. */
type Form = (random: Random, attempt: number) => string;

const datetime: Form = (random, attempt) => {
  const time = generateTime(random);
  const seconds = time.slice(0, 19);
  return [time, `${seconds}Z`, seconds, `${time.slice(0, 16)}Z`, `${seconds}.000000Z`][attempt % 5] ?? time;
};

const uuid: Form = (random, attempt) => {
  const version = '4716358'[attempt % 7];
  return `${hex(random, 8)}-${hex(random, 4)}-${version}${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`;
};

const base64: Form = (random) => btoa(from(random, lower, 9));

const formats: Readonly<Record<string, Form>> = {
  email: (random) => `${random.pick(words)}.${random.int(1, 9999)}@example.com`,
  url: (random) => `https://example.com/${random.pick(words)}/${random.int(1, 9999)}`,
  hostname: (random) => `${random.pick(words)}-${random.int(1, 9999)}.example.com`,
  uuid,
  guid: uuid,
  datetime,
  date: (random) => generateTime(random).slice(0, 10),
  time: (random, attempt) => generateTime(random).slice(11, [19, 16, 23][attempt % 3]),
  duration: (random) => `P${random.int(1, 30)}DT${random.int(1, 23)}H`,
  ipv4: (random) => Array.from({ length: 4 }, () => random.int(1, 254)).join('.'),
  ipv6: (random) => `2001:db8:${Array.from({ length: 6 }, () => hex(random, 4)).join(':')}`,
  base64,
  base64url: base64,
  e164: (random) => `+47${random.int(20_000_000, 99_999_999)}`,
};

const firstNames = ['Ada', 'José', 'Zoë', 'Øyvind', 'Łukasz', 'Mary', 'Noor', 'Ümit'] as const;
const lastNames = ['Lovelace', 'Núñez', 'Müller', 'Ødegård', 'Hopper', 'Šimić', 'Okafor', '田中'] as const;
const cities = ['Oslo', 'Zürich', 'Kraków', 'Utrecht', 'São Paulo', 'Malmö', 'Lyon', '東京'] as const;
const companies = ['Acme', 'Blue Moon', 'Corner Shop', 'Northwind', 'Globex', 'Initech', 'Umbra'] as const;

/** Values that a person expects under the usual names of fields. */
const usual: readonly (readonly [name: RegExp, make: (random: Random) => string])[] = [
  [/^(first|given)Name$/, (random) => random.pick(firstNames)],
  [/^(last|family)Name$/, (random) => random.pick(lastNames)],
  [/^(fullName|author|owner|contact)$/, (random) => `${random.pick(firstNames)} ${random.pick(lastNames)}`],
  [/^(name|company|companyName)$/, (random) => `${random.pick(companies)} ${random.int(1, 999)}`],
  [/^e-?mail$/i, (random) => `${random.pick(words)}.${random.int(1, 9999)}@example.com`],
  [/^(phone|mobile)(Number)?$/, (random) => `+47 ${random.int(20_000_000, 99_999_999)}`],
  [/^(street|address)$/, (random) => `${random.int(1, 99)} ${random.pick(['Main', 'Park', 'Mill'])} Street`],
  [/^(city|town)$/, (random) => random.pick(cities)],
  [/^(zip|zipCode|postalCode)$/, (random) => String(random.int(10_000, 99_999))],
  [/^country$/, (random) => random.pick(['Norway', 'Germany', 'Brazil', 'Japan'])],
  [/^currency$/, (random) => random.pick(['EUR', 'USD', 'NOK', 'JPY'])],
  [
    /^(title|description|note|comment)$/,
    (random) => `The ${random.pick(words)} of the ${random.pick(words)}`,
  ],
  [/(At|Time|^timestamp)$/, generateTime],
  [/(Date|^date)$/, (random) => generateTime(random).slice(0, 10)],
];

/** Strings that a codec over a plain string may want: words, numbers, times, booleans, JSON, letters, digits. */
const plainForms: readonly ((random: Random) => string)[] = [
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

const formatIn = (checks: readonly Check[]): Check | undefined =>
  checks.find(({ format }) => format !== undefined && !narrowing.has(format));

const lengthen = (value: string, least: number, most: number, random: Random): string => {
  let padded = value;
  while (padded.length < least) padded += ` ${random.pick(words)}`;
  // No space at either end, so that trimming changes nothing.
  return padded.slice(0, most).replace(/ $/, 'x');
};

/** Makes strings for a schema. Each attempt is another form; the caller checks whether it fits. */
export const stringsOf = (schema: Schema, name: string, fromPattern: FromPattern): Form => {
  const checks = checksOf(schema);
  const format = formatIn(checks);
  const form = Object.hasOwn(formats, format?.format ?? '') ? formats[format?.format ?? ''] : undefined;
  if (form !== undefined) return form;
  const pattern = (checks.find((check) => check.format === 'regex') ?? format)?.pattern;
  const part = (key: 'prefix' | 'includes' | 'suffix'): string =>
    checks.find((check) => check[key] !== undefined)?.[key] ?? '';
  const { least, most } = lengthsOf(schema);
  const around = `${part('prefix')}${part('includes')}${part('suffix')}`.length;
  const makers = [...usual.filter(([wanted]) => wanted.test(name)).map(([, make]) => make), ...plainForms];
  return (random, attempt) => {
    // The forms come first, because they read better than a match.
    const match = pattern && attempt >= makers.length ? fromPattern(pattern, random) : undefined;
    if (match !== undefined) return match;
    const value = makers[attempt % makers.length]?.(random) ?? '';
    const inner = lengthen(value, Math.max(0, least - around), Math.max(0, most - around), random);
    const made = `${part('prefix')}${part('includes')}${inner}${part('suffix')}`;
    if (format?.format === 'uppercase') return made.toUpperCase();
    return format?.format === 'lowercase' ? made.toLowerCase() : made;
  };
};
