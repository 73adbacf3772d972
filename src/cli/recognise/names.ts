import type { ListForm, Place, QueryNames, WholeFamily } from '../../families/family.ts';
import { placeParameterOf } from '../../families/list-form.ts';
import { readFamilyPage } from '../../families/page.ts';
import { parametersOf } from '../../families/wire.ts';
import type { Row } from './evidence.ts';
import { isJsonServer1 } from './json-server.ts';
import { findUsual, hasEnd, isFound } from './list.ts';
import { nextParameters } from './next.ts';
import { findNumbers } from './numbers.ts';
import type { SeenResponse } from './observe.ts';
import { isByOffset, isOffset, isOffsetName } from './offset.ts';

/** The name of a number in the body, which is mostly that of its parameter too; `currentPage` is of none. */
const nameAt = (place: Place | undefined): string | undefined => {
  const name = place && 'body' in place ? place.body.split('.').at(-1) : undefined;
  return name === undefined || /^(?:current_?page|number)$/i.test(name) ? undefined : name;
};

/** Strapi names its parameters by the object that has the numbers. */
const isOfStrapi = (place: Place | undefined): boolean =>
  place !== undefined && 'body' in place && place.body === 'meta.pagination.pageSize';

/** The names of the page and its size beside the records, where the preset does not know them. */
const namesInBody = (first: SeenResponse, { query, list }: WholeFamily): QueryNames => {
  const hasSize = list.size === undefined || isFound(list.size, [first]);
  if (isByOffset(first) || (hasEnd([first], list) && hasSize)) return {};
  const numbers = findNumbers([first]);
  if (isOfStrapi(numbers.size)) return { page: 'pagination[page]', perPage: 'pagination[pageSize]' };
  const page = nameAt(numbers.number) ?? query.page;
  const perPage = nameAt(numbers.size) ?? query.perPage;
  return {
    ...(page !== undefined && page !== query.page && { page }),
    ...(perPage !== undefined && perPage !== query.perPage && { perPage }),
  };
};

// Not an account, and not a discount.
const sizeName = /size|limit|per.?page|(?<!ac|dis)count|results|rows|top$|first$|len$/i;

const pageName = /^_?(?:p|page|page[-_]?(?:number|no|index))$|\[(?:page|number)\]$/i;

/** The name of the number of a page in the URL that was given, where no URL of the next page shows it. */
const givenPageOf = (given: URLSearchParams, known: string | undefined): string | undefined =>
  given.has(known ?? '')
    ? undefined
    : [...given].find(([name, value]) => pageName.test(name) && /^\d+$/.test(value))?.[0];

/** The parameters of a page that was given, and of the one after it. */
const pageParametersOf = (first: SeenResponse): URLSearchParams =>
  new URLSearchParams([...first.url.searchParams, ...(nextParameters(first) ?? [])]);

/** The parameter of a size that was given, where the page is shorter. */
const tooLargeIn = (
  given: URLSearchParams,
  records: number,
  known: string | undefined,
): string | undefined =>
  given.has(known ?? '')
    ? undefined
    : [...given].find(([name, value]) => sizeName.test(name) && Number(value) > records)?.[0];

/**
 * The names of the page and its size, as the URL of the next page has them, or the one that was given: the
 * number after the first, and the number of records. Undefined where the preset has them, and where nothing
 * shows them.
 */
export const pageNamesOf = (first: SeenResponse, rows: readonly Row[], family: WholeFamily): QueryNames => {
  if (isJsonServer1(first)) return {};
  const { query, firstPage } = family;
  const next = nextParameters(first);
  const given = first.url.searchParams;
  const find = (known: string | undefined, value: number, parameters: URLSearchParams | undefined) => {
    const isKnown = known !== undefined && parameters?.has(known) === true;
    return isKnown ? undefined : [...(parameters ?? [])].find((one) => one[1] === String(value))?.[0];
  };
  // What the first page was asked for too does not lead to the second one. A URL with an offset has no page.
  const changed = isByOffset(first)
    ? undefined
    : new URLSearchParams([...(next ?? [])].filter(([name, value]) => given.get(name) !== value));
  const inNext = next?.has(query.page ?? '') ? undefined : find(query.page, firstPage + 1, changed);
  const page = next === undefined ? givenPageOf(given, query.page) : inNext;
  // A cursor, or a start, may be as large as a page.
  const isOfSize = (name: string): boolean =>
    !isOffsetName(name) && (given.has(name) || name === query.perPage || sizeName.test(name));
  const size = new URLSearchParams([...pageParametersOf(first)].filter(([name]) => isOfSize(name)));
  size.delete(page ?? query.page ?? '');
  const perPage = find(query.perPage, rows.length, size) ?? tooLargeIn(given, rows.length, query.perPage);
  const inBody = size.has(query.perPage ?? '') ? {} : namesInBody(first, family);
  return {
    ...(next === undefined && inBody.page !== undefined && { page: inBody.page }),
    ...(inBody.perPage !== undefined && { perPage: inBody.perPage }),
    ...(page !== undefined && { page }),
    ...(perPage !== undefined && { perPage }),
  };
};

