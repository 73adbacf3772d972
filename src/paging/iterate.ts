import { isApiError } from '../errors/api-error.ts';
import { PagingError } from '../errors/request-error.ts';
import { createDriftWatch, type DriftEvent, hidesPaging } from './drift.ts';
import { createOnce } from './once.ts';
import { emptyPage } from './page.ts';
import { pageNumberOf, perPageOf, toPageUrl } from './page-url.ts';
import { parsePosition } from './position.ts';
import { type LoadedPage, type LoadPage, readAhead } from './read-ahead.ts';
import { findPlace, type Place } from './resume.ts';
import { type Settled, settle } from './settle.ts';

/** How far a list has come; totals are undefined when the endpoint cannot supply them. */
export interface PagingProgress {
  /** Pages that were read so far. */
  readonly pages: number;
  /** Records on those pages. */
  readonly records: number;
  /** Pages of the whole list, as the latest page says. */
  readonly totalPages: number | undefined;
  /** Records of the whole list, as the latest page says. */
  readonly totalCount: number | undefined;
}

/** How a list is iterated. */
export interface IterateOptions<T> {
  readonly load: LoadPage<T>;
  /** Gives the position to start at once it is needed: a URL, or what `position` gave. */
  readonly from: () => string;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  /** Ends the list at once, also while a page is on the way. */
  readonly stop?: AbortSignal | undefined;
  readonly maxPages: number;
  /** Records after which the list ends; whoever takes them ends it, and nothing is loaded ahead beyond. */
  readonly limit: number;
  readonly onPage: ((progress: PagingProgress) => unknown) | undefined;
  readonly onDrift: (event: DriftEvent) => void;
  /** True when the declaration says that the collection pages, so that its answers must show how. */
  readonly declared: boolean;
}

// Records move by some pages at the most; a server that serves the same ones for ever goes in circles.
const mostBarren = 10;

const mustExpose =
  'The browser hides where the list goes on: the server must send Access-Control-Expose-Headers with Link and X-Pagination-*';

/** A page as it is delivered: without the records that were delivered before. */
export interface DeliveredPage<T> extends LoadedPage<T> {
  readonly items: readonly T[];
  /** Pages that were read again because records of them had moved there; some of `items` stand on these. */
  readonly from: readonly LoadedPage<T>[];
}

/** Where the list goes on when a browser hides the fields that say so: by page number, until a page is empty. */
const createNextOf = <T>({ declared, onDrift }: IterateOptions<T>) => {
  let hidden: boolean | undefined;
  const nextOf = ({ url, page }: LoadedPage<T>): string | undefined => {
    if (hidden === undefined) {
      hidden = declared && page.items.length > 0 && hidesPaging(page);
      if (hidden) onDrift({ reason: 'hiddenHeaders', url });
    }
    if (!hidden || page.next !== undefined) return page.next;
    // A page that is not full is the last one.
    return page.items.length < (perPageOf(url) ?? 1)
      ? undefined
      : toPageUrl(url, (pageNumberOf(url) ?? 1) + 1);
  };
  return { nextOf, isGuessing: () => hidden === true };
};

/** A server that has no such page says so by one of these. */
const isMissing = (error: unknown): boolean =>
  isApiError(error) && (error.status === 400 || error.status === 404);

/** A signal that ends with the list, or before it with one of others. */
const createListSignal = (others: readonly (AbortSignal | undefined)[]) => {
  const list = new AbortController();
  const onAbort = (): void => list.abort(others.find((other) => other?.aborted)?.reason);
  if (others.some((other) => other?.aborted)) onAbort();
  for (const other of others) other?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: list.signal,
    end: (): void => {
      for (const other of others) other?.removeEventListener('abort', onAbort);
      list.abort();
    },
  };
};

/**
 * The pages of a list in their order, each record once (§4.5). An empty page does not end the list, a missing next does.
 *
 * When the number of records falls on the way, records behind the deleted ones have moved to pages before, which are
 * read once more for them.
 *
 * @throws {@link PagingError} when the list goes in circles, or cannot be continued
 */
export async function* iteratePages<T>(
  options: IterateOptions<T>,
): AsyncGenerator<DeliveredPage<T>, void, undefined> {
  const { load, concurrency, maxPages, limit, onPage, onDrift } = options;
  if (maxPages === 0) return;
  const start = parsePosition(options.from());
  const { signal, end } = createListSignal([options.signal, options.stop]);
  const { nextOf, isGuessing } = createNextOf(options);
  const watch = createDriftWatch(onDrift);
  const once = createOnce();
  let before: LoadedPage<T> | undefined;
  let settled: Settled<T> | undefined;
  let place: Place<T> | undefined;
  let pages = 0;
  let barren = 0;
  let records = 0;

  /** A page that is read again, and may be gone by now. */
  const read = async (url: string): Promise<LoadedPage<T>> => {
    try {
      return { url, ...(await load(url, signal)) };
    } catch (error) {
      if (!isMissing(error)) throw error;
      return { url, page: emptyPage(), filtered: false };
    }
  };
  const settlePage = async (loaded: LoadedPage<T>, isEarly: boolean): Promise<LoadedPage<T>> => {
    settled = await settle(loaded, { before, isEarly, read, once });
    return settled.loaded;
  };

  /** The page that the place was found on is not asked for again; a guessed one that does not exist is the end. */
  const loadOn: LoadPage<T> = async (url, listSignal) => {
    if (url === place?.loaded?.url && pages === 0) return place.loaded;
    try {
      return await load(url, listSignal);
    } catch (error) {
      if (!isGuessing() || !isMissing(error)) throw error;
      if (before?.filtered && pages === 1) throw new PagingError(mustExpose);
      return { page: emptyPage(), filtered: false };
    }
  };

  try {
    place = await findPlace(start, { load: (url) => load(url, signal), onDrift });
    before = place.before;
    if (before !== undefined) once(before.page.items);
    for await (const loaded of readAhead({
      load: loadOn,
      start: place.url,
      concurrency,
      signal,
      maxPages,
      limit,
      nextOf,
      settle: settlePage,
    })) {
      const { url, page } = loaded;
      watch(page, url);
      const { moved = [], from = [] } = settled ?? {};
      const skipped = pages === 0 ? place.delivered : 0;
      if (skipped > 0) once(page.items.slice(0, skipped));
      const rest = skipped === 0 ? page.items : page.items.slice(skipped);
      const fresh = once(rest);
      const repeated = rest.length - fresh.length;
      if (repeated > 0 && fresh.length === 0 && hidesPaging(page)) {
        // It does not page by number. With every field in sight that means that it does not page at all.
        if (loaded.filtered) throw new PagingError(mustExpose);
        return;
      }
      barren = repeated > 0 && fresh.length === 0 ? barren + 1 : 0;
      if (barren >= mostBarren) {
        throw new PagingError(`${barren} pages in a row hold only records that were delivered before (§4.5)`);
      }
      if (repeated > 0) onDrift({ reason: 'moved', url, before: repeated });
      const items = moved.length === 0 ? fresh : [...moved, ...fresh];
      pages++;
      records += items.length;
      await onPage?.({ pages, records, totalPages: page.totalPages, totalCount: page.totalCount });
      before = loaded;
      yield { ...loaded, items, from };
      if (pages >= maxPages) return;
    }
  } finally {
    end();
  }
}
