// What strings look like: by their format, and by the name of their field.
import type { Check } from '../../src/schema/zod.ts';
import type { Random } from './random.ts';

/** Words of the alphabet, for names and to make strings longer. */
export const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron'] as const;
const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';

const from = (random: Random, characters: string, length: number): string =>
  Array.from({ length }, () => characters[random.int(0, characters.length - 1)]).join('');

const hex = (random: Random, length: number): string => from(random, `${digits}abcdef`, length);

// A fixed year, so that the same seed gives the same times whenever it runs.
const start = Date.UTC(2025, 0, 1);
const secondsOfYear = 365 * 24 * 60 * 60;

/** A random time of 2025 as ISO 8601 in UTC. */
export const generateTime = (random: Random): string =>
  new Date(start + random.int(0, secondsOfYear - 1) * 1000).toISOString();

/** Makes one string. A format may have several forms, of which each attempt selects the next. */
export type StringForm = (random: Random, attempt: number) => string;

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

/** Tokens whose signature is not valid. */
const jwtOf =
  (alg: string): StringForm =>
  (random) => {
    const claims = JSON.stringify({ sub: random.pick(words), jti: hex(random, 8) });
    return [encode(JSON.stringify({ alg, typ: 'JWT' })), encode(claims), from(random, lower, 43)].join('.');
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
  jwt: jwtOf('HS256'),
  emoji: (random, attempt) =>
    Array.from({ length: attempt + 1 }, () => random.pick(['😀', '🚀', '🍎', '🎈'])).join(''),
  base64,
  base64url: base64,
  e164: (random) => `+47${random.int(20_000_000, 99_999_999)}`,
};

/** Makes the strings of a check's format as people know them; undefined for one that has only a pattern. */
export const formOfFormat = ({ format = '', alg }: Check): StringForm | undefined => {
  if (format === 'jwt' && alg !== undefined) return jwtOf(alg);
  return Object.hasOwn(formats, format) ? formats[format] : undefined;
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
 * The forms of a string without a format or a pattern, tried in their order after those of its field name:
 * words, numbers, times, booleans, JSON, letters. A codec over a plain string may want any of them.
 */
export const fallbackForms: readonly StringForm[] = [
  (random) => `${random.pick(words)} ${random.int(1, 9999)}`,
  (random) => String(random.int(1, 9999)),
  generateTime,
  () => 'true',
  () => '{}',
  (random) => from(random, lower, 8),
  (random) => from(random, lower, 2).toUpperCase(),
];

/** What strings a person expects in a field of this name, such as a city; empty for most names. */
export const formsForFieldName = (name: string): readonly StringForm[] =>
  usual.filter(([names]) => names.test(name)).map(([, make]) => make);
