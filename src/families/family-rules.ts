// What each part of a family must be, by itself.
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isObject } from '../options.ts';
import type { Family, InvalidForm, ListForm, Place, QueryNames } from './family.ts';

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
  if (!isObject(value)) return isOneOf(value, 'link', 'number', 'untilEmpty');
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
    "'link', 'number' or { body: 'links.next' }, with parameter: 'cursor' for one that is sent as such, and optional: true where the last page lacks it; { more: 'has_more' } or 'untilEmpty' for page numbers, { offset: 'skip' }, or { lastId: 'starting_after', more: 'has_more' }",
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

const checkGroup = (
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

/** @throws {@link InvalidRequestError} for an unknown part, and for one that breaks its rule */
export const checkParts = (family: Family): void => {
  checkGroup({ ...family }, familyRules, '');
  checkGroup({ ...family.query }, queryRules, 'query.');
  checkGroup({ ...family.list }, listRules, 'list.');
  checkGroup({ ...family.invalid }, invalidRules, 'invalid.');
};
