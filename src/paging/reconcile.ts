import { createRecentPages, mostRemembered } from './deduplicate.ts';
import { createDriftWatch, type Drift } from './drift.ts';
import { adjacentUrl, type ListPage, type LoadPage, loadAgain, type Pages } from './page.ts';

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
