import { generateMatch } from './pattern.ts';
import type { Random } from './random.ts';

/** What the checks of a string schema allow. */
export interface StringRules {
  readonly format: string | undefined;
  readonly pattern: RegExp | undefined;
  readonly least: number;
  readonly most: number;
  readonly prefix: string;
  readonly middle: string;
  readonly suffix: string;
}

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
const letters = `${lower}${lower.toUpperCase()}`;

const from = (random: Random, characters: string, length: number): string =>
  Array.from({ length }, () => characters[random.int(0, characters.length - 1)]).join('');

const hex = (random: Random, length: number): string => from(random, `${digits}abcdef`, length);

// A fixed year, so that the same seed gives the same times whenever it runs.
const start = Date.UTC(2025, 0, 1);
const secondsOfYear = 365 * 24 * 60 * 60;

/** A time of 2025 as ISO 8601 in UTC. */
export const generateTime = (random: Random): string =>
  new Date(start + random.int(0, secondsOfYear - 1) * 1000).toISOString();

/** Makes a string of a format. `attempt` selects one of the forms that the format has. */
type Form = (random: Random, attempt: number, drawTime: () => string) => string;

const datetime: Form = (random, attempt, drawTime) => {
  const time = drawTime();
  const forms = [
    time,
    `${time.slice(0, 19)}Z`,
    time.slice(0, 19),
    `${time.slice(0, 16)}Z`,
    time.slice(0, 23),
  ];
  const precise = `${time.slice(0, 19)}.${from(random, digits, 6)}Z`;
  return [...forms, precise][attempt % 6] ?? time;
};

const uuidVersions = '4716358';

const uuid = (random: Random, attempt: number): string => {
  const version = uuidVersions[attempt % uuidVersions.length];
  const variant = random.pick(['8', '9', 'a', 'b']);
  return `${hex(random, 8)}-${hex(random, 4)}-${version}${hex(random, 3)}-${variant}${hex(random, 3)}-${hex(random, 12)}`;
};

const octets = (random: Random): string => Array.from({ length: 4 }, () => random.int(1, 254)).join('.');
const groups = (random: Random): string =>
  `2001:db8:${Array.from({ length: 6 }, () => hex(random, 4)).join(':')}`;
const base64 = (random: Random): string => btoa(from(random, letters, 9));

