import { PagingError } from '../errors/restkin-error.ts';
import { hidesPaging, type Id, type ListPage, mustExpose, type Pages } from './page.ts';
import { createRecentPages, type Drift, mostRemembered } from './reconcile.ts';

/** Remembers the ids of the last few thousand records, so that memory does not grow with the list. */
const createMemory = () => {
  let recent = new Set<Id>();
  let older: ReadonlySet<Id> = recent;
  return {
    has: (id: Id): boolean => recent.has(id) || (older !== recent && older.has(id)),
    add: (id: Id): void => {
      recent.add(id);
    },
    /** Called between two pages, so that a page is remembered as a whole. */
    forget: (): void => {
      if (recent.size <= mostRemembered) return;
      older = recent;
      recent = new Set();
    },
  };
};

type Ids = ListPage<unknown>['ids'];

/** True for numbers that rise, each greater than the one before it. */
const areRising = (ids: Ids, above: number): ids is readonly number[] => {
  let last = above;
  for (const id of ids) {
    if (typeof id !== 'number' || !(id > last)) return false;
    last = id;
  }
  return true;
};

/** A filter that drops records that it has passed before; it remembers a bounded number of them. */
export const createFilter = () => {
  const memory = createMemory();
  // While ids rise from record to record, none can repeat. Their pages are only kept, because a lookup in a set would cost
  // more than everything else that is done for a record.
  let rising: ReturnType<typeof createRecentPages<readonly number[]>> | undefined = createRecentPages();
  let highest = Number.NEGATIVE_INFINITY;

  const stopRising = (): void => {
    for (const id of rising?.pages.flat() ?? []) memory.add(id);
    rising = undefined;
  };

  return <T>(records: readonly T[], ids: Ids): readonly T[] => {
    if (rising !== undefined && areRising(ids, highest)) {
      rising.add(ids);
      highest = ids.at(-1) ?? highest;
      return records;
    }
    stopRising();
    const fresh = records.filter((_record, index) => {
      const id = ids[index];
      if (id === undefined) return true;
      if (memory.has(id)) return false;
      memory.add(id);
      return true;
    });
    memory.forget();
    return fresh;
  };
};

// Records move by a few pages at most. A list that repeats this many pages in a row is a loop.
const mostRepeated = 10;

/**
 * Delivers each record once, although a record may move to another page while others are inserted or deleted (§4.5).
 *
 * @throws {@link PagingError} when page after page holds only records that were delivered before
 */
export async function* deduplicate<T>(pages: Pages<T>, onDrift: (event: Drift) => void): Pages<T> {
  const filter = createFilter();
  let repeatedPages = 0;

  for await (const loaded of pages) {
    const { url, page, ids, again, delivered } = loaded;
    const moved = again.flatMap((earlier) => filter(earlier.page.items, earlier.ids));
    if (delivered > 0) filter(page.items.slice(0, delivered), ids.slice(0, delivered));
    if (delivered === Number.POSITIVE_INFINITY) continue;
    const rest = page.items.slice(delivered);
    const fresh = filter(rest, ids.slice(delivered));
    const repeated = rest.length - fresh.length;
    const isRepeated = repeated > 0 && fresh.length === 0;
    if (isRepeated && hidesPaging(page)) {
      // The server ignores the page number. Unless a browser hides its paging fields, it does not page at all.
      if (loaded.filtered) throw new PagingError(mustExpose, { url });
      return;
    }
    repeatedPages = isRepeated ? repeatedPages + 1 : 0;
    if (repeatedPages >= mostRepeated) {
      throw new PagingError(
        `${repeatedPages} pages in a row hold only records that were delivered before (§4.5)`,
        { url },
      );
    }
    if (repeated > 0) onDrift({ reason: 'moved', url, before: repeated });
    yield { ...loaded, items: [...moved, ...fresh] };
  }
}
