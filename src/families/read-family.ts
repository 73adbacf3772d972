import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isObject, isPlain } from '../options.ts';
import {
  conventions,
  type Family,
  type InvalidForm,
  isContentRange,
  type ListForm,
  morePathOf,
  type Place,
  placeParameterOf,
  type QueryNames,
  type WholeFamily,
} from './family.ts';

/**
 * What a part must be, and that in words. Plain data, and no calls, so that a bundle without families leaves
 * the rules out.
 */
type Rule = readonly [isValid: (value: unknown) => boolean, kind: string];
type Rules<T> = { readonly [K in keyof T]-?: Rule };

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isOneOf = (value: unknown, ...values: readonly unknown[]): boolean => values.includes(value);
const isListOf = (value: unknown, ...values: readonly unknown[]): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => values.includes(each));

const isPath = (value: unknown): boolean => typeof value === 'string' && /^[^.]+(?:\.[^.]+)*$/.test(value);

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const isPlace = (value: unknown): value is Place => {
  if (!isObject(value)) return false;
  const { header, body, optional = false, ...others } = value;
  if (Object.keys(others).length > 0 || !isBoolean(optional)) return false;
  if (header === undefined) return isPath(body);
  return body === undefined && typeof header === 'string' && headerName.test(header);
};

const isNext = (value: unknown): boolean => {
  if (!isObject(value)) return value === 'link' || value === 'number';
  if ('offset' in value) return isText(value.offset) && Object.keys(value).length === 1;
  if ('lastId' in value) {
    const { lastId, more, ...others } = value;
    return isText(lastId) && (more === undefined || isPath(more)) && Object.keys(others).length === 0;
  }
  const { parameter, more, ...place } = value;
  if (more !== undefined && !isPath(more)) return false;
  // A cursor may stand beside it, and a URL may not: page numbers lead on.
  if (parameter === undefined && more !== undefined) return Object.keys(place).length === 0;
  return (parameter === undefined || isText(parameter)) && isPlace(place) && 'body' in place;
};

const isSortForm = (value: unknown): boolean => {
  if (!isObject(value)) return /^(?:-field|field[,: ](?:desc|DESC))$/.test(String(value));
  const { direction, many = false, ...others } = value;
  return isText(direction) && isBoolean(many) && Object.keys(others).length === 0;
};

const isPathTemplate = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/.test(value.replaceAll('{version}', '1'));

/** A dotted path in the body, or the body itself. */
const isBodyPath = (value: unknown): boolean => value === '' || isPath(value);

const isItem = (value: unknown): boolean => {
  if (!isObject(value)) return isBodyPath(value);
  const { read, written, ...others } = value;
  return isBodyPath(read) && isBodyPath(written) && Object.keys(others).length === 0;
};

const text: Rule = [isText, 'a string that is not empty'];
const flag: Rule = [isBoolean, 'true or false'];
const bodyPath: Rule = [
  isBodyPath,
  "a dotted path in the body, such as 'meta.total', or '' for the body itself",
];
const place: Rule = [
  isPlace,
  "a place: { header: 'X-Total' } or { body: 'meta.total' }, with optional: true where a response may lack it",
];
/** A part that has parts of its own, which have rules of their own. */
const group: Rule = [isObject, 'an object'];

const familyRules: Rules<Family> = {
  name: text,
  path: [isPathTemplate, "a path such as 'api/v{version}', without a slash at either end, or ''"],
  trailingSlash: flag,
  query: group,
  sortAs: [
    isSortForm,
    "one of '-field', 'field,desc', 'field:desc', 'field desc', each of them with DESC, or { direction: 'order' } for a parameter of its own",
  ],
  repeated: [
    (value) => Array.isArray(value) && value.every((part) => ['sort', 'fields', 'expand'].includes(part)),
    'an array that names sort, fields or expand',
  ],
  clampsSize: flag,
  firstPage: [(value) => isOneOf(value, 0, 1), '0 or 1'],
  pageRequired: flag,
  listParameters: [
    (value) => isObject(value) && Object.values(value).every((each) => typeof each === 'string'),
    'an object of strings',
  ],
  list: group,
  item: [
    isItem,
    "a dotted path in the body, such as 'meta.total', or '' for the body itself; or { read: '', written: 'doc' } for two",
  ],
  body: bodyPath,
  identity: [
    (value) => ['["id","self"]', '["id"]'].includes(JSON.stringify(value)),
    "['id', 'self'] or ['id']",
  ],
  idField: [
    (value) => isText(value) && value !== 'self' && !String(value).includes('.'),
    "the server's name for the id of a resource, such as '_id'",
  ],
  impliesIdentity: flag,
  unexpanded: [(value) => isOneOf(value, 'reference', 'id', 'absent'), "'reference', 'id' or 'absent'"],
  written: [(value) => isOneOf(value, 'nothing', 'resource'), "'nothing' or 'resource'"],
  created: [(value) => isListOf(value, 200, 201), 'an array of 200 and 201'],
  invalid: group,
};

