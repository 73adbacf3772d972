import { PagingError } from '../errors/restkin-error.ts';
import type { ListPage } from './page.ts';

const pageParameter = /([?&]page=)(\d{1,15})(?=&|#|$)/;

/** Where a URL names its page; null when it does not, or more than one. */
const findPageParameter = (url: string): RegExpExecArray | null => {
  const found = pageParameter.exec(url);
  return found !== null && /[?&]page=/.test(url.slice(found.index + 1)) ? null : found;
};

/** The page number that a URL asks for; undefined when it names none. */
export const pageNumberOf = (url: string): number | undefined => {
  const digits = findPageParameter(url)?.[2];
  return digits === undefined ? undefined : Number(digits);
};

/** Writes the URL of the page of a number. */
export type PagePattern = (number: number) => string;

/** The URLs of other pages, made from one that the server wrote: nothing but the number changes. Undefined when it has none. */
export const pagePatternOf = (url: string): PagePattern | undefined => {
  const found = findPageParameter(url);
  if (found === null) return undefined;
  const [{ length }, before = ''] = found;
  const head = url.slice(0, found.index) + before;
  const tail = url.slice(found.index + length);
  return (number) => `${head}${number}${tail}`;
};

/** The URL of another page where the server wrote none, because a browser hides its links. */
export const toPageUrl = (url: string, number: number): string => {
  const pattern = pagePatternOf(url);
  return pattern === undefined ? `${url}${url.includes('?') ? '&' : '?'}page=${number}` : pattern(number);
};

/** The page size that a URL asks for; undefined when it names none. */
export const perPageOf = (url: string): number | undefined => {
  const digits = /[?&]perPage=(\d{1,15})(?=&|#|$)/.exec(url)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const beforeQuery = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The decoded segments of a path: a server may write `a@b` for `a%40b` (RFC 3986 §6.2.2), but not `a/b` for `a%2Fb`. */
const segmentsOf = ({ pathname }: URL): string => JSON.stringify(pathname.split('/').map(decodeSegment));

/** True when a URL leads to another path of the same origin. Another origin is refused where it would be asked. */
export const leavesPath = (url: string, from: string): boolean => {
  if (beforeQuery(url) === beforeQuery(from)) return false;
  const [target, base] = [new URL(url), new URL(from)];
  return target.origin === base.origin && segmentsOf(target) !== segmentsOf(base);
};

const writtenOrCounted = ({ url, page }: ListPage<unknown>, direction: -1 | 1): string | undefined => {
  const written = direction < 0 ? page.prev : page.next;
  const number = page.number ?? pageNumberOf(url);
  // There is nothing behind the last page, however long the list was before.
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
export const adjacentUrl = (loaded: ListPage<unknown>, direction: -1 | 1): string | undefined => {
  const url = writtenOrCounted(loaded, direction);
  if (url !== undefined && leavesPath(url, loaded.url)) {
    throw new PagingError(`the ${direction < 0 ? 'prev' : 'next'} link leads out of the collection (§4.5)`, {
      url: loaded.url,
    });
  }
  return url;
};
