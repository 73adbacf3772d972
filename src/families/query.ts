import { descendingPrefix, listSeparator } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { readDirectionForm, type SortForm, type WholeFamily } from './family.ts';

/** The parts of a query that a family names otherwise (§4.4). */
export interface QueryParts {
  readonly sort?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly expand?: readonly string[] | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** A query parameter as it is sent: its name and its value. */
export type Parameter = readonly [name: string, value: string];

interface SortField {
  readonly path: string;
  readonly isDescending: boolean;
}

const toSortField = (given: string): SortField => {
  const isDescending = given.startsWith(descendingPrefix);
  return { path: isDescending ? given.slice(descendingPrefix.length) : given, isDescending };
};

/** A field with its direction, for the forms in which both are one value. */
const formatSortField = ({ path, isDescending }: SortField, form: SortForm & string): string => {
  if (form === '-field') return isDescending ? `${descendingPrefix}${path}` : path;
  const { separator, directions } = readDirectionForm(form);
  return path + separator + directions[isDescending ? 1 : 0];
};

/** One parameter with commas, or one for each value. */
const formatList = (name: string, values: readonly string[], isRepeated: boolean): readonly Parameter[] =>
  isRepeated ? values.map((value) => [name, value]) : [[name, values.join(listSeparator)]];

const formatSort = (
  name: string,
  given: readonly string[],
  { name: family, sortAs, repeated }: WholeFamily,
): readonly Parameter[] => {
  const sort = given.map(toSortField);
  const isRepeated = repeated.includes('sort');
  if (typeof sortAs === 'string') {
    const values = sort.map((field) => formatSortField(field, sortAs));
    return formatList(name, values, isRepeated);
  }
  if (sort.length > 1 && !sortAs.many)
    throw new InvalidRequestError(`sort: a server of the family "${family}" sorts by one field; name one`);
  const paths = sort.map(({ path }) => path);
  const directions = sort.map(({ isDescending }) => (isDescending ? 'desc' : 'asc'));
  return [...formatList(name, paths, isRepeated), ...formatList(sortAs.direction, directions, isRepeated)];
};

/**
 * The parameters of a query in the names and forms of a family, in the order of §4.4.
 *
 * @param isList - whether it is the query of a list, which may need a page and parameters of its own
 * @throws {@link InvalidRequestError} for several fields to sort by where the family takes one, and for a
 * page or a page size that it has no name for
 */
export const formatFamilyQuery = (
  query: QueryParts,
  family: WholeFamily,
  isList: boolean,
): readonly Parameter[] => {
  const { query: names, repeated, firstPage, pageRequired, listParameters } = family;
  const { sort = [], fields = [], expand = [], perPage } = query;
  const page = query.page ?? (isList && pageRequired ? 1 : undefined);
  const parameters: Parameter[] = [];
  if (names.sort !== undefined && sort.length > 0) parameters.push(...formatSort(names.sort, sort, family));
  if (names.fields !== undefined && fields.length > 0)
    parameters.push(...formatList(names.fields, fields, repeated.includes('fields')));
  if (names.expand !== undefined && expand.length > 0)
    parameters.push(...formatList(names.expand, expand, repeated.includes('expand')));
  if (page !== undefined) {
    if (names.page === undefined)
      throw new InvalidRequestError(
        `page: the family "${family.name}" has no page numbers; leave it out, and continue a list with from: page.next`,
      );
    parameters.push([names.page, String(page - 1 + firstPage)]);
  }
  if (perPage !== undefined) {
    if (names.perPage === undefined)
      throw new InvalidRequestError(
        `perPage: the family "${family.name}" has no name for it; name query.perPage in family(), or leave it out`,
      );
    parameters.push([names.perPage, String(perPage)]);
  }
  if (isList) parameters.push(...Object.entries(listParameters));
  return parameters;
};

/** PHP writes `ids[]` as `ids[0]`, and Rails the list `ids` as `ids[]`. */
const withoutIndex = (name: string): string => name.replace(/\[\d*\]$/, '');

/** A value; of a time, the same in each form and zone. */
const toComparable = (value: string): string => {
  const time = /^\d{4}-\d\d-\d\d[T ]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? value : new Date(time).toISOString();
};

/**
 * The values of a parameter, in a form in which those of a query and of a link are the same: one parameter may
 * have all of them, or each has one of its own.
 */
export const valuesOf = (query: URLSearchParams, name: string): readonly string[] =>
  [...query]
    .filter(([each]) => withoutIndex(each) === withoutIndex(name))
    .flatMap(([, value]) => value.split(listSeparator))
    .map(toComparable);
