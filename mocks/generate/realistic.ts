import { drawPerson, type Field, findKind, type Owner, type Person, toWords } from './kinds.ts';
import type { StringRules } from './primitive.ts';
import type { WithFaker } from './random.ts';
import { createRandom } from './random.ts';

/** A form is drawn several times, because one string may be too long for its schema and the next one not. */
const draws = 3;

const ranges: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/\b(quantity|qty|count|pieces)$/, [1, 20]],
  [/\b(price|amount|cost|fee|total|subtotal|balance|salary)$/, [1, 500]],
  [/\bage$/, [18, 90]],
  [/\byear$/, [2015, 2026]],
  [/\b(rating|stars|score)$/, [1, 5]],
  [/\b(percent|percentage|discount|progress)$/, [0, 100]],
  [/\b(latitude|lat)$/, [-60, 70]],
  [/\b(longitude|lng|lon)$/, [-180, 180]],
];

const second = 1000;
const day = 24 * 60 * 60 * second;

/** The time between two fixed days, so that the same seed gives the same times whenever it runs. */
const between = (from: string, to: string): readonly [number, number] => [Date.parse(from), Date.parse(to)];
const births = between('1945-01-01', '2007-12-31');
const creations = between('2019-01-01', '2025-06-30');
const futures = between('2026-01-01', '2029-12-31');

const isFuture = /\b(expires?|expiry|expiration|due|until|deadline|scheduled|planned|sunset)\b/;

const timeOf = ({ name, owner, random }: Field): string => {
  const words = toWords(name);
  const draw = ([from, to]: readonly [number, number], numbers = random): number =>
    numbers.int(from / second, to / second) * second;
  const toIso = (time: number): string => new Date(time).toISOString();
  if (/\b(birth|birthday|born|dob)\b/.test(words)) return toIso(draw(births));
  if (isFuture.test(words)) return toIso(draw(futures));
  const created = draw(creations, owner.random.fork('created'));
  // Whatever happens to an object happens after its creation.
  return toIso(/\bcreat/.test(words) ? created : created + draw([0, 180 * day]));
};

const isTime = /\b(at|on|time|timestamp|since|until|created|updated|modified)$/;
const isDate = /\b(date|day|birthday|birth|dob)$/;

/**
 * Values that a person expects under the names of fields. The schema decides whether one is taken. Only strings need faker.
 */
export const createRealistic = (withFaker: WithFaker, seed: number) => {
  const personOf = ({ random }: Owner): Person => {
    const numbers = random.fork('person');
    return withFaker(numbers, (faker) => drawPerson(faker, numbers)) ?? { first: 'Ada', last: 'Lovelace' };
  };
  return {
    /** What to try before plain strings; empty for a name that suggests nothing. */
    strings: (field: Field, rules: StringRules): readonly (() => string | undefined)[] => {
      const words = toWords(field.name);
      if (isTime.test(words)) return [() => timeOf(field)];
      if (isDate.test(words)) return [() => timeOf(field).slice(0, 10), () => timeOf(field)];
      const { forms, few } = findKind(field, rules) ?? { forms: [] };
      const person = (): Person => personOf(field.owner);
      return forms.flatMap((make, form) => {
        const draw = () => {
          // A few seeds make a few different values.
          const random =
            few === undefined
              ? field.random
              : createRandom(`${seed}/${words}/${form}/${field.random.int(1, few)}`);
          return withFaker(random, (faker) => make({ faker, random, rules, person }));
        };
        return Array.from({ length: draws }, () => draw);
      });
    },
    /** A time, ISO 8601 in UTC. */
    time: timeOf,
    /** The usual range of a number. */
    range: ({ name }: Field) => ranges.find(([pattern]) => pattern.test(toWords(name)))?.[1],
  };
};

export type Realistic = ReturnType<typeof createRealistic>;