/** A name with the word `count` or `total`, as `include_total` and `withCount`, but not `account`. */
const totalName = /(?:^|[^a-z])(?:count|total)|Count|Total/;

/**
 * The parameters that ask for a total, as `$count=true` of OData and `count=1` of Parse Server: each list must
 * send them. Any other value may be a filter or a key, and is not printed.
 */
export const totalParametersOf = (first: SeenResponse): Readonly<Record<string, string>> => {
  // Without a total in the response, 1 may be a size.
  const values = findUsual([first]).totalCount === undefined ? ['true'] : ['true', '1'];
  const asked = [...first.url.searchParams].filter(
    ([name, value]) => totalName.test(name) && values.includes(value),
  );
  return Object.fromEntries(asked);
};

/** The parameters of a URL that are those of a family, or that were found to be those of a page. */
const knownParametersOf = (family: WholeFamily, names: QueryNames): readonly (string | undefined)[] => [
  ...parametersOf(family),
  placeParameterOf(family.list),
  ...Object.values(names),
  ...Object.keys(family.listParameters),
];

/**
 * The parameters of the URL of a list that are neither those of a page nor of a family: filters, a key.
 *
 * @param names - that were found, of which the family may have left some out
 */
export const ownParametersOf = ({ searchParams }: URL, family: WholeFamily, names: QueryNames) => {
  const known = knownParametersOf(family, names);
  const own = [...searchParams]
    .filter(([name, value]) => !isOffset([name, value]) && !(sizeName.test(name) && /^\d+$/.test(value)))
    .map(([name]) => name)
    // The `params` of a collection with pages cannot declare these.
    .filter((name) => name !== 'page' && name !== 'perPage')
    .filter((name) => !known.includes(name));
  return [...new Set(own)];
};

/** The parameters of the URL of a list that may be those of a page, and that nothing showed to be. */
export const describeLeftOut = (
  { searchParams }: URL,
  family: WholeFamily,
  names: QueryNames,
  own: readonly string[],
): readonly string[] => {
  const known = [...knownParametersOf(family, names), ...own];
  const left = [...new Set(searchParams.keys())].filter((name) => !known.includes(name));
  return left.map((name) => `what \`${name}\` of the URL does: it is not in the declaration`);
};

/** True where the name of the size was seen: in a URL, or in the body beside the number of a page. */
export const isSizeShown = (first: SeenResponse, perPage: string | undefined): boolean => {
  if (perPage === undefined) return false;
  const { number, size } = findNumbers([first]);
  return (
    pageParametersOf(first).has(perPage) ||
    (number !== undefined && nameAt(size) === perPage) ||
    isOfStrapi(size)
  );
};

/**
 * What a list that is counted by its records alone lacks where the server lowers sizes: a short page may be a
 * full one of a lowered size.
 */
export const describeLargestSize = ({ clampsSize, list }: WholeFamily): readonly string[] => {
  const { next, totalCount, totalPages, size }: ListForm = list;
  const isCounted = totalPages !== undefined || size !== undefined;
  return clampsSize && next === 'number' && totalCount !== undefined && !isCounted
    ? [
        'the largest size of a page. Declare it in paging: { maxPerPage } of the collection: without it, the last page has a `next` where it is read by its number, and that page is empty',
      ]
    : [];
};

/** True where a list was asked for more records than it gave, and has them: the size was lowered. */
export const isSizeLowered = (
  { url, headers, body }: SeenResponse,
  records: number,
  family: WholeFamily,
): boolean => {
  const { page = '', perPage = '' } = family.query;
  const asked = url.searchParams;
  const isFirstPage = [null, String(family.firstPage)].includes(asked.get(page));
  const { totalCount = 0 } = readFamilyPage(body, headers, family, url.href).numbers;
  return isFirstPage && records < totalCount && records < Number(asked.get(perPage));
};
