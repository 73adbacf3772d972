import { idOf } from './position.ts';

// How many records back a record may have moved and still be known. A page has seldom more than a few hundred.
export const mostRemembered = 5_000;

type Id = string | number;

/** Ids in the order of delivery, some thousands of them: memory does not grow with the list. */
const createMemory = () => {
  let recent = new Set<Id>();
  let older: ReadonlySet<Id> = recent;
  return {
    has: (id: Id): boolean => recent.has(id) || (older !== recent && older.has(id)),
    add: (id: Id): void => {
      recent.add(id);
    },
    /** Between two pages, so that a page is remembered as a whole. */
    forget: (): void => {
      if (recent.size <= mostRemembered) return;
      older = recent;
      recent = new Set();
    },
  };
};

/** The ids of records that go on rising above all before them; undefined when one of them does not. */
const risingIds = (records: readonly unknown[], above: number): readonly number[] | undefined => {
  const ids: number[] = [];
  let last = above;
  for (const record of records) {
    const id = idOf(record);
    if (typeof id !== 'number' || !(id > last)) return undefined;
    ids.push(id);
    last = id;
  }
  return ids;
};

/**
 * Leaves out records that were delivered before: where records are inserted or deleted meanwhile, one may move to
 * another page (§4.5). It remembers a bounded number of them.
 */
export const createOnce = () => {
  const memory = createMemory();
  // While ids rise from record to record none can repeat, and their pages are only kept: looking up each record in a set
  // would cost more than all else that is done per record.
  let rising: (readonly number[])[] | undefined = [];
  let kept = 0;
  let highest = Number.NEGATIVE_INFINITY;

  const keep = (ids: readonly number[], pages: (readonly number[])[]): void => {
    pages.push(ids);
    kept += ids.length;
    highest = ids.at(-1) ?? highest;
    while (kept - (pages[0]?.length ?? 0) > mostRemembered) kept -= pages.shift()?.length ?? 0;
  };
  const stopRising = (): void => {
    for (const id of rising?.flat() ?? []) memory.add(id);
    rising = undefined;
  };

  return <T>(records: readonly T[]): readonly T[] => {
    const ids = rising && risingIds(records, highest);
    if (rising !== undefined && ids !== undefined) {
      keep(ids, rising);
      return records;
    }
    stopRising();
    const fresh = records.filter((record) => {
      const id = idOf(record);
      if (id === undefined) return true;
      if (memory.has(id)) return false;
      memory.add(id);
      return true;
    });
    memory.forget();
    return fresh.length === records.length ? records : fresh;
  };
};
