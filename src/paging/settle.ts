import { neighbourOf } from './neighbour.ts';
import { mostRemembered } from './once.ts';
import { idOf } from './position.ts';
import type { LoadedPage } from './read-ahead.ts';

/** What a page is taken for, when the list may have changed since the page before it. */
export interface Settled<T> {
  readonly loaded: LoadedPage<T>;
  /** Records that had moved to earlier pages, in their order. */
  readonly moved: readonly T[];
  /** The pages that they were found on. */
  readonly from: readonly LoadedPage<T>[];
}

export interface SettleOptions<T> {
  /** The page before; undefined for the first one. */
  readonly before: LoadedPage<T> | undefined;
  /** The page was asked for before the one before it was there. */
  readonly isEarly: boolean;
  readonly read: (url: string) => Promise<LoadedPage<T>>;
  /** Leaves out records that were delivered, and remembers the others as delivered. */
  readonly once: (records: readonly T[]) => readonly T[];
}

// A list that changes whenever it is looked at must not be read for ever, and one that was emptied not page by page.
const mostRounds = 5;
const mostPages = 100;

/** Records of the whole list, as a page says; as many as before when it does not. */
const totalOf = ({ page }: LoadedPage<unknown>, otherwise: number): number => page.totalCount ?? otherwise;

/**
 * Sees to it that no record is lost between two pages when records are deleted or inserted meanwhile.
 *
 * A number of records that falls means either that records were deleted, and those behind them have moved to the pages
 * before, as far back as there were deleted ones: these are read again. Or it means that this page is older than the one
 * before it, because both were on the way at once, and inserted records have moved others past it: then it is read again.
 */
export const settle = async <T>(
  loaded: LoadedPage<T>,
  { before, isEarly, read, once }: SettleOptions<T>,
): Promise<Settled<T>> => {
  const was = before?.page.totalCount ?? 0;
  if (before === undefined || totalOf(loaded, was) >= was) return { loaded, moved: [], from: [] };
  let current = isEarly ? await read(loaded.url) : loaded;
  // A page that is gone says nothing of the list; what said that records are missing counts on.
  let total = totalOf(current, totalOf(loaded, was));
  const moved: T[] = [];
  const movedIds = new Set<unknown>();
  const from: LoadedPage<T>[] = [];

  /** Takes what of a page was not delivered. True when the page begins with a record that was, before this page. */
  const take = (again: LoadedPage<T>, place: number): boolean => {
    const { items } = again.page;
    const fresh = once(items);
    moved.splice(place, 0, ...fresh);
    for (const record of fresh) movedIds.add(idOf(record));
    from.push(again);
    return items.length > 0 && fresh[0] !== items[0] && !movedIds.has(idOf(items[0]));
  };

  /** Reads backwards until a page begins with a record that was delivered. True when the list rested meanwhile. */
  const readBack = async (): Promise<boolean> => {
    const place = moved.length;
    const totals = [total];
    let count = 0;
    let url: string | undefined = before.url;
    for (let pages = 0; url !== undefined && pages < mostPages; pages++) {
      // As far as records can have moved; what lies further back than it is remembered would come twice.
      if (count >= Math.min(was - Math.min(...totals), mostRemembered)) break;
      const again = await read(url);
      totals.push(totalOf(again, total));
      // What stands before a record that was delivered was delivered as well.
      if (take(again, place)) break;
      count += again.page.items.length;
      url = neighbourOf(again, -1);
    }
    return totals.every((each) => each === totals[0]);
  };

  for (let round = 1; total < was; round++) {
    if ((await readBack()) || round === mostRounds) break;
    // Records may have moved on between this page and those that were read after it.
    take(current, moved.length);
    current = await read(loaded.url);
    total = totalOf(current, total);
  }
  return { loaded: current, moved, from };
};
