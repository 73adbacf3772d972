// The name for the size of a page, where that of the nearest preset has no effect.
import type { QueryNames, WholeFamily } from '../../families/family.ts';
import type { Row } from './evidence.ts';
import { cursorOf } from './list.ts';
import { isSizeShown } from './names.ts';
import type { Observe, SeenResponse } from './observe.ts';
import { isByOffset } from './offset.ts';
import { isBare, rowsOf, secondPage, tryToObserve } from './probes.ts';
import { proveNames } from './proof.ts';

/** The usual names, each of which costs a request. */
const usualNames = ['limit', 'per_page', 'pageSize', 'page_size', 'size', 'perPage', 'page[size]', 'count'];

/** The names that had an effect, with the page that shows it; and those of the size that were tried. */
interface SeenSize {
  readonly query: QueryNames | undefined;
  readonly second: SeenResponse | undefined;
  readonly tried: readonly string[];
}

/** True where a page of one record can show a name that nothing else shows. */
const canBeShown = (first: SeenResponse, { perPage }: QueryNames): boolean =>
  !isSizeShown(first, perPage) && !isBare(first) && !isByOffset(first) && cursorOf([first]) === undefined;

/**
 * Asks for a second page of one record by the usual names, until one has an effect.
 *
 * @param family - whose names were tried before
 * @param second - what they led to
 */
export const findSizeName = async (
  first: SeenResponse,
  rows: readonly Row[],
  family: WholeFamily,
  second: SeenResponse | undefined,
  observe: Observe,
): Promise<SeenSize> => {
  const { query } = family;
  const { isOther, isOne } = proveNames(rows, second && rowsOf(second));
  const isKnown = rows.length < 2 || (isOther && isOne);
  if (isKnown || !(isOther || canBeShown(first, query))) return { query: undefined, second, tried: [] };
  const others = usualNames.filter((name) => name !== query.perPage);
  for (const perPage of others) {
    // JSON:API names both in this way.
    const page = perPage === 'page[size]' ? { page: 'page[number]' } : {};
    const names = { ...query, ...page, perPage };
    const url = secondPage(first.url, { ...family, query: names, listParameters: {} });
    const seen = await tryToObserve(url, observe);
    const proof = proveNames(rows, seen && rowsOf(seen));
    if (proof.isOther && proof.isOne) return { query: names, second: seen, tried: [] };
  }
  return { query: undefined, second, tried: [query.perPage ?? [], others].flat() };
};
