import type { DriftEvent } from './drift.ts';
import { neighbourOf } from './neighbour.ts';
import type { Page } from './page.ts';
import { idOf, type Position } from './position.ts';
import type { LoadedPage, PageAnswer } from './read-ahead.ts';

/** Where a list goes on: behind so many records of a page that was read already, or at the start of one that was not. */
export interface Place<T> {
  readonly url: string;
  /** The page, when it was read to find the place. */
  readonly loaded?: LoadedPage<T> | undefined;
  /** Records of the page that were delivered before. */
  readonly delivered: number;
  /** The page before it, of which everything was delivered. */
  readonly before?: LoadedPage<T>;
}

export interface ResumeOptions<T> {
  readonly load: (url: string) => Promise<PageAnswer<T>>;
  readonly onDrift: (event: DriftEvent) => void;
}

// A record moves by some pages between two runs; whoever changed more than that reads some records again.
const mostPagesAway = 5;

const placeOf = (items: readonly unknown[], id: string): number =>
  items.findIndex((item) => String(idOf(item)) === id) + 1;

/** Where to look first: on where the list has grown, back where it has not. */
const directionsOf = (total: number | undefined, page: Page<unknown>): readonly (-1 | 1)[] => {
  return (page.totalCount ?? 0) > (total ?? Number.POSITIVE_INFINITY) ? [1, -1] : [-1, 1];
};

/** Behind so many records of a page; behind all of them that is the next page. */
const placeOn = <T>(loaded: LoadedPage<T>, delivered: number): Place<T> => {
  const next = delivered < loaded.page.items.length ? undefined : neighbourOf(loaded, 1);
  return next === undefined
    ? { url: loaded.url, loaded, delivered }
    : { url: next, delivered: 0, before: loaded };
};

/**
 * Finds the place behind the last delivered record, wherever it is by now. Where that record itself is gone, the list
 * goes on early enough to lose none, and `on.drift` tells that some may come again.
 */
export const findPlace = async <T>(start: Position, options: ResumeOptions<T>): Promise<Place<T>> => {
  const { url, delivered, id, total } = start;
  if (delivered === 0) return { url, delivered };
  const { load, onDrift } = options;
  const read = async (from: string): Promise<LoadedPage<T>> => ({ url: from, ...(await load(from)) });

  const loaded = await read(url);
  const { items, totalCount } = loaded.page;
  if (id === undefined) return placeOn(loaded, Math.min(delivered, items.length));
  const here = placeOf(items, id);
  if (here > 0) return placeOn(loaded, here);

  const back: LoadedPage<T>[] = [];
  for (const direction of directionsOf(total, loaded.page)) {
    let at: LoadedPage<T> = loaded;
    for (let away = 1; away <= mostPagesAway; away++) {
      const next = neighbourOf(at, direction);
      if (next === undefined) break;
      at = await read(next);
      const found = placeOf(at.page.items, id);
      if (found > 0) return placeOn(at, found);
      if (direction < 0) back.push(at);
    }
  }
  onDrift({ reason: 'moved', url });
  // Records were deleted, and others may have been inserted: totals tell the difference alone. A page is read again.
  const fell = Math.max(0, (total ?? 0) - (totalCount ?? Number.POSITIVE_INFINITY));
  let left = delivered - fell - (back[0]?.page.items.length ?? delivered);
  let from = loaded;
  for (const earlier of back) {
    if (left >= 0) break;
    from = earlier;
    left += earlier.page.items.length;
  }
  return placeOn(from, Math.min(Math.max(0, left), from.page.items.length));
};
