import { PagingError } from '../errors/restkin-error.ts';
import { adjacentUrl, idOf, type ListPage, type LoadPage, loadLinked } from './page.ts';
import type { Drift } from './reconcile.ts';

/** A position in a list: a page, and how many of its records were delivered. */
export interface Position {
  /** URL of the page. */
  readonly url: string;
  readonly delivered: number;
  /** `id` of the last delivered record, to find the place again when records have moved. */
  readonly id?: string | undefined;
  /** Number of records of the whole list at that time, which limits how far records may have moved since. */
  readonly total?: number | undefined;
  /** The query that its list was started with; undefined for a link, which the server wrote. */
  readonly query?: string | undefined;
}

/** Formats a position as the page's URL with a fragment. The `next` of a page is a position without one. */
export const formatPosition = ({ url, delivered, id, total }: Position): string => {
  if (delivered === 0) return url;
  const fragment = new URLSearchParams({
    delivered: String(delivered),
    ...(id === undefined ? {} : { id }),
    ...(total === undefined ? {} : { total: String(total) }),
  });
  return `${url}#${fragment}`;
};

/** Adds the query of its list to a position. A link is left as it is. */
export const markPosition = (position: string, query: string): string =>
  position.includes('#') ? `${position}&${new URLSearchParams({ query })}` : position;

const count = /^\d{1,15}$/;

/** @throws {@link PagingError} for an invalid position */
export const parsePosition = (position: string): Position => {
  const [url = '', fragment] = position.split('#', 2);
  const values = new URLSearchParams(fragment);
  // Nothing was delivered of the page that a link leads to.
  const delivered = fragment === undefined ? '0' : (values.get('delivered') ?? '');
  if (!count.test(delivered)) throw new PagingError('from is not a position of a list');
  const total = values.get('total') ?? '';
  return {
    url,
    delivered: Number(delivered),
    id: values.get('id') ?? undefined,
    total: count.test(total) ? Number(total) : undefined,
    query: values.get('query') ?? undefined,
  };
};

/**
 * The position after `count` of the records that a page delivers. At the end of a page it names the last record, not the next
 * link: records may have moved by the time that link is followed.
 */
export const positionOf = <T>(loaded: ListPage<T>, count: number): string => {
  const { items, again } = loaded;
  // On a page without new records, the position is at its end.
  const last = items.length === 0 ? loaded.page.items.at(-1) : items[count - 1];
  const id = idOf(last);
  const holds = ({ page }: ListPage<T>): boolean => page.items.includes(last as T);
  const { url, page } = [loaded, ...again].find(holds) ?? loaded;
  const delivered = last === undefined ? 0 : page.items.indexOf(last) + 1;
  // Without an id the place cannot be found again once the record has moved.
  if (id === undefined && delivered === page.items.length && page.next !== undefined) return page.next;
  return formatPosition({
    url,
    delivered,
    id: id === undefined ? id : String(id),
    total: page.totalCount,
  });
};

/** Where a list continues. */
export interface Place<T> {
  /** The first page with records that were not delivered. */
  readonly url: string;
  /** That page, when it was read to find the place. */
  readonly first: ListPage<T> | undefined;
  /** The page before it, whose records were all delivered. */
  readonly before: ListPage<T> | undefined;
}

// A record seldom moves further between two runs; a list that changed more repeats some records.
const mostPagesAway = 5;

const placeOf = (items: readonly unknown[], id: string): number =>
  items.findIndex((item) => String(idOf(item)) === id) + 1;

/** The place after `delivered` records of a page; after all of them, the next page. */
const placeOn = <T>(loaded: ListPage<T>, delivered: number): Place<T> => {
  const next = delivered < loaded.page.items.length ? undefined : adjacentUrl(loaded, 1);
  return next === undefined
    ? { url: loaded.url, first: { ...loaded, delivered }, before: undefined }
    : { url: next, first: undefined, before: { ...loaded, delivered: Number.POSITIVE_INFINITY } };
};

/**
 * Finds the place after the last delivered record, wherever that record is now. If it no longer exists, the list continues
 * early enough to lose none, and `on.drift` reports that some records may be delivered twice.
 */
export const findPlace = async <T>(
  { url, delivered, id, total }: Position,
  load: LoadPage<T>,
  onDrift: (event: Drift) => void,
): Promise<Place<T>> => {
  if (delivered === 0) return { url, first: undefined, before: undefined };
  const loaded = await loadLinked(load, url, total);
  const { items, totalCount } = loaded.page;
  if (id === undefined) return placeOn(loaded, delivered);
  const here = placeOf(items, id);
  if (here > 0) return placeOn(loaded, here);

  const back: ListPage<T>[] = [];
  const hasGrown = (totalCount ?? 0) > (total ?? Number.POSITIVE_INFINITY);
  for (const direction of hasGrown ? ([1, -1] as const) : ([-1, 1] as const)) {
    let at = loaded;
    for (let away = 1; away <= mostPagesAway; away++) {
      const next = adjacentUrl(at, direction);
      if (next === undefined) break;
      at = await loadLinked(load, next, total);
      const found = placeOf(at.page.items, id);
      if (found > 0) return placeOn(at, found);
      if (direction < 0) back.push(at);
    }
  }
  onDrift({ reason: 'moved', url });
  // Totals show only the difference between deleted and inserted records, so the list goes back one more page.
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
