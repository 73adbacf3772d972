interface Identity {
  readonly id?: unknown;
  readonly self?: unknown;
}

const identityOf = (record: unknown): Identity => (record ?? {}) as Identity;

/** True for the same record: with the same `id` and the same `self`, of which a record has at least one. */
export const isSameRecord = (one: unknown, other: unknown): boolean => {
  const { id, self } = identityOf(one);
  const { id: otherId, self: otherSelf } = identityOf(other);
  return id === otherId && self === otherSelf && (self ?? id) !== undefined;
};

/**
 * Makes a function that drops the records of a page that one of the latest pages had: they have moved to a
 * later page since, because others were inserted. It is called with the pages of a list in their order.
 *
 * @param remembered - number of pages whose records may repeat
 */
export const createDuplicateFilter = <T>(
  remembered: number,
): (<P extends { readonly items: readonly T[] }>(page: P) => P) => {
  // Records of two kinds may have the same id. A set of each `self` as well would cost more.
  const latest: { readonly ids: ReadonlySet<unknown>; readonly records: readonly T[] }[] = [];
  return (page) => {
    const ids = page.items.map((record) => identityOf(record).id);
    const mayRepeat = latest.filter((earlier) => ids.some((id) => earlier.ids.has(id)));
    const isNew = (record: T): boolean =>
      !mayRepeat.some(
        (earlier) =>
          earlier.ids.has(identityOf(record).id) &&
          earlier.records.some((other) => isSameRecord(record, other)),
      );
    latest.push({ ids: new Set(ids), records: page.items });
    if (latest.length > remembered) latest.shift();
    return mayRepeat.length === 0 ? page : { ...page, items: page.items.filter(isNew) };
  };
};
