import { InvalidRequestError } from '../errors/restkin-error.ts';
import {
  checkBoolean,
  checkName,
  checkOf,
  checkPart,
  createReader,
  isObject,
  type OptionChecks,
} from '../options.ts';
import {
  conventions,
  type Family,
  type InvalidForm,
  type ListForm,
  type Place,
  type QueryNames,
  type WholeFamily,
} from './family.ts';

const isOneOf = (...values: readonly unknown[]) =>
  checkOf(
    (value) => values.includes(value),
    `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  );

const isPath = (value: unknown): boolean => typeof value === 'string' && /^[^.]+(?:\.[^.]+)*$/.test(value);
const checkBodyPath = checkOf(
  (value) => value === '' || isPath(value),
  "a dotted path in the body, such as 'meta.total', or '' for the body itself",
);

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const isPlace = (value: unknown): value is Place => {
  if (!isObject(value)) return false;
  const { header, body, optional, ...others } = value;
  if (Object.keys(others).length > 0 || (header === undefined) === (body === undefined)) return false;
  const isKnown = optional === undefined || typeof optional === 'boolean';
  return isKnown && (header === undefined ? isPath(body) : headerName.test(String(header)));
};
const checkPlace = checkOf(
  isPlace,
  "a place: { header: 'X-Total' } or { body: 'meta.total' }, with optional: true where a response may lack it",
);

const checkNext = checkOf(
  (value) => value === 'link' || value === 'number' || (isPlace(value) && 'body' in value),
  "'link', 'number' or { body: 'links.next' }",
);

const sortForms = ['-field', 'field,desc', 'field:desc', 'field:DESC'] as const;
const checkSortAs = checkOf(
  (value) => {
    if (!isObject(value)) return sortForms.some((form) => form === value);
    const { direction, many, ...others } = value;
    const isMany = many === undefined || typeof many === 'boolean';
    return typeof direction === 'string' && direction !== '' && isMany && Object.keys(others).length === 0;
  },
  `one of ${sortForms.map((form) => `'${form}'`).join(', ')}, or { direction: 'order' } for a parameter of its own`,
);

const isListOf =
  (...values: readonly unknown[]) =>
  (given: unknown): boolean =>
    Array.isArray(given) && given.every((each) => values.includes(each));

const checkRepeated = checkOf(
  isListOf('sort', 'fields', 'expand'),
  'an array that names sort, fields or expand',
);

const identities = ['["id","self"]', '["id"]'];
const checkIdentity = checkOf(
  (value) => identities.includes(JSON.stringify(value)),
  "['id', 'self'] or ['id']",
);

const checkPathTemplate = checkOf(
  (value) =>
    typeof value === 'string' && /^(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/.test(value.replaceAll('{version}', '1')),
  "a path such as 'api/v{version}', without a slash at either end, or ''",
);

const checkParameters = checkOf(
  (value) => isObject(value) && Object.values(value).every((each) => typeof each === 'string'),
  'an object of strings',
);

const queryChecks: OptionChecks<QueryNames> = {
  page: checkName,
  perPage: checkName,
  sort: checkName,
  fields: checkName,
  expand: checkName,
};

const listChecks: OptionChecks<ListForm> = {
  items: checkBodyPath,
  next: checkNext,
  anyPath: checkBoolean,
  totalCount: checkPlace,
  totalPages: checkPlace,
  number: checkPlace,
  size: checkPlace,
};

const invalidChecks: OptionChecks<InvalidForm> = {
  statuses: checkOf(isListOf(400, 422), 'an array of 400 and 422'),
  items: checkBodyPath,
  form: isOneOf('list', 'map', 'sentences'),
  field: checkBodyPath,
  code: checkBodyPath,
  message: checkBodyPath,
  whole: checkName,
};

const readParts = createReader<Family>({
  name: checkName,
  path: checkPathTemplate,
  trailingSlash: checkBoolean,
  query: checkPart(createReader(queryChecks)),
  sortAs: checkSortAs,
  repeated: checkRepeated,
  clampsSize: checkBoolean,
  firstPage: isOneOf(0, 1),
  pageRequired: checkBoolean,
  listParameters: checkParameters,
  list: checkPart(createReader(listChecks)),
  item: checkBodyPath,
  body: checkBodyPath,
  identity: checkIdentity,
  impliesIdentity: checkBoolean,
  unexpanded: isOneOf('reference', 'id', 'absent'),
  written: isOneOf('nothing', 'resource'),
  created: checkOf(isListOf(200, 201), 'an array of 200 and 201'),
  invalid: checkPart(createReader(invalidChecks, { required: ['statuses'] })),
});

const problemOf = ({
  query,
  sortAs,
  repeated,
  list,
  pageRequired,
  invalid,
}: WholeFamily): string | undefined => {
  if (list.next === 'number' && query.page === undefined)
    return "list.next is 'number', so query.page must name the parameter of the page";
  if (pageRequired && query.page === undefined)
    return 'pageRequired needs query.page, the parameter of the page';
  if (sortAs === 'field,desc' && !repeated.includes('sort'))
    return "sortAs 'field,desc' has a comma in each value, so repeated must name 'sort'";
  if (invalid.statuses === undefined)
    return 'invalid.statuses is missing: the statuses of a validation failure';
  const names = Object.values(query);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice && `query names ${JSON.stringify(twice)} twice`;
};

/**
 * Checks a family, and completes it with the parts of the conventions.
 *
 * @throws {@link InvalidRequestError} that names an unknown part, and a part that cannot be
 */
export const readFamily = (given: Family): WholeFamily => {
  if (!isObject(given))
    throw new InvalidRequestError('family() takes a family, such as one of restkin/families');
  const parts = readParts(given, 'family');
  const defined = Object.entries(parts).filter(([, value]) => value !== undefined);
  const whole: WholeFamily = { ...conventions, name: 'unnamed', ...Object.fromEntries(defined) };
  const problem = problemOf(whole);
  if (problem !== undefined) throw new InvalidRequestError(`family: ${problem}`);
  return Object.freeze(whole);
};
