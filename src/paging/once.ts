import { idOf } from './position.ts';

// How many records back a record may have moved and still be known. A page has seldom more than a few hundred.
const mostRemembered = 5_000;

/**
 * Leaves out records that were delivered before: where records are inserted or deleted meanwhile, one may move to
 * another page (§4.5). It remembers a bounded number of them, so that memory does not grow with the list.
 */
export const createOnce = () => {
  let recent = new Set<string | number>();
  let older: ReadonlySet<string | number> = recent;

  return <T>(records: readonly T[]): readonly T[] => {
    let repeated: Set<number> | undefined;
    records.forEach((record, index) => {
      const id = idOf(record);
      if (id === undefined) return;
      if (recent.has(id) || (older !== recent && older.has(id))) {
        repeated ??= new Set();
        repeated.add(index);
      } else recent.add(id);
    });
    if (recent.size > mostRemembered) {
      older = recent;
      recent = new Set();
    }
    const left = repeated;
    return left === undefined ? records : records.filter((_record, index) => !left.has(index));
  };
};