const queryRules: Rules<QueryNames> = { page: text, perPage: text, sort: text, fields: text, expand: text };

const listRules: Rules<ListForm> = {
  items: bodyPath,
  next: [
    isNext,
    "'link', 'number' or { body: 'links.next' }, with parameter: 'cursor' for one that is sent as such, and optional: true where the last page lacks it; { more: 'has_more' } for page numbers, { offset: 'skip' }, or { lastId: 'starting_after', more: 'has_more' }",
  ],
  anyPath: flag,
  totalCount: place,
  totalPages: place,
  number: place,
  size: place,
};

const invalidRules: Rules<InvalidForm> = {
  statuses: [(value) => isListOf(value, 400, 422), 'an array of 400 and 422'],
  items: bodyPath,
  form: [(value) => isOneOf(value, 'list', 'map', 'sentences'), "'list', 'map' or 'sentences'"],
  field: bodyPath,
  prefix: text,
  code: bodyPath,
  message: bodyPath,
  whole: text,
};

/** @throws {@link InvalidRequestError} for an unknown part, and for one that breaks its rule */
const checkParts = (
  given: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
  prefix: string,
) => {
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules).join(', ');
      throw new InvalidRequestError(
        `family: there is no ${prefix}${name.slice(0, 100)}; the parts are ${known}`,
      );
    }
    const [isValid, kind] = rule;
    if (value !== undefined && !isValid(value))
      throw new InvalidRequestError(`family: ${prefix}${name} must be ${kind}`);
  }
};

/** The paths in the body of what a list names. */
const bodyPathsOf = (place: ListForm['next'] | Place): readonly string[] => {
  if (typeof place !== 'object') return [];
  const paths = ['body' in place ? place.body : undefined, 'more' in place ? place.more : undefined];
  return paths.filter((path) => path !== undefined);
};

/** A place that no response has: beside a list that is the body itself, or in the list. */
const impossiblePlaceIn = ({ items = '', ...list }: ListForm): string | undefined => {
  const places = ['next', 'totalCount', 'totalPages', 'number', 'size'] as const;
  const impossible = places.find((name) =>
    bodyPathsOf(list[name]).some((path) => items === '' || `${path}.`.startsWith(`${items}.`)),
  );
  if (impossible === undefined) return undefined;
  return items === ''
    ? `list.${impossible} is in the body, which is the list itself; name the path of the list in list.items`
    : `list.${impossible} is in the list, at ${JSON.stringify(items)}; name its path in the body`;
};

/** A parameter that a query names, and that something else sends too. */
const sharedParameterOf = ({ query, sortAs, list, listParameters }: WholeFamily): string | undefined => {
  const names = Object.values(query);
  const others = [
    ...(typeof sortAs === 'object' ? [sortAs.direction] : []),
    placeParameterOf(list),
    ...Object.keys(listParameters),
  ].filter((name) => name !== undefined);
  return others.find((name, index) => names.includes(name) || others.indexOf(name) !== index);
};

/** A part of `invalid` that its form does not have: it would be ignored. */
const ignoredPartOf = ({ form = 'list', ...parts }: InvalidForm): string | undefined => {
  const owners = [
    { name: 'field', owner: 'a list of objects', forms: ['list'] },
    { name: 'prefix', owner: 'a list of objects', forms: ['list'] },
    { name: 'code', owner: 'objects', forms: ['list', 'map'] },
    { name: 'message', owner: 'objects', forms: ['list', 'map'] },
    { name: 'whole', owner: 'a map', forms: ['map'] },
  ] as const;
  const ignored = owners.find(
    ({ name, forms }) => parts[name] !== undefined && !forms.some((one) => one === form),
  );
  return (
    ignored &&
    `invalid.${ignored.name} is for ${ignored.owner}, and invalid.form is '${form}'; leave one of them out`
  );
};

