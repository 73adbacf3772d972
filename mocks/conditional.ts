import { header } from '../src/conventions/headers.ts';
import { type HeaderFields, jsonAnswer } from './error-answer.ts';

/** Two hashes of 32 bits over a text, with the last step of MurmurHash3. */
const hash = (text: string): readonly [number, number] => {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 2654435761);
    second = Math.imul(second ^ unit, 1597334677);
  }
  first = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  second = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909);
  return [first >>> 0, second >>> 0];
};

/** A strong entity tag (RFC 9110 §8.8.3): a hash of the representation, against accident and not against attack. */
const formatTag = (representation: string): string =>
  `"${hash(representation)
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')}"`;

/** RFC 9110 §13.1.2: the weak comparison, over a list of tags or `*`. */
const matchesTag = (field: string, tag: string): boolean =>
  field.trim() === '*' || field.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);

/** When a representation last changed, and the time it is sent at, in milliseconds. */
export interface Age {
  readonly changedAt: number;
  readonly now: number;
}

/**
 * The date in whole seconds (RFC 9110 §5.6.7) of a change: the end of its second, which no earlier version can have. Until
 * that second is over it is its beginning, which matches nothing: the resource may change once more in it.
 */
const lastModifiedOf = ({ changedAt, now }: Age): number => {
  const second = Math.floor(changedAt / 1000) * 1000;
  return second + 1000 <= now ? second + 1000 : second;
};

const isUnchangedSince = (field: string, changedAt: number): boolean => changedAt < Date.parse(field);

const isUnchanged = (request: Headers, tag: string, changedAt: number | undefined): boolean => {
  const tags = request.get(header.ifNoneMatch);
  // RFC 9110 §13.1.3: If-None-Match is the more exact one, the date is ignored then.
  if (tags !== null) return matchesTag(tags, tag);
  // §7.1 names this field, and not If-Modified-Since.
  const since = request.get(header.modifiedSince);
  return since !== null && changedAt !== undefined && isUnchangedSince(since, changedAt);
};

/** The response to a GET: 200, or 304 without a body when the client has this representation (§7.1). */
export const conditionalAnswer = (
  request: Headers,
  body: string,
  headers: HeaderFields,
  age?: Age,
): Response => {
  const tag = formatTag(JSON.stringify(headers) + body);
  const validators: HeaderFields = {
    ...headers,
    [header.etag]: tag,
    ...(age && { [header.lastModified]: new Date(lastModifiedOf(age)).toUTCString() }),
  };
  return isUnchanged(request, tag, age?.changedAt)
    ? new Response(null, { status: 304, headers: validators })
    : jsonAnswer(200, body, validators);
};
