import type { Page, Pages } from './page.ts';

/** What tells a record from the others of a list: its `self`, or its id where it has none. Undefined without either. */
export const identityOf = (record: unknown): unknown => {
  const { self, id } = (record ?? {}) as { readonly self?: unknown; readonly id?: unknown };
  return self ?? id;
};

/**
 * Drops records that one of the latest pages had: they have moved to a later page since, because others were inserted.
 *
 * @param remembered - number of pages whose records may repeat
 */
export async function* unique<T>(
  pages: Pages<T>,
  remembered: number,
): AsyncGenerator<Page<T>, void, undefined> {
  const latest: Set<unknown>[] = [];
  const isRepeated = (record: T): boolean => {
    const identity = identityOf(record);
    return identity !== undefined && latest.some((identities) => identities.has(identity));
  };
  for await (const page of pages) {
    const items = page.items.filter((record) => !isRepeated(record));
    latest.push(new Set(page.items.map(identityOf)));
    if (latest.length > remembered) latest.shift();
    yield { ...page, items };
  }
}
