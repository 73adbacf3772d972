import { header } from '../conventions.ts';
import { parseHttpDate } from './http-date.ts';
import { parseLink } from './link.ts';

/** What an answer says about the end of its version, or a newer one (§9.4; RFC 9745, RFC 8594, RFC 5829). */
export interface Deprecation {
  /** Since when the version is deprecated; undefined when the server gives no date. */
  readonly since: Date | undefined;
  /** When it is expected to stop answering; undefined when the server does not say. */
  readonly sunset: Date | undefined;
  /** Where the server links to for its successor, as written. */
  readonly successor: string | undefined;
}

const toDate = (time: number | undefined): Date | undefined =>
  time === undefined ? undefined : new Date(time);

// A server may deny it: RFC 9745 knows dates alone, and drafts before it had `true`.
const denial = /^(?:\?0|false)?$/i;

/** `@1688169599`, a structured field date (RFC 9745 §2.1). */
const parseStructuredDate = (value: string): number | undefined =>
  /^@\d{1,12}$/.test(value) ? Number(value.slice(1)) * 1000 : undefined;

const successorRelation = 'successor-version';

/** The link to a newer version (RFC 5829 §3); the field is scanned only when it names the relation. */
const successorOf = (link: string): string | undefined =>
  link.includes(successorRelation) ? parseLink(link)?.get(successorRelation) : undefined;

/**
 * Reads `Deprecation`, `Sunset` and the link to a successor; undefined when the answer has none of them. A `Deprecation`
 * without a date that can be read says that there is one; a `Sunset` without one says nothing (RFC 8594 §3).
 */
export const parseDeprecation = (headers: Headers): Deprecation | undefined => {
  const deprecated = headers.get(header.deprecation)?.trim() ?? '';
  const sunset = toDate(parseHttpDate(headers.get(header.sunset)?.trim() ?? ''));
  const successor = successorOf(headers.get(header.link) ?? '');
  if (denial.test(deprecated) && sunset === undefined && successor === undefined) return undefined;
  return { since: toDate(parseStructuredDate(deprecated)), sunset, successor };
};
