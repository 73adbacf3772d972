import { header, jsonType } from '../src/conventions.ts';
import { Refusal } from './message.ts';

const mediaType = (field: string): string => field.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const refusedRange = /;\s*q=0(?:\.0*)?\s*(?:;|$)/i;

const acceptableTypes: ReadonlySet<string> = new Set([jsonType, 'application/*', '*/*']);

/**
 * Checks that the client takes JSON, which is all that the mock has (§4.3).
 *
 * §4.3.4 has 415 when no type in `Accept` is supported, and §7.1 has 406 for a GET whose client does not
 * accept the content type of the resource: the two overlap. Here GET is 406 and every other method 415.
 *
 * @throws {@link Refusal} 406 or 415
 */
export const checkAccept = ({ method, headers }: Request): void => {
  const accept = headers.get(header.accept) ?? '';
  // RFC 9110 §12.5.1: the most specific range that names JSON decides.
  const [range] = accept
    .split(',')
    .filter((one) => acceptableTypes.has(mediaType(one)))
    .toSorted((a, b) => mediaType(a).split('*').length - mediaType(b).split('*').length);
  const isAccepted = range === undefined ? accept.trim() === '' : !refusedRange.test(range);
  if (!isAccepted) throw new Refusal(method === 'GET' ? 406 : 415, `Only ${jsonType} is available`);
};

/** A charset other than UTF-8. */
const otherCharset = /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i;

/**
 * Checks the content type of a request body (§7.1), its charset and its content coding (RFC 9110 §8.4).
 *
 * @throws {@link Refusal} 415
 */
export const checkContentType = ({ headers }: Request, wanted: string): void => {
  const field = headers.get(header.contentType) ?? '';
  const sent = mediaType(field);
  const isJsonLike = wanted === jsonType && /^[^/\s]+\/[^/\s]+\+json$/.test(sent);
  if (sent !== wanted && !isJsonLike) throw new Refusal(415, `The request body must be ${wanted}`);
  if (otherCharset.test(field)) throw new Refusal(415, 'The charset of the request body must be utf-8');
  const coding = headers.get(header.contentEncoding) ?? 'identity';
  if (coding !== 'identity') throw new Refusal(415, 'The request body must have no content coding');
};

/** A body that was read, parsed once for the operation and the log. */
export interface Content {
  readonly text: string;
  /** Undefined for anything but JSON. */
  readonly json: unknown;
}

/**
 * Reads a body that is JSON by its content type, or a form.
 *
 * @throws {@link Refusal} 400 for a body that is cut off
 */
export const readContent = async (request: Request): Promise<Content> => {
  const { headers, signal } = request;
  const text = await request.text().catch(() => {
    signal.throwIfAborted();
    throw new Refusal(400, 'The request body is cut off');
  });
  try {
    return {
      text,
      json: /\bjson\b/i.test(headers.get(header.contentType) ?? '') ? JSON.parse(text) : undefined,
    };
  } catch {
    return { text, json: undefined };
  }
};
