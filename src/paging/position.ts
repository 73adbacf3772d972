import { PagingError } from '../errors/restkin-error.ts';
import type { ListPage } from './page.ts';

/** Where an iteration stands: a page, and how many of its records were delivered. */
export interface Position {
  /** URL of the page. */
  readonly url: string;
  readonly delivered: number;
  /** `id` of the last delivered record, to find the place again when records have moved. */
  readonly id?: string | undefined;
  /** Number of records of the whole list at that time: it tells how far records may have moved since. */
  readonly total?: number | undefined;
}

/** Writes a position as the page's URL with a fragment. The `next` of a page is one, too. */
export const formatPosition = ({ url, delivered, id, total }: Position): string => {
  if (delivered === 0) return url;
  const fragment = new URLSearchParams({
    delivered: String(delivered),
    ...(id === undefined ? {} : { id }),
    ...(total === undefined ? {} : { total: String(total) }),
  });
  return `${url}#${fragment}`;
};

const count = /^\d{1,15}$/;

/**
 * Reads a position.
 *
 * @throws {@link PagingError} when it is none
 */
export const parsePosition = (position: string): Position => {
  const [url = '', fragment] = position.split('#', 2);
  if (fragment === undefined) return { url, delivered: 0 };
  const values = new URLSearchParams(fragment);
  const delivered = values.get('delivered') ?? '';
  if (!count.test(delivered)) throw new PagingError('from is not a position of a list');
  const total = values.get('total') ?? '';
  return {
    url,
    delivered: Number(delivered),
    id: values.get('id') ?? undefined,
    ...(count.test(total) ? { total: Number(total) } : {}),
  };
};

/** The `id` of a record; undefined when it has none. */
export const idOf = (record: unknown): string | number | undefined => {
  const id = (record as { readonly id?: unknown } | null)?.id;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
};

/**
 * The place behind so many of the records that a page delivers. It stays with the last of them also at the end of the page:
 * what lies behind the next link may have moved by the time it is followed.
 */
export const positionOf = <T>(loaded: ListPage<T>, count: number): string => {
  const { items, again } = loaded;
  // A page of which everything was delivered before leaves the place where it ends.
  const last = items.length === 0 ? loaded.page.items.at(-1) : items[count - 1];
  const id = last === undefined ? undefined : idOf(last);
  const holds = ({ page }: ListPage<T>): boolean => page.items.includes(last as T);
  const { url, page } = again.length === 0 || holds(loaded) ? loaded : (again.find(holds) ?? loaded);
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
