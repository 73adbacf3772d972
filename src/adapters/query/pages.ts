import type { ItemList, ListOptions, Page } from '../../index.ts';

/** The query of an infinite query, with the options of its call. */
interface PageQuery extends ListOptions {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/**
 * Loads the page that a link leads to; without a link the first one, which `page` of the query may number.
 * The link has the number and the size, which the server may have clamped.
 */
export const loadPage = async (
  list: (query: PageQuery) => ItemList<unknown>,
  { page, perPage, ...query }: PageQuery,
  link: string | null,
): Promise<Page<unknown>> => {
  const pages = list(link === null ? { ...query, page, perPage } : { ...query, from: link }).pages();
  let read: Page<unknown> | undefined;
  for await (const loaded of pages) {
    read = loaded;
    // Without a next page the list is read to its end, which is an error where a browser hides the next one.
    if (loaded.next !== undefined) break;
  }
  // Every list has a first page.
  return read as Page<unknown>;
};

/** Leaves out records that an earlier page shows: insertions may move a record to a later page. */
export const withoutRepeats = <D extends { readonly pages: readonly Page<unknown>[] }>(data: D): D => {
  const seen = new Set<unknown>();
  const isNew = (record: unknown): boolean => {
    const { self, id } = record as { readonly self?: unknown; readonly id?: unknown };
    // As a list of the client knows its records.
    const identity = self ?? id;
    if (identity === undefined) return true;
    const { size } = seen;
    return seen.add(identity).size > size;
  };
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.filter(isNew) })) };
};
