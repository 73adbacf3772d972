import type { Page } from './page.ts';

/**
 * The event of `on.drift` ({@link Observers}): a list changed while it was read, a browser hides its paging fields, or
 * the server contradicts itself.
 *
 * A record can be missing for `endsEarly`, where `totalCount` falls by more than 5,000 between two pages, and without
 * an event where as many records are inserted as deleted between two pages, because the totals then stay the same.
 */
export interface DriftEvent {
  /** Names the call: a list and all its pages are one. */
  readonly callId: string;
  /**
   * `totalCount` or `pageSize` differ from the page before; `moved`: records were on an earlier page already, and were
   * left out; `hiddenHeaders`: the response shows none of the paging fields, and the list continues by page number;
   * `endsEarly`: a page has no next link, and by its totals it is not the last one.
   */
  readonly reason: 'totalCount' | 'pageSize' | 'moved' | 'hiddenHeaders' | 'endsEarly';
  /** URL of the page that showed it. */
  readonly url: string;
  /** The value of the page before, or the number of records that had moved, or of the page. */
  readonly before?: number;
  /** The value of this page, or the number of pages. */
  readonly after?: number;
}

/** The event without its call, which a list does not know. */
export type Drift = Omit<DriftEvent, 'callId'>;

/** Compares each page with the one before. */
export const createDriftWatch = (onDrift: (event: Drift) => void) => {
  let last: Page<unknown> | undefined;
  return (page: Page<unknown>, url: string): void => {
    const compare = (reason: 'totalCount' | 'pageSize', before?: number, after?: number): void => {
      if (before !== undefined && after !== undefined && before !== after)
        onDrift({ reason, url, before, after });
    };
    compare('totalCount', last?.totalCount, page.totalCount);
    compare('pageSize', last?.size, page.size);
    const { number = 0, totalPages = 0 } = page;
    if (page.next === undefined && number > 0 && number < totalPages)
      onDrift({ reason: 'endsEarly', url, before: number, after: totalPages });
    last = page;
  };
};

/** True when a response has none of the fields that every page of a paged collection has (§4.5). */
export const hidesPaging = ({ items: _items, ...fields }: Page<unknown>): boolean =>
  Object.values(fields).every((value) => value === undefined);

/** What to do where a browser hides those fields. */
export const mustExpose =
  'The browser hides the next page of the list: the server must send Access-Control-Expose-Headers with Link and X-Pagination-*';
