import type { Faker } from '@faker-js/faker';
import type { StringRules } from './primitive.ts';
import type { Random } from './random.ts';

/** The object that a field belongs to. */
export interface Owner {
  /** The field that holds the object, or the last name in its collection's path. */
  readonly name: string;
  readonly fields: readonly string[];
  /** Draws what the fields share: a person, the time of creation. */
  readonly random: Random;
}

/** A field that a value is generated for. */
export interface Field {
  readonly name: string;
  /** The dotted path in the row. */
  readonly path: string;
  readonly owner: Owner;
  readonly random: Random;
  /** The paths that lists can be filtered by. */
  readonly filters: ReadonlySet<string>;
}

/** The person that an object is about, so that its e-mail fits its name. */
export interface Person {
  readonly first: string;
  readonly last: string;
}

/** What a string is made from. */
export interface Ingredients {
  readonly faker: Faker;
  readonly random: Random;
  /** The one person of the object. */
  readonly person: () => Person;
  readonly rules: StringRules;
}

type Make = (from: Ingredients) => string;

/** A kind of string that the name of a field suggests. */
export interface Kind {
  /** The usual form of a value, then others for schemas that require them. */
  readonly forms: readonly Make[];
  /** How many different values there are; as many as rows by default. */
  readonly few?: number;
}

/** Kinds by a pattern for a name. A function alone is a kind with one form. */
type Kinds = readonly (readonly [RegExp, Kind | Make])[];

const kindIn = (kinds: Kinds, words: string): Kind | undefined => {
  const [, kind] = kinds.find(([pattern]) => pattern.test(words)) ?? [];
  return typeof kind === 'function' ? { forms: [kind] } : kind;
};

// faker's English lists are almost all ASCII, and every user interface has to show other letters, too.
const firstNames = ['Zoë', 'José', 'Łukasz', 'Øyvind', 'Siân', 'Ümit', 'Chloé', '美咲'] as const;
const lastNames = ['Müller', 'Ødegård', 'Núñez', 'Šimić', 'Lindström', 'Groß', 'Çelik', '田中'] as const;
const cities = ['Zürich', 'Kraków', 'São Paulo', 'Tromsø', 'Malmö', 'Besançon', 'İzmir', '東京'] as const;

const oftenFrom = (random: Random, usual: string, others: readonly [string, ...string[]]): string =>
  random.chance(0.15) ? random.pick(others) : usual;

/** Draws a person. */
export const drawPerson = (faker: Faker, random: Random): Person => ({
  first: oftenFrom(random, faker.person.firstName(), firstNames),
  last: oftenFrom(random, faker.person.lastName(), lastNames),
});

const latin: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' };

/** A name in the letters of an e-mail address. */
const toAddress = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[ßøłæœđı]/g, (letter) => latin[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^a-z]/g, '');

const addressOf = ({ first, last }: Person, between: string): string =>
  [first, last]
    .map(toAddress)
    .filter((part) => part !== '')
    .join(between) || 'user';

const sentence = ({ faker, random }: Ingredients): string =>
  `${random.chance(0.5) ? faker.commerce.productDescription() : faker.company.catchPhrase()}.`.replace(
    '..',
    '.',
  );

/** Some sentences, as many as fit. */
const prose: Make = (from) => {
  const { random, rules } = from;
  let made = sentence(from);
  for (let more = random.pick([0, 0, 1, 3, 7]); more > 0 || made.length < rules.least; more -= 1) {
    const longer = `${made} ${sentence(from)}`;
    if (longer.length > rules.most) break;
    made = longer;
  }
  return made.length > rules.most ? made.slice(0, rules.most).replace(/\s+\S*$/, '') : made;
};

