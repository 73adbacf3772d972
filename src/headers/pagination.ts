import { paginationHeader } from '../conventions.ts';

/** The `X-Pagination-*` fields of one answer (§4.5). What the server omits, or does not write as a number, is undefined. */
export interface Pagination {
  readonly totalPages: number | undefined;
  readonly totalCount: number | undefined;
  readonly currentPage: number | undefined;
  readonly pageSize: number | undefined;
}

/** A non-negative integer as the conventions write it; fifteen digits are exact in a number. */
const parseCount = (value: string | null): number | undefined =>
  value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;

/** Reads the paging header fields (§4.5). */
export const parsePagination = (headers: Headers): Pagination => ({
  totalPages: parseCount(headers.get(paginationHeader.totalPages)),
  totalCount: parseCount(headers.get(paginationHeader.totalCount)),
  currentPage: parseCount(headers.get(paginationHeader.currentPage)),
  pageSize: parseCount(headers.get(paginationHeader.pageSize)),
});
