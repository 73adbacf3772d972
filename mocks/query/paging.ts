import { header, type PageRelation, paginationHeader } from '../../src/conventions.ts';
import { type CollectionOptions, suppliesTotals } from '../../src/schema/collection.ts';
import type { Declared } from '../collections/declare.ts';
import type { HeaderFields } from '../message.ts';
import type { ReadQuery } from './read-query.ts';

/** The Link field (§4.5): first and prev except on page 1, and next only when more records follow. */
const formatLink = (
  page: number,
  totalPages: number,
  hasNext: boolean,
  hasTotals: boolean,
  url: URL,
): string => {
  const last = Math.max(1, totalPages);
  const pages: Readonly<Record<PageRelation, number | false>> = {
    first: hasTotals && page > 1 && 1,
    // Beyond the end, prev is the last page that has records.
    prev: hasTotals && page > 1 && Math.min(page - 1, last),
    next: hasNext && page + 1,
    last: hasTotals && page !== last && last,
  };
  const links = Object.entries(pages).flatMap(([relation, to]) => {
    const target = new URL(url);
    target.searchParams.set('page', String(to));
    return to === false ? [] : `<${target.href}>; rel="${relation}"`;
  });
  return links.join(', ');
};

/** The size of a page where a query does not say it. */
export const defaultSizeOf = (paging: CollectionOptions['paging']): number => {
  const { maxPerPage = Number.MAX_SAFE_INTEGER, defaultPerPage = 25 } =
    typeof paging === 'object' ? paging : {};
  return Math.min(defaultPerPage, maxPerPage);
};

/**
 * Which of the records of a list a page has (§4.5): all, without paging headers, where the collection does
 * not page, or pages only if it is asked to.
 *
 * @param before - the number of records before the page, where the query has that in place of its number
 */
export const pageOf = (
  count: number,
  { declaration }: Declared,
  query: ReadQuery,
  url: URL,
  before?: number,
): { readonly start: number; readonly end: number; readonly headers: HeaderFields } => {
  const { paging } = declaration.options;
  const isAsked = ['page', 'perPage'].some((name) => url.searchParams.has(name));
  if (paging === undefined || (declaration.wire?.family.pageRequired === true && !isAsked))
    return { start: 0, end: count, headers: {} };
  const totals = suppliesTotals(paging);
  const { perPage = defaultSizeOf(paging) } = query;
  const start = before ?? (query.page - 1) * perPage;
  const end = start + perPage;
  const page = Math.floor(start / perPage) + 1;
  const totalPages = Math.ceil(count / perPage);
  const link = formatLink(page, totalPages, end < count, totals, url);
  const headers = {
    ...(link !== '' && { [header.link]: link }),
    ...(totals && {
      [paginationHeader.totalPages]: String(totalPages),
      [paginationHeader.totalCount]: String(count),
    }),
    [paginationHeader.currentPage]: String(page),
    [paginationHeader.pageSize]: String(perPage),
  };
  return { start, end, headers };
};
