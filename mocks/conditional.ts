import { header } from '../src/conventions/headers.ts';
import { type HeaderFields, jsonAnswer } from './error-answer.ts';

const tagLength = 32;

/** A strong entity tag: a hash of the representation (RFC 9110 §8.8.3). */
const formatTag = async (representation: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(representation));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `"${hex.slice(0, tagLength)}"`;
};

/** RFC 9110 §13.1.2: the weak comparison, over a list of tags or `*`. */
const matchesTag = (field: string, tag: string): boolean =>
  field.trim() === '*' || field.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);

const isUnchangedSince = (field: string, changedAt: number): boolean => {
  const since = Date.parse(field);
  // The field counts whole seconds (RFC 9110 §5.6.7).
  return !Number.isNaN(since) && Math.floor(changedAt / 1000) * 1000 <= since;
};

const isUnchanged = (request: Headers, tag: string, changedAt: number | undefined): boolean => {
  const tags = request.get(header.ifNoneMatch);
  // RFC 9110 §13.1.3: If-None-Match is the more exact one, the date is not asked then.
  if (tags !== null) return matchesTag(tags, tag);
  const since = request.get(header.modifiedSince) ?? request.get(header.ifModifiedSince);
  return since !== null && changedAt !== undefined && isUnchangedSince(since, changedAt);
};

/** The answer to a GET: 200, or 304 without a body when the client has this representation (§7.1). */
export const conditionalAnswer = async (
  request: Headers,
  body: string,
  headers: HeaderFields,
  changedAt?: number,
): Promise<Response> => {
  const tag = await formatTag(JSON.stringify(headers) + body);
  const validators: HeaderFields = {
    ...headers,
    [header.etag]: tag,
    ...(changedAt === undefined ? {} : { [header.lastModified]: new Date(changedAt).toUTCString() }),
  };
  return isUnchanged(request, tag, changedAt)
    ? new Response(null, { status: 304, headers: validators })
    : jsonAnswer(200, body, validators);
};
