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

// How many records back a record may have moved and still be known. A page has seldom more than a few hundred.
export const mostRemembered = 5_000;

/** The ids of the latest pages, as many pages as it takes for {@link mostRemembered} records. */
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
 * When the number of records falls between two pages, records were deleted, and those after them have moved to earlier
 * pages: as far back as the number has fallen.
 */
export async function* reconcile<T>(
  pages: Pages<T>,
  load: LoadPage<T>,
  onDrift: (event: Drift) => void,
): Pages<T> {
  const watch = createDriftWatch(onDrift);
  const recent = createRecentPages();
  let before: ListPage<T> | undefined;
  /** Records of the list, as the latest response says. */
  let total = 0;

  const beginsDelivered = ([id]: ListPage<T>['ids']): boolean =>
    id !== undefined && recent.pages.some((ids) => ids.includes(id));

  /** Reads backwards until a page begins with a delivered record. True when the list did not change meanwhile. */
  const readBack = async (from: string, was: number, again: ListPage<T>[]): Promise<boolean> => {
    const totals = [total];
    let count = 0;
    let url: string | undefined = from;
    for (let read = 0; url !== undefined && read < mostPages; read++) {
      // As far as records can have moved. Records further back than those remembered would be delivered twice.
      if (count >= Math.min(was - Math.min(...totals), mostRemembered)) break;
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
   * The pages with records that have moved since the previous page was read. A page that was read later comes first: by then
   * more records had moved to it, and they stand before the others.
   */
  const findMoved = async (url: string, from: string, was: number): Promise<readonly ListPage<T>[]> => {
    const again: ListPage<T>[] = [];
    for (let round = 1; total < was; round++) {
      if ((await readBack(from, was, again)) || round === mostRounds) break;
      // Records may have moved on between this page and those that were read after it.
      const current = await loadAgain(load, url);
      again.unshift(current);
      total = current.page.totalCount ?? total;
    }
    return again;
  };

  for await (const loaded of pages) {
    const { url, page } = loaded;
    watch(page, url);
    const was = total;
    total = page.totalCount ?? total;
    const again = before === undefined || total >= was ? [] : await findMoved(url, before.url, was);
    if (page.totalCount !== undefined) for (const { ids } of [...again, loaded]) recent.add(ids);
    before = loaded;
    yield again.length === 0 ? loaded : { ...loaded, again };
  }
}
