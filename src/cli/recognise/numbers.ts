import type { ListForm } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import { findItems } from './evidence.ts';
import { objectsIn } from './next.ts';
import type { SeenResponse, SeenResponses } from './observe.ts';

/** The numbers of a list under the names that servers give them. The first that a body has counts. */
const usualNames = {
  totalCount: [
    'totalCount',
    'total_count',
    'totalItems',
    'total_items',
    'totalElements',
    'totalDocs',
    'totalRecords',
    'TotalRecordCount',
    'total_records',
    'total_entries',
    'total_size',
    'totalHits',
    'totalResults',
    'total_results',
    'hydra:totalItems',
    '@odata.count',
    'total',
    'items',
    'count',
  ],
  totalPages: ['totalPages', 'total_pages', 'pageCount', 'page_count', 'lastPage', 'last_page', 'pages'],
  number: ['page', 'currentPage', 'current_page', 'pageNumber', 'page_number', 'number'],
  size: [
    'pageSize',
    'page_size',
    'perPage',
    'per_page',
    'itemsPerPage',
    'max_results',
    'pagelen',
    'limit',
    'size',
  ],
} as const;

/** True for a number of records or pages. */
export const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

/** How many records the page of a response has. */
const countRows = ({ body }: SeenResponse): number => {
  const rows = valueAt(body, findItems(body) ?? '');
  return Array.isArray(rows) ? rows.length : 0;
};

/** True unless a count is that of the records of a page, as some servers have it beside them. */
const isOfList = (place: string, responses: SeenResponses): boolean =>
  responses.some((response) => Number(valueAt(response.body, place)) > countRows(response));

/** True for a place whose number can be the size of a page: no page has more records. */
const isPageSize = (place: string, responses: SeenResponses): boolean =>
  responses.every((response) => Number(valueAt(response.body, place)) >= countRows(response));

/** True for a place whose number can be that of the records of a page. */
export const isPageCount = (place: string, responses: SeenResponses): boolean =>
  /(?:^|\.)count$/.test(place) && !isOfList(place, responses);

const numbersAt = (parent: string, responses: SeenResponses): ListForm => {
  const [{ body }] = responses;
  const found = Object.entries(usualNames).flatMap(([part, names]) => {
    const paths = names.map((name) => (parent === '' ? name : `${parent}.${name}`));
    const isPart = (path: string): boolean =>
      part === 'size' ? isPageSize(path, responses) : !isPageCount(path, responses);
    const place = paths.find((path) => isCount(valueAt(body, path)) && isPart(path));
    return place === undefined ? [] : [[part, { body: place }] as const];
  });
  return Object.fromEntries(found);
};

/** The numbers of a list in a body, with its total; none where no total is there. */
export const findNumbers = (responses: SeenResponses): ListForm => {
  const candidates = objectsIn(responses[0].body)
    .map((parent) => numbersAt(parent, responses))
    .filter(({ totalCount, totalPages }) => totalCount !== undefined || totalPages !== undefined);
  const sizeOf = (numbers: ListForm): number => Object.keys(numbers).length;
  return candidates.reduce((best, other) => (sizeOf(other) > sizeOf(best) ? other : best), {});
};
