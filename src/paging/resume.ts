import type { Drift } from './drift.ts';
import type { ListPage, LoadPage, Page } from './page.ts';
import { adjacentUrl } from './page-url.ts';
import { idOf, type Position } from './position.ts';

/** Where a list continues. */
export interface Place<T> {
  /** The first page with records that were not delivered. */
  readonly url: string;
  /** That page, when it was read to find the place. */
  readonly first?: ListPage<T>;
  /** The page before it, all of which was delivered. */
  readonly before?: ListPage<T>;
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
const placeOn = <T>(loaded: ListPage<T>, delivered: number): Place<T> => {
  const next = delivered < loaded.page.items.length ? undefined : adjacentUrl(loaded, 1);
  return next === undefined
    ? { url: loaded.url, first: { ...loaded, delivered } }
    : { url: next, before: { ...loaded, delivered: Number.POSITIVE_INFINITY } };
};

/**
 * Finds the place behind the last delivered record, wherever it is by now. Where that record itself is gone, the list
 * continues early enough to lose none, and `on.drift` reports that some may be delivered again.
 */
export const findPlace = async <T>(
  { url, delivered, id, total }: Position,
  load: LoadPage<T>,
  onDrift: (event: Drift) => void,
): Promise<Place<T>> => {
  if (delivered === 0) return { url };
  const loaded = await load(url);
  const { items, totalCount } = loaded.page;
  if (id === undefined) return placeOn(loaded, Math.min(delivered, items.length));
  const here = placeOf(items, id);
  if (here > 0) return placeOn(loaded, here);

  const back: ListPage<T>[] = [];
  for (const direction of directionsOf(total, loaded.page)) {
    let at = loaded;
    for (let away = 1; away <= mostPagesAway; away++) {
      const next = adjacentUrl(at, direction);
      if (next === undefined) break;
      at = await load(next);
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
