import { header, paginationHeader } from '../src/conventions/headers.ts';
import { methodRules } from '../src/conventions/methods.ts';
import type { HeaderFields } from './error-answer.ts';

/** Fields that a browser hides from a page of another origin unless they are named (Fetch §3.3.4). */
const exposed: readonly string[] = [
  header.link,
  ...Object.values(paginationHeader),
  header.location,
  header.etag,
  header.lastModified,
  header.retryAfter,
  header.deprecation,
  header.sunset,
  header.accept,
  header.allow,
  header.wwwAuthenticate,
];

/** Fields that a client of the conventions sends. `*` would not stand for `Authorization`. */
const sent: readonly string[] = [
  header.authorization,
  header.accept,
  header.contentType,
  header.ifNoneMatch,
  header.ifModifiedSince,
  header.modifiedSince,
];

const requestMethodField = 'access-control-request-method';
const requestHeadersField = 'access-control-request-headers';

/** Header fields of a request as a server has them. */
export type SentFields = Readonly<Record<string, string | readonly string[] | undefined>>;

const textOf = (field: SentFields[string]): string =>
  typeof field === 'string' ? field : (field?.join() ?? '');

const exposedFields: HeaderFields = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
};

const none: HeaderFields = {};

/** What lets a page of another origin read an answer; nothing for a request that no page of another origin sent. */
export const corsFields = (request: SentFields): HeaderFields =>
  request.origin === undefined ? none : exposedFields;

/**
 * The header fields of the answer to a preflight; undefined for any other request. OPTIONS is a method of the
 * conventions too (§4.2): only the two fields that a browser adds make it a preflight.
 */
export const preflightFields = (method: string, request: SentFields): HeaderFields | undefined => {
  const isPreflight =
    method === 'OPTIONS' && request.origin !== undefined && request[requestMethodField] !== undefined;
  if (!isPreflight) return undefined;
  const wanted = textOf(request[requestHeadersField]).toLowerCase().split(',');
  const allowed = new Set([
    ...sent,
    ...wanted.map((name) => name.trim()).filter((name) => /^[\w-]+$/.test(name)),
  ]);
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': Object.keys(methodRules).join(', '),
    'access-control-allow-headers': [...allowed].join(', '),
    'access-control-max-age': '600',
    // A page of the public web that asks this machine, where a browser wants to know that it may.
    ...(request['access-control-request-private-network'] !== undefined && {
      'access-control-allow-private-network': 'true',
    }),
  };
};
