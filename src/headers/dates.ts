import { header } from '../conventions.ts';
import { parseLink } from './paging.ts';

const imfFixdate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads an HTTP date (RFC 9110 §5.6.7). Its obsolete forms are not read. */
export const parseHttpDate = (value: string): Date | undefined => {
  const date = new Date(imfFixdate.test(value) ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/**
 * `Retry-After` of a response (RFC 9110 §10.2.3), in milliseconds; undefined for a value that is neither
 * seconds nor a date. A date counts from the server's `Date` header, because the clock of this machine may be
 * wrong.
 */
export const readRetryAfter = (headers: Headers): number | undefined => {
  const value = headers.get(header.retryAfter)?.trim() ?? '';
  // Shopify sends `2.0`. `fetch` joins the values of a header that a proxy added once more.
  const seconds = /^(\d+(?:\.\d+)?)(?:, *\1)*$/.exec(value)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const date = parseHttpDate(value);
  const now = parseHttpDate(headers.get(header.date) ?? '') ?? new Date();
  return date && Math.max(0, date.getTime() - now.getTime());
};

/**
 * What a response says about the end of its version, or a newer one (§9.4; RFC 9745, RFC 8594, RFC 5829); see
 * {@link Observers}.
 */
export type Deprecation = {
  /** Since when the version is deprecated; undefined when the server gives no date. */
  readonly since: Date | undefined;
  /** When it is expected to stop responding; undefined when the server does not say. */
  readonly sunset: Date | undefined;
  /** Link to the version that replaces it, as the server wrote it; undefined when there is none. */
  readonly successor: string | undefined;
};

/**
 * Reads `Deprecation`, `Sunset` and the link to a successor; undefined when the response has none of them.
 */
export const parseDeprecation = (headers: Headers): Deprecation | undefined => {
  const deprecated = headers.get(header.deprecation)?.trim() ?? '';
  // A structured field date (RFC 9745 §2.1). The drafts had `true`.
  const since = /^@\d{1,12}$/.test(deprecated) ? new Date(Number(deprecated.slice(1)) * 1000) : undefined;
  const sunset = parseHttpDate(headers.get(header.sunset)?.trim() ?? '');
  const successor = parseLink(headers.get(header.link) ?? '')?.get('successor-version');
  if (deprecated === '' && sunset === undefined && successor === undefined) return undefined;
  return { since, sunset, successor };
};
