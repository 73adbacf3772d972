import { header, jsonType } from '../../src/conventions.ts';
import type { Incoming } from './message.ts';
import { Refusal } from './message.ts';

const mediaType = (field: string): string => field.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** A comma or a semicolon inside of a quoted string separates nothing (RFC 9110 §5.6.4). */
const withoutQuoted = (field: string): string => field.replace(/"(?:[^"\\]|\\.?)*(?:"|$)/g, '""');

const isRefused = (range: string): boolean => /;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(range);

const acceptableTypes: ReadonlySet<string> = new Set([jsonType, 'application/*', '*/*']);

/** RFC 9110 §12.5.1: the most specific range that names JSON decides. */
const acceptsJson = (field: string): boolean => {
  const ranges = withoutQuoted(field)
    .split(',')
    .filter((range) => acceptableTypes.has(mediaType(range)));
  const specific = ranges.toSorted(
    (a, b) => mediaType(a).split('*').length - mediaType(b).split('*').length,
  )[0];
  return specific !== undefined && !isRefused(specific);
};

/**
 * Checks that the client takes JSON, which is all that the mock has (§4.3).
 *
 * §4.3.4 has 415 when no type in `Accept` is supported, and §7.1 has 406 for a GET whose client does not
 * accept the content type of the resource: the two overlap. Here GET is 406 and every other method 415.
 *
 * @throws {@link Refusal} 406 or 415
 */
export const checkAccept = (request: Incoming): void => {
  const accept = request.headers.get(header.accept);
  if (accept === null || accept.trim() === '' || acceptsJson(accept)) return;
  throw new Refusal(request.method === 'GET' ? 406 : 415, `Only ${jsonType} is available`);
};

const charsetOf = (field: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(field)?.[1]?.toLowerCase();

const utf8: ReadonlySet<string | undefined> = new Set([undefined, 'utf-8', 'utf8']);

/**
 * Checks the content type of a request body (§7.1), its charset and its content coding (RFC 9110 §8.4).
 *
 * @throws {@link Refusal} 415
 */
export const checkContentType = ({ headers }: Incoming, wanted: string): void => {
  const field = headers.get(header.contentType) ?? '';
  const sent = mediaType(field);
  const isJsonLike = wanted === jsonType && /^[^/\s]+\/[^/\s]+\+json$/.test(sent);
  if (sent !== wanted && !isJsonLike) throw new Refusal(415, `The request body must be ${wanted}`);
  if (!utf8.has(charsetOf(field))) throw new Refusal(415, 'The charset of the request body must be utf-8');
  const coding = headers.get(header.contentEncoding)?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new Refusal(415, 'The request body must have no content coding');
};
