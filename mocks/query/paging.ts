import { header, type PageRelation, paginationHeader } from '../../src/conventions.ts';
import type { Declared } from '../collections/declare.ts';
import type { HeaderFields } from '../message.ts';
import type { ReadQuery } from './read-query.ts';

interface PageState {
  readonly page: number;
  readonly perPage: number;
  readonly count: number;
  readonly hasTotals: boolean;
}

/** The Link field (§4.5): first and prev except on page 1, and next only when more records follow. */
const formatLink = ({ page, perPage, count, hasTotals }: PageState, url: URL): string => {
  const last = Math.max(1, Math.ceil(count / perPage));
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

const pagingHeaders = (state: PageState, url: URL): HeaderFields => {
  const { page, perPage, count, hasTotals } = state;
  const link = formatLink(state, url);
  return {
    ...(link === '' ? {} : { [header.link]: link }),
    ...(hasTotals && {
      [paginationHeader.totalPages]: String(Math.ceil(count / perPage)),
      [paginationHeader.totalCount]: String(count),
    }),
    [paginationHeader.currentPage]: String(page),
    [paginationHeader.pageSize]: String(perPage),
  };
};

/** The page of a list for a query (§4.5); the whole list, without paging headers, where the collection does not page. */
export const pageOf = <Item>(
  items: readonly Item[],
  { collection }: Declared,
  query: ReadQuery,
  url: URL,
  defaultPerPage = 25,
) => {
  const { paging } = collection.options;
  if (paging === undefined) return { items, headers: {} };
  const {
    maxPerPage = Number.MAX_SAFE_INTEGER,
    totals = true,
    defaultPerPage: own,
  } = paging === true ? {} : paging;
  const { page } = query;
  const perPage = query.perPage ?? Math.min(own ?? defaultPerPage, maxPerPage);
  const start = (page - 1) * perPage;
  return {
    items: items.slice(start, start + perPage),
    headers: pagingHeaders({ page, perPage, count: items.length, hasTotals: totals }, url),
  };
};
