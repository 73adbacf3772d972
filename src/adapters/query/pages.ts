import type { ItemList, ListOptions, Page } from '../../index.ts';

/** A page of an infinite query of {@link Queries.pages}. */
export interface QueryPage<T> extends Page<T> {
  /** The place after its last record, as `position` of a list. */
  readonly position: string;
}

/** Where a page of {@link Queries.pages} is: plain data that survives JSON. */
export interface PagePosition {
  /** The URL of the page, or the place after the last record of the previous page. */
  readonly url: string;
  /** The place after the previous page, and how many records the list had then; null when neither is needed. */
  readonly after: { readonly position: string; readonly totalCount: number } | null;
}

/** The query of an infinite query, with the options of its call. */
interface PageQuery extends ListOptions {
  readonly page?: number | undefined;
}

type List = (query: PageQuery) => ItemList<unknown>;

/**
 * Reads one page. Where a browser hides the paging header fields, a list that continues from a position gives the rest of the
 * previous page first, which is empty. The page after it is then the one to read.
 */
const readPage = async (list: List, query: PageQuery): Promise<QueryPage<unknown>> => {
  const reading = list({ ...query, maxPages: 2 });
  let read: Page<unknown> | undefined;
  for await (const page of reading.pages()) {
    read = page;
    if (page.items.length > 0 || page.next !== undefined) break;
  }
  // Every list has a first page, and a page has a position.
  return { ...(read as Page<unknown>), position: reading.position as string };
};

/** Loads the page at a position. `page` of the query is the number of the first one. */
export const loadPage = async (
  list: List,
  { page, ...query }: PageQuery,
  at: PagePosition | null,
): Promise<QueryPage<unknown>> => {
  if (at === null) return readPage(list, { ...query, page });
  const loaded = await readPage(list, { ...query, from: at.url });
  const { after } = at;
  // Records were deleted, so others may have moved to the previous page and would be missing.
  return after !== null && (loaded.totalCount ?? 0) < after.totalCount
    ? readPage(list, { ...query, from: after.position })
    : loaded;
};

/** True for a page with none of the fields that a page has (§4.5): a browser hides them, or the collection does not page. */
const hidesPaging = ({ number, size, totalCount, next, prev }: Page<unknown>): boolean =>
  [number, size, totalCount, next, prev].every((value) => value === undefined);

/** Where a paged list continues; null at its end. */
export const nextOf = (page: QueryPage<unknown>): PagePosition | null => {
  const { next, position, totalCount, items } = page;
  if (next !== undefined)
    return { url: next, after: totalCount === undefined ? null : { position, totalCount } };
  return items.length > 0 && hidesPaging(page) ? { url: position, after: null } : null;
};

/** The position of the previous page; null on the first page, and without totals (§4.5.2). */
export const previousOf = ({ prev }: QueryPage<unknown>): PagePosition | null =>
  prev === undefined ? null : { url: prev, after: null };

/** Leaves out records that an earlier page shows. Insertions and deletions may move a record to another page. */
export const withoutRepeats = <D extends { readonly pages: readonly QueryPage<unknown>[] }>(data: D): D => {
  const seen = new Set<unknown>();
  const isNew = (record: unknown): boolean => {
    const { id } = record as { readonly id?: unknown };
    if (id === undefined) return true;
    const { size } = seen;
    return seen.add(id).size > size;
  };
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.filter(isNew) })) };
};