const formats: Readonly<Record<string, Form>> = {
  email: (random) => `${random.pick(words)}.${random.int(1, 9999)}@example.com`,
  url: (random) => `https://example.com/${random.pick(words)}/${random.int(1, 9999)}`,
  hostname: (random) => `${random.pick(words)}-${random.int(1, 9999)}.example.com`,
  uuid,
  guid: uuid,
  nanoid: (random) => from(random, `${letters}${digits}`, 21),
  cuid: (random) => `c${from(random, `${lower}${digits}`, 24)}`,
  cuid2: (random) => `${from(random, lower, 1)}${from(random, `${lower}${digits}`, 23)}`,
  ulid: (random) => `01${from(random, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
  xid: (random) => from(random, `${digits}abcdefghijklmnopqrstuv`, 20),
  ksuid: (random) => from(random, `${letters}${digits}`, 27),
  datetime,
  date: (_random, _attempt, drawTime) => drawTime().slice(0, 10),
  time: (_random, attempt, drawTime) => drawTime().slice(11, [19, 16, 23][attempt % 3]),
  duration: (random) => `P${random.int(1, 30)}DT${random.int(1, 23)}H`,
  ipv4: octets,
  ipv6: groups,
  cidrv4: (random) => `${octets(random)}/24`,
  cidrv6: (random) => `${groups(random)}/64`,
  mac: (random) => Array.from({ length: 6 }, () => hex(random, 2)).join(':'),
  base64,
  base64url: base64,
  hex: (random) => hex(random, 16),
  e164: (random) => `+47${random.int(20_000_000, 99_999_999)}`,
  emoji: (random) => random.pick(['🌲', '🌊', '🔥', '🍂']),
  json_string: (random) => JSON.stringify({ [random.pick(words)]: random.int(1, 9) }),
  jwt: (random) => `${btoa('{"alg":"HS256","typ":"JWT"}').replace(/=/g, '')}.e30.${hex(random, 16)}`,
};

/** Strings that a codec over a plain string may want: numbers, booleans, times, JSON. */
const plainForms: readonly ((random: Random) => string)[] = [
  (random) => String(random.int(1, 9999)),
  generateTime,
  (random) => random.pick(['true', 'false']),
  () => '{}',
  (random) => from(random, letters.slice(26), 8),
  (random) => from(random, digits, 8),
  (random) => `${random.int(1, 999)}.${random.int(10, 99)}`,
  (random) => hex(random, 12),
];

const pad = (value: string, { least, most }: StringRules, random: Random): string => {
  let padded = value;
  while (padded.length < least) padded += ` ${random.pick(words)}`;
  // No space at either end, so that trimming changes nothing.
  return padded.slice(0, most).replace(/ $/, 'x');
};

const plain = (rules: StringRules, random: Random, attempt: number): string => {
  const { prefix, middle, suffix, least, most } = rules;
  const form = attempt === 0 ? undefined : plainForms[(attempt - 1) % plainForms.length];
  const value = form?.(random) ?? `${random.pick(words)} ${random.int(1, 9999)}`;
  const around = prefix.length + middle.length + suffix.length;
  const inner = { ...rules, least: Math.max(0, least - around), most: Math.max(0, most - around) };
  const made = `${prefix}${middle}${pad(value, inner, random)}${suffix}`;
  if (rules.format === 'lowercase') return made.toLowerCase();
  return rules.format === 'uppercase' ? made.toUpperCase() : made;
};

/** A string by its rules. Each attempt is another form of it. */
export const generateString = (
  rules: StringRules,
  random: Random,
  attempt: number,
  drawTime: () => string,
): string => {
  const format =
    rules.format !== undefined && Object.hasOwn(formats, rules.format) ? formats[rules.format] : undefined;
  if (format !== undefined) return format(random, attempt, drawTime);
  // Words read better than a generated match, so they are tried first.
  const match = rules.pattern && attempt > 0 ? generateMatch(rules.pattern, random, attempt - 1) : undefined;
  return match ?? plain(rules, random, attempt);
};

/** What the checks of a number schema allow. */
export interface NumberRules {
  readonly isInteger: boolean;
  /** The smallest and the largest number allowed. */
  readonly least: number;
  readonly most: number;
  readonly multipleOf: number | undefined;
}

const usualSpan = 1000;

/** A range no larger than people expect: from 0, or from the given bound. */
const rangeOf = ({ least, most }: NumberRules): readonly [number, number] => {
  if (most <= 0) return [Math.max(least, most - usualSpan), most];
  const from = Math.max(least, 0);
  return [from, Math.min(most, from + usualSpan)];
};

/** The part of a usual range that the rules allow; the rules themselves where there is none. */
export const narrow = (rules: NumberRules, [from, to]: readonly [number, number]): NumberRules => {
  const [least, most] = [Math.max(rules.least, from), Math.min(rules.most, to)];
  return least <= most ? { ...rules, least, most } : rules;
};

/** A number by its rules. The caller's check finds impossible rules, such as a range without a multiple. */
export const generateNumber = (rules: NumberRules, random: Random): number => {
  const [from, to] = rangeOf(rules);
  const { multipleOf, isInteger } = rules;
  if (multipleOf !== undefined) {
    const step = Math.abs(multipleOf);
    const times = random.int(Math.ceil(from / step), Math.floor(to / step));
    // 3 * 0.1 is not 0.3, until it is rounded to the digits of the step.
    const places = String(step).split('.')[1]?.length ?? 0;
    return Number((times * step).toFixed(Math.min(places, 20)));
  }
  if (isInteger) return random.int(Math.ceil(from), Math.floor(to));
  const between = from + random.next() * (to - from);
  const short = Math.round(between * 100) / 100;
  return short > from && short < to ? short : between;
};
