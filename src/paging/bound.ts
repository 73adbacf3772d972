import type { Pages } from './page.ts';

/** How far a list has been read; totals are undefined when the endpoint cannot supply them. */
export interface PagingProgress {
  /** Pages that were read so far. */
  readonly pages: number;
  /** Records on those pages. */
  readonly records: number;
  /** Pages of the whole list, as the latest page says. */
  readonly totalPages: number | undefined;
  /** Records of the whole list, as the latest page says. */
  readonly totalCount: number | undefined;
}

/** Where a list ends before the server's last page, and who is told of each page. */
export interface Bounds {
  /** Pages. */
  readonly maxPages: number;
  /** Records. */
  readonly limit: number;
  readonly onPage: ((progress: PagingProgress) => unknown) | undefined;
}

/** Ends a list after a number of pages or records, and reports its progress. */
export async function* bound<T>(pages: Pages<T>, { maxPages, limit, onPage }: Bounds): Pages<T> {
  let left = Math.ceil(limit);
  if (left === 0 || maxPages === 0) return;
  let count = 0;
  let records = 0;
  for await (const loaded of pages) {
    const { items, page } = loaded;
    count++;
    records += items.length;
    await onPage?.({ pages: count, records, totalPages: page.totalPages, totalCount: page.totalCount });
    yield items.length <= left ? loaded : { ...loaded, items: items.slice(0, left) };
    left -= items.length;
    if (left <= 0 || count >= maxPages) return;
  }
}
