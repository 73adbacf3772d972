import { header, type PageRelation, paginationHeader } from '../../src/conventions.ts';
import type { Declared } from '../collections/link.ts';
import type { HeaderFields } from '../message.ts';
import type { ReadQuery } from './read-query.ts';

/** The Link field (§4.5): first and prev except on page 1, and next only when more records follow. */
const formatLink = (page: number, totalPages: number, hasTotals: boolean, url: URL): string => {
  const last = Math.max(1, totalPages);
  const pages: readonly (readonly [relation: PageRelation, page: number, applies: boolean])[] = [
    ['first', 1, hasTotals && page > 1],
    // Beyond the end, prev is the last page that has records.
    ['prev', Math.min(page - 1, last), hasTotals && page > 1],
    ['next', page + 1, page < last],
    ['last', last, hasTotals && page !== last],
  ];
  return pages
    .filter(([, , applies]) => applies)
    .map(([relation, to]) => {
      const target = new URL(url);
      target.searchParams.set('page', String(to));
      return `<${target.href}>; rel="${relation}"`;
    })
    .join(', ');
};

/** The page of a list for a query (§4.5); the whole list, without paging headers, where the collection does not page. */
export const pageOf = <Item>(
  items: readonly Item[],
  { collection }: Declared,
  query: ReadQuery,
  url: URL,
): { readonly items: readonly Item[]; readonly headers: HeaderFields } => {
  const { paging } = collection.options;
  if (paging === undefined) return { items, headers: {} };
  const {
    maxPerPage = Number.MAX_SAFE_INTEGER,
    totals = true,
    defaultPerPage = 25,
  } = paging === true ? {} : paging;
  const { page, perPage = Math.min(defaultPerPage, maxPerPage) } = query;
  const start = (page - 1) * perPage;
  const totalPages = Math.ceil(items.length / perPage);
  const link = formatLink(page, totalPages, totals, url);
  const headers = {
    ...(link !== '' && { [header.link]: link }),
    ...(totals && {
      [paginationHeader.totalPages]: String(totalPages),
      [paginationHeader.totalCount]: String(items.length),
    }),
    [paginationHeader.currentPage]: String(page),
    [paginationHeader.pageSize]: String(perPage),
  };
  return { items: items.slice(start, start + perPage), headers };
};
