import { header } from '../conventions/headers.ts';
import { parseHttpDate } from './http-date.ts';
import { parseLink } from './link.ts';

/** What an answer says about the end of its version (§9.4; RFC 9745, RFC 8594). */
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

/** `@1688169599`, a structured field date (RFC 9745 §2.1). */
const parseStructuredDate = (value: string): number | undefined =>
  /^@\d{1,12}$/.test(value) ? Number(value.slice(1)) * 1000 : undefined;

/** Reads `Deprecation` and `Sunset`; undefined when the answer has neither. */
export const parseDeprecation = (headers: Headers): Deprecation | undefined => {
  const deprecated = headers.get(header.deprecation);
  const sunset = headers.get(header.sunset);
  if (deprecated === null && sunset === null) return undefined;
  return {
    since: toDate(parseStructuredDate(deprecated?.trim() ?? '')),
    sunset: toDate(parseHttpDate(sunset?.trim() ?? '')),
    successor: parseLink(headers.get(header.link) ?? '')?.get('successor-version'),
  };
};
