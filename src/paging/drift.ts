import type { Page } from './page.ts';

/** A list changed while it was read, or a browser hides where it goes on. Nothing is lost or repeated for it. */
export interface DriftEvent {
  /**
   * `totalCount` or `pageSize` differ from the page before; `moved`: records were on an earlier page already, and were
   * left out; `hiddenHeaders`: the answer shows none of the paging fields, and the list goes on by page number.
   */
  readonly reason: 'totalCount' | 'pageSize' | 'moved' | 'hiddenHeaders';
  /** URL of the page that showed it. */
  readonly url: string;
  /** The value of the page before, or the number of records that had moved. */
  readonly before?: number;
  /** The value of this page. */
  readonly after?: number;
}

/** Compares each page with the one before. */
export const createDriftWatch = (onDrift: (event: DriftEvent) => void) => {
  let last: Page<unknown> | undefined;
  return (page: Page<unknown>, url: string): void => {
    const values = [
      ['totalCount', last?.totalCount, page.totalCount],
      ['pageSize', last?.size, page.size],
    ] as const;
    for (const [reason, before, after] of values) {
      if (before !== undefined && after !== undefined && before !== after)
        onDrift({ reason, url, before, after });
    }
    last = page;
  };
};

/** True when an answer has none of the fields that every page of a paged collection has (§4.5). */
export const hidesPaging = ({
  number,
  size,
  totalCount,
  totalPages,
  first,
  prev,
  next,
  last,
}: Page<unknown>): boolean =>
  [number, size, totalCount, totalPages, first, prev, next, last].every((value) => value === undefined);
