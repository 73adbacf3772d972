// Where a page stands in a list whose pages have a total at most: the family says that numbers lead on.

interface CountedPage {
  readonly items: readonly unknown[];
  readonly numbers: { readonly totalCount: number | undefined };
}

/** What is known of the pages up to this one. */
interface CountedPages {
  readonly pages: number;
  /** Records, those that repeat included. */
  readonly records: number;
  /** Records on the page that has most of them. */
  readonly mostRecords: number;
}

interface CountedList {
  /** Whether the list was read from its first page on. */
  readonly isFromStart: boolean;
  /** The page size that the query asks for; undefined when it asks for none. */
  readonly perPage: number | undefined;
  /** The largest page size that the collection declares; undefined when it declares none. */
  readonly maxPerPage: number | undefined;
}

/**
 * Where a page stands, by the total alone; undefined where that is not known. It is not known of a list that
 * began at a later page, if this page does not have the size of the query and the server may have lowered it
 * without a sign: the page may be the rest of the list, or a full page. No server lowers a size up to the
 * largest one that the collection declares. A total below the records that came is wrong, and says nothing.
 * Of a list that began at a later page, full pages up to this one show it too. Any other page may be the last
 * one, which a server gives in place of those beyond the end.
 */
export type PositionByTotal = (
  page: CountedPage,
  number: number,
  seen: CountedPages,
  list: CountedList,
) => 'last' | 'earlier' | undefined;

/** @param clampsSize - whether the server lowers a size without a sign */
export const createPositionByTotal =
  (clampsSize: boolean): PositionByTotal =>
  ({ items, numbers: { totalCount = 0 } }, number, seen, { isFromStart, perPage, maxPerPage = 0 }) => {
    if (seen.records > totalCount) return undefined;
    if (isFromStart) return seen.records === totalCount ? 'last' : 'earlier';
    const isFirst = seen.pages === 1;
    const size = isFirst ? perPage : seen.mostRecords;
    const upToHere = number * items.length;
    if (upToHere > totalCount && items.length === size) return undefined;
    if (upToHere >= totalCount) return 'last';
    if (items.length === size) return 'earlier';
    if (size === undefined || (isFirst && clampsSize && size > maxPerPage)) return undefined;
    return (number - 1) * size + items.length === totalCount ? 'last' : undefined;
  };
