import {
  adjacentUrl,
  type ListPage,
  type LoadPage,
  loadAgain,
  type Page,
  type Pages,
  pageNumberOf,
} from './page.ts';

/**
 * The event of `on.drift` ({@link Observers}): a list changed while it was read, a browser hides its paging fields, or
 * the server contradicts itself.
 *
 * Records can be missing after `endsEarly`, and when `totalCount` falls by more than 5,000 between two pages. They can be
 * missing without an event when as many records are inserted as deleted between two pages: the totals stay the same.
 */
export interface DriftEvent {
  /** Identifies the call. A list and all its pages are one call. */
  readonly callId: string;
  /**
   * `totalCount`, `pageSize`: the value differs from that of the previous page. `moved`: records were delivered with an
   * earlier page and are left out; without `before`, the last delivered record of a resumed list is gone, and some records may
   * be delivered twice. `hiddenHeaders`: the response shows none of the paging fields, and the list continues by page number.
   * `endsEarly`: a page has no next link, and by its totals it is not the last one.
   */
  readonly reason: 'totalCount' | 'pageSize' | 'moved' | 'hiddenHeaders' | 'endsEarly';
  /** URL of the page that showed it. */
  readonly url: string;
  /** The value of the previous page; for `moved` the number of records, for `endsEarly` that of the page. */
  readonly before?: number;
  /** The value of this page; for `endsEarly` the number of pages. */
  readonly after?: number;
}

/** The event without the call, which the code of this folder does not know. */
export type Drift = Omit<DriftEvent, 'callId'>;

/** Compares each page with the one before. */
const createDriftWatch = (onDrift: (event: Drift) => void) => {
  let last: Page<unknown> | undefined;
  return (page: Page<unknown>, url: string): void => {
    const compare = (reason: 'totalCount' | 'pageSize', before?: number, after?: number): void => {
      if (before !== undefined && after !== undefined && before !== after)
        onDrift({ reason, url, before, after });
    };
    compare('totalCount', last?.totalCount, page.totalCount);
    compare('pageSize', last?.size, page.size);
    const { number = pageNumberOf(url) ?? (last === undefined ? 1 : 0), totalPages = 0 } = page;
    if (page.next === undefined && number > 0 && number < totalPages)
      onDrift({ reason: 'endsEarly', url, before: number, after: totalPages });
    last = page;
  };
};

// A record that has moved is recognised among this many. Pages seldom have more than a few hundred.
export const mostRemembered = 5_000;

/** The ids of the latest pages: as many pages as hold {@link mostRemembered} records. */
export const createRecentPages = <I extends ListPage<unknown>['ids']>() => {
  const pages: I[] = [];
  let count = 0;
  const add = (ids: I): void => {
    pages.push(ids);
    count += ids.length;
    while (count - (pages[0]?.length ?? 0) > mostRemembered) count -= pages.shift()?.length ?? 0;
  };
  return { pages: pages as readonly I[], add };
};

// Limits for a list that changes whenever it is read, and for one that was emptied.
const mostRounds = 5;
const mostPages = 100;

/**
 * Reloads earlier pages to which records of a list have moved.
 *
 * When the number of records falls between two pages, records were deleted. Those after them have moved to earlier pages, at
 * most by as many places as the number has fallen.
 */
export async function* reconcile<T>(
  pages: Pages<T>,
  load: LoadPage<T>,
  onDrift: (event: Drift) => void,
): Pages<T> {
  const watch = createDriftWatch(onDrift);
  const recent = createRecentPages();
  let before: ListPage<T> | undefined;
  /** Number of records in the list, from the latest response. */
  let total = 0;

  const beginsDelivered = ([id]: ListPage<T>['ids']): boolean =>
    id !== undefined && recent.pages.some((ids) => ids.includes(id));

  /** Reads backwards until a page begins with a delivered record. True when the list did not change meanwhile. */
  const readBack = async (from: string, former: number, again: ListPage<T>[]): Promise<boolean> => {
    const totals = [total];
    let count = 0;
    let url: string | undefined = from;
    for (let read = 0; url !== undefined && read < mostPages; read++) {
      // Records cannot have moved further. Beyond the remembered ones, records would be delivered twice.
      if (count >= Math.min(former - Math.min(...totals), mostRemembered)) break;
      const earlier: ListPage<T> = await loadAgain(load, url);
      totals.push(earlier.page.totalCount ?? total);
      again.unshift(earlier);
      // The records before a delivered one were delivered as well.
      if (beginsDelivered(earlier.ids)) break;
      count += earlier.items.length;
      url = adjacentUrl(earlier, -1);
    }
    return totals.every((each) => each === total);
  };

  /**
   * The pages with records that have moved since the previous page was read. Pages that were read later come first: more
   * records had moved to them by then, and these precede the others in the list.
   */
  const findMoved = async (url: string, from: string, former: number): Promise<readonly ListPage<T>[]> => {
    const again: ListPage<T>[] = [];
    for (let round = 1; total < former; round++) {
      if ((await readBack(from, former, again)) || round === mostRounds) break;
      // More records may have moved to this page while the earlier ones were read.
      const current = await loadAgain(load, url);
      again.unshift(current);
      total = current.page.totalCount ?? total;
    }
    return again;
  };

  for await (const loaded of pages) {
    const { url, page } = loaded;
    watch(page, url);
    const former = total;
    total = page.totalCount ?? total;
    const again = before === undefined || total >= former ? [] : await findMoved(url, before.url, former);
    if (page.totalCount !== undefined) for (const { ids } of [...again, loaded]) recent.add(ids);
    before = loaded;
    yield { ...loaded, again };
  }
}