/** `Content-Range` has a total, and no other number of a list. */
const rangeProblemOf = (list: ListForm): string | undefined => {
  const names = ['totalPages', 'number', 'size'] as const;
  const invalid = names.find((name) => isContentRange(list[name]));
  return (
    invalid && `list.${invalid} is in Content-Range, which has the total alone; name it in list.totalCount`
  );
};

/** A list that nothing leads on from, and whose end nothing shows: it would be its first page. */
const endProblemOf = ({ next, totalCount, totalPages }: ListForm): string | undefined =>
  next === undefined && totalCount === undefined && totalPages === undefined
    ? "list says neither what leads to the next page nor how many records there are; name list.next, which is 'link' where the server sends the Link header"
    : undefined;

const problemOf = (family: WholeFamily): string | undefined => {
  const { query, sortAs, repeated, list, pageRequired, invalid } = family;
  if (list.next === 'number' && query.page === undefined)
    return "list.next is 'number', so query.page must name the parameter of the page";
  const isNumbered = morePathOf(list) !== undefined && placeParameterOf(list) === undefined;
  if (isNumbered && query.page === undefined)
    return 'list.next has `more` alone, so query.page must name the parameter of the page';
  if (query.page !== undefined && placeParameterOf(list) !== undefined)
    return 'a list with cursors or offsets has no page numbers; leave query.page out';
  if (pageRequired && query.page === undefined)
    return 'pageRequired needs query.page, the parameter of the page';
  if (typeof sortAs === 'string' && sortAs.includes(',') && !repeated.includes('sort'))
    return `sortAs '${sortAs}' has a comma in each value, so repeated must name 'sort'`;
  if (invalid.statuses === undefined)
    return 'invalid.statuses is missing: the statuses of a validation failure';
  const names = Object.values(query);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `query names ${JSON.stringify(twice)} twice`;
  const shared = sharedParameterOf(family);
  if (shared !== undefined) return `the parameter ${JSON.stringify(shared)} has two meanings`;
  return ignoredPartOf(invalid) ?? impossiblePlaceIn(list) ?? rangeProblemOf(list) ?? endProblemOf(list);
};

/** True for an object literal, a frozen one, and a copy of one. */
const isLiteral = (value: unknown): boolean =>
  isPlain(value) && [null, Object.prototype].includes(Object.getPrototypeOf(value));

const describeGiven = (value: unknown): string =>
  value === undefined || value === null ? String(value) : `a value of type ${typeof value}`;

/**
 * Checks a family, and completes it with the parts of the conventions.
 *
 * @throws {@link InvalidRequestError} that names an unknown part, and a part that cannot be
 */
export const readFamily = (given: Family): WholeFamily => {
  if (!isLiteral(given))
    throw new InvalidRequestError(
      `family() takes a family as a plain object, such as drf of restkin/families; received ${describeGiven(given)}`,
    );
  checkParts({ ...given }, familyRules, '');
  checkParts({ ...given.query }, queryRules, 'query.');
  checkParts({ ...given.list }, listRules, 'list.');
  checkParts({ ...given.invalid }, invalidRules, 'invalid.');
  const defined = Object.entries(given).filter(([, part]) => part !== undefined);
  const whole: WholeFamily = { ...conventions, name: 'unnamed', ...Object.fromEntries(defined) };
  const problem = problemOf(whole);
  if (problem !== undefined) throw new InvalidRequestError(`family: ${problem}`);
  return Object.freeze(whole);
};

/** The parts of a family that those of another one differ from. */
export const differencesOf = (family: WholeFamily, base: WholeFamily): Family => {
  const others: Readonly<Record<string, unknown>> = { ...base };
  const parts = Object.entries(family).filter(
    ([part, value]) => JSON.stringify(value) !== JSON.stringify(others[part]),
  );
  return Object.fromEntries(parts);
};
