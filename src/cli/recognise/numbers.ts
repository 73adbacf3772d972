import type { ListForm } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import { isObject } from '../../options.ts';
import { findItems } from './evidence.ts';
import type { SeenResponses } from './observe.ts';

/** The numbers of a list under the names that servers give them. The first that a body has counts. */
const usualNames = {
  totalCount: ['totalCount', 'total_count', 'totalItems', 'total_items', 'total', 'items', 'count'],
  totalPages: ['totalPages', 'total_pages', 'pageCount', 'page_count', 'lastPage', 'last_page', 'pages'],
  number: ['page', 'currentPage', 'current_page', 'pageNumber', 'page_number'],
  size: ['pageSize', 'page_size', 'perPage', 'per_page', 'itemsPerPage', 'limit'],
} as const;

/** True for a number of records or pages. */
export const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

/**
 * The paths of what can have the numbers of a list: the body itself, and the objects in it, two names deep at
 * most.
 */
const parentsIn = (body: unknown, maxDepth = 2): readonly string[] => {
  if (!isObject(body)) return [];
  const below = Object.entries(body).flatMap(([name, value]) =>
    maxDepth === 0
      ? []
      : parentsIn(value, maxDepth - 1).map((path) => (path === '' ? name : `${name}.${path}`)),
  );
  return ['', ...below];
};

/** True unless a count is that of the records of a page, as some servers have it beside them. */
const isOfList = (place: string, responses: SeenResponses): boolean =>
  responses.some(({ body }) => {
    const rows = valueAt(body, findItems(body) ?? '');
    return Array.isArray(rows) && Number(valueAt(body, place)) > rows.length;
  });

/** True for a place whose number can be that of the records of a page. */
export const isPageCount = (place: string, responses: SeenResponses): boolean =>
  /(?:^|\.)count$/.test(place) && !isOfList(place, responses);

const numbersAt = (parent: string, responses: SeenResponses): ListForm => {
  const [{ body }] = responses;
  const found = Object.entries(usualNames).flatMap(([part, names]) => {
    const paths = names.map((name) => (parent === '' ? name : `${parent}.${name}`));
    const place = paths.find((path) => isCount(valueAt(body, path)) && !isPageCount(path, responses));
    return place === undefined ? [] : [[part, { body: place }] as const];
  });
  return Object.fromEntries(found);
};

/** The numbers of a list in a body, with its total; none where no total is there. */
export const findNumbers = (responses: SeenResponses): ListForm => {
  const candidates = parentsIn(responses[0].body)
    .map((parent) => numbersAt(parent, responses))
    .filter(({ totalCount, totalPages }) => totalCount !== undefined || totalPages !== undefined);
  const sizeOf = (numbers: ListForm): number => Object.keys(numbers).length;
  return candidates.reduce((best, other) => (sizeOf(other) > sizeOf(best) ? other : best), {});
};
