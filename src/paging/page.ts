import type { Links } from '../headers/link.ts';
import type { Pagination } from '../headers/pagination.ts';

/** One page of a collection (§4.5), as plain data. */
export interface Page<T> {
  /** The records of the page, checked and typed by the query. */
  readonly items: readonly T[];
  /** Page number, from 1; undefined when the server does not say. */
  readonly number: number | undefined;
  /** Records per page; undefined when the server does not say. */
  readonly size: number | undefined;
  /** Number of records of the whole list; undefined when the endpoint cannot supply totals (§4.5.1). */
  readonly totalCount: number | undefined;
  /** Number of pages of the whole list; undefined when the endpoint cannot supply totals (§4.5.1). */
  readonly totalPages: number | undefined;
  /** URLs of the neighbours, as applicable (§4.5). */
  readonly first: string | undefined;
  /** URL of the page before; undefined on the first one. */
  readonly prev: string | undefined;
  /** URL of the next page; undefined on the last one. A list goes on from it with the option `from`. */
  readonly next: string | undefined;
  /** URL of the last page; undefined without totals, and as the server leaves it out. */
  readonly last: string | undefined;
}

/** Makes a page of its items and the paging headers of its answer. */
export const toPage = <T>(items: readonly T[], links: Links, pagination: Pagination): Page<T> => ({
  items,
  number: pagination.currentPage,
  size: pagination.pageSize,
  totalCount: pagination.totalCount,
  totalPages: pagination.totalPages,
  first: links.get('first'),
  prev: links.get('prev'),
  next: links.get('next'),
  last: links.get('last'),
});

const none = { totalPages: undefined, totalCount: undefined, currentPage: undefined, pageSize: undefined };

/** A page behind the last one. */
export const emptyPage = <T>(): Page<T> => toPage<T>([], new Map(), none);