const title: Make = ({ faker }) => faker.company.catchPhrase();
const label: Make = ({ faker }) => {
  const words = `${faker.word.adjective()} ${faker.word.noun()}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
};
const fullNameOf = ({ first, last }: Person): string => `${first} ${last}`;
const fullName: Make = ({ person }) => fullNameOf(person());
const otherPerson: Make = ({ faker, random }) => fullNameOf(drawPerson(faker, random));
const userName: Make = ({ person, random }) => `${addressOf(person(), '')}${random.int(1, 99)}`;
const company: Make = ({ faker }) => faker.company.name();
const department: Make = ({ faker }) => faker.commerce.department();
const jobTitle: Make = ({ faker }) => faker.person.jobTitle();
const product: Make = ({ faker }) => faker.commerce.productName();
const number: Make = ({ faker }) =>
  `${faker.string.alpha({ length: 3, casing: 'upper' })}-${faker.string.numeric(5)}`;
const city: Make = ({ faker, random }) => oftenFrom(random, faker.location.city(), cities);
const countryCode: Make = ({ faker }) => faker.location.countryCode();
const country: Kind = {
  forms: [
    ({ faker }) => faker.location.country(),
    countryCode,
    ({ faker }) => faker.location.countryCode('alpha-3'),
  ],
  few: 8,
};
const zipCode: Kind = {
  forms: [
    ({ faker }) => faker.location.zipCode(),
    ({ faker }) => faker.location.zipCode('#####'),
    ({ faker }) => faker.location.zipCode('####'),
  ],
};
const email: Kind = {
  forms: [
    ({ person }) => `${addressOf(person(), '.')}@example.com`,
    ({ person, random }) => `${addressOf(person(), '.')}${random.int(1, 99)}@example.com`,
  ],
};
const phone: Kind = {
  forms: [
    ({ faker }) => faker.phone.number({ style: 'national' }),
    ({ faker }) => faker.phone.number({ style: 'international' }),
  ],
};

/** Kinds by the last words of a field's name. */
const byName: Kinds = [
  [/\be ?mail( address)?$/, email],
  [/\b(first|given|fore) ?name$/, ({ person }) => person().first],
  [/\b(last|family|sur) ?name$/, ({ person }) => person().last],
  [/\b(full|display|real) name$/, fullName],
  [/\b(user ?name|login|nick ?name|handle)$/, userName],
  [
    /\b(author|assignee|contact|recipient|sender|driver|(created|updated|approved) by)( name)?$/,
    { forms: [otherPerson], few: 12 },
  ],
  [
    /\b(company|organi[sz]ation|employer|vendor|supplier|manufacturer|brand)( name)?$/,
    { forms: [company], few: 12 },
  ],
  [/\b(phone|mobile|telephone|tel|fax)( number)?$/, phone],
  [/\b(street( address)?|address( line)?( ?1)?)$/, ({ faker }) => faker.location.streetAddress()],
  [/\b(zip|zip ?code|post ?code|postal code)$/, zipCode],
  [/\b(city|town)( name)?$/, { forms: [city], few: 12 }],
  [/\bcountry code$/, { forms: [countryCode, ...country.forms], few: 8 }],
  [/\b(country|nationality)( name)?$/, country],
  [/\b(state|region|province|county)$/, { forms: [({ faker }) => faker.location.state()], few: 8 }],
  [/\bcurrency( code)?$/, ({ random }) => random.pick(['EUR', 'USD', 'GBP', 'NOK', 'JPY', 'CHF'])],
  [/\b(language|locale)( code)?$/, ({ random }) => random.pick(['en', 'de', 'fr', 'nb', 'ja'])],
  [/\btime ?zone$/, { forms: [({ faker }) => faker.location.timeZone()], few: 6 }],
  [/\bstatus$/, ({ random }) => random.pick(['active', 'pending', 'closed'])],
  [/\b(department|category|team)( name)?$/, { forms: [department], few: 6 }],
  [/\b(job title|job|position|occupation|profession)$/, { forms: [jobTitle], few: 8 }],
  [/\bcolou?r$/, { forms: [({ faker }) => faker.color.human()], few: 6 }],
  [/\b(product|model|article)( name)?$/, { forms: [product], few: 12 }],
  [
    /\b(sku|serial|barcode|(serial|order|invoice|customer|tracking|part) (number|no)|reference|code)$/,
    number,
  ],
  [/\biban$/, ({ faker }) => faker.finance.iban()],
  [/\b(title|subject|headline|slogan)$/, { forms: [title, prose] }],
  [/\b(description|summary|notes?|comments?|bio|about|message|body|content|text|details|remarks?)$/, prose],
];

/** Kinds of a plain `name`, by the object that has it. */
const byOwner: Kinds = [
  [
    /compan|organi[sz]ation|firm|vendor|supplier|employer|brand|manufacturer|merchant|account|client/,
    company,
  ],
  [/product|article|item|good|device|model/, product],
  [/cit(y|ies)|town|office|site|branch|location/, city],
  [/countr/, country],
  [/departm|categor/, department],
  [
    /person|people|user|employee|contact|member|author|owner|patient|student|driver|agent|customer|guest|teacher|manager/,
    fullName,
  ],
];

/** The words of a name in lower case: `billingZipCode` and `billing_zip_code` are `billing zip code`. */
export const toWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();

const isOfPerson = ({ fields }: Owner): boolean =>
  fields.some((name) => /\b(e ?mail|birth ?da(te|y)|first name|last name)$/.test(toWords(name)));

const nameKind = (owner: Owner): Kind =>
  kindIn(byOwner, toWords(owner.name)) ?? { forms: [isOfPerson(owner) ? fullName : label] };

/** The kind of a string by its format and the name of its field; undefined when neither suggests one. */
export const findKind = (
  { name, path, owner, filters }: Field,
  { format }: StringRules,
): Kind | undefined => {
  if (format === 'email') return email;
  const words = toWords(name);
  if (words === 'name') return nameKind(owner);
  return kindIn(byName, words) ?? (filters.has(path) ? { forms: [label], few: 6 } : undefined);
};
