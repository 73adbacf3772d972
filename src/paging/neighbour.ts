import { PagingError } from '../errors/request-error.ts';
import { leavesPath, pageNumberOf, pagePatternOf } from './page-url.ts';
import type { LoadedPage } from './read-ahead.ts';

const writtenOrCounted = ({ url, page }: LoadedPage<unknown>, direction: -1 | 1): string | undefined => {
  const written = direction < 0 ? page.prev : page.next;
  const number = page.number ?? pageNumberOf(url);
  // Behind the last page there is nothing, as far as the list had been longer.
  const last = Math.max(1, page.totalPages ?? Number.POSITIVE_INFINITY);
  if (direction < 0 && number !== undefined && number > last) return pagePatternOf(url)?.(last) ?? written;
  if (written !== undefined || direction > 0 || number === undefined || number <= 1) return written;
  // Without totals the server writes no link back (§4.5.2).
  return pagePatternOf(url)?.(number - 1);
};

/**
 * The URL of the page before or behind another one.
 *
 * @throws {@link PagingError} for a link that leads out of the list
 */
export const neighbourOf = (loaded: LoadedPage<unknown>, direction: -1 | 1): string | undefined => {
  const url = writtenOrCounted(loaded, direction);
  if (url !== undefined && leavesPath(url, loaded.url)) {
    throw new PagingError(`The ${direction < 0 ? 'prev' : 'next'} link leads out of the collection (§4.5)`);
  }
  return url;
};
