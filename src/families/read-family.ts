import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isPlain } from '../options.ts';
import {
  conventions,
  type Family,
  type InvalidForm,
  type ListForm,
  type Place,
  type WholeFamily,
} from './family.ts';
import { checkParts } from './family-rules.ts';
import { isContentRange, morePathOf, placeParameterOf } from './list-form.ts';

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
  if ((list.next === 'number' || list.next === 'untilEmpty') && query.page === undefined)
    return `list.next is '${list.next}', so query.page must name the parameter of the page`;
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
  checkParts(given);
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
