import { header } from '../conventions.ts';
import { parseLink } from './paging.ts';

const imfFixdate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Reads an HTTP date in any of its three forms (RFC 9110 §5.6.7), as milliseconds since the epoch. */
export const parseHttpDate = (value: string): number | undefined => {
  // `Date.parse` takes asctime as local time; HTTP means UTC.
  const isAsctime = asctimeDate.test(value);
  if (!isAsctime && !imfFixdate.test(value) && !rfc850Date.test(value)) return undefined;
  const time = Date.parse(isAsctime ? `${value} GMT` : value);
  return Number.isNaN(time) ? undefined : time;
};

/**
 * `Retry-After` of a response (RFC 9110 §10.2.3), in milliseconds: 0 for a date in the past, `Infinity` for hundreds of
 * digits, undefined for a value that is neither seconds nor a date. A date counts from the server's `Date` header, because
 * the clock of this machine may be wrong. This clock is used only without that header, which a browser may hide.
 */
export const readRetryAfter = (headers: Headers): number | undefined => {
  const value = headers.get(header.retryAfter)?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = parseHttpDate(value);
  const now = parseHttpDate(headers.get(header.date) ?? '') ?? Date.now();
  return date === undefined ? undefined : Math.max(0, date - now);
};

/**
 * What a response says about the end of its version, or a newer one (§9.4; RFC 9745, RFC 8594, RFC 5829); see
 * {@link Observers}.
 */
export interface Deprecation {
  /** Since when the version is deprecated; undefined when the server gives no date. */
  readonly since: Date | undefined;
  /** When it is expected to stop responding; undefined when the server does not say. */
  readonly sunset: Date | undefined;
  /** Link to the version that replaces it, as the server wrote it; undefined when there is none. */
  readonly successor: string | undefined;
}

const toDate = (time: number | undefined): Date | undefined =>
  time === undefined ? undefined : new Date(time);

// Not deprecated: no header, or a false value. RFC 9745 has only dates, but its drafts had booleans.
const denial = /^(?:\?0|false)?$/i;

/** `@1688169599`, a structured field date (RFC 9745 §2.1). */
const structuredDate = /^@\d{1,12}$/;

// RFC 5829 §3.
const successorRelation = 'successor-version';

/**
 * Reads `Deprecation`, `Sunset` and the link to a successor; undefined when the response has none of them. A
 * `Deprecation` with an unreadable date still marks the version as deprecated. An unreadable `Sunset` is ignored (RFC 8594 §3).
 */
export const parseDeprecation = (headers: Headers): Deprecation | undefined => {
  const deprecated = headers.get(header.deprecation)?.trim() ?? '';
  const since = structuredDate.test(deprecated) ? Number(deprecated.slice(1)) * 1000 : undefined;
  const sunset = parseHttpDate(headers.get(header.sunset)?.trim() ?? '');
  const link = headers.get(header.link) ?? '';
  const namesSuccessor = link.toLowerCase().includes(successorRelation);
  const successor = namesSuccessor ? parseLink(link)?.get(successorRelation) : undefined;
  if (denial.test(deprecated) && sunset === undefined && successor === undefined) return undefined;
  return { since: toDate(since), sunset: toDate(sunset), successor };
};
