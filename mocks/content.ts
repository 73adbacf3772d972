import { header, jsonType } from '../src/conventions.ts';
import { Refusal } from './message.ts';

const mediaType = (field: string): string => field.split(';', 1)[0]?.trim().toLowerCase() ?? '';

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
  const isAccepted =
    accept.trim() === '' || accept.split(',').some((range) => acceptableTypes.has(mediaType(range)));
  if (!isAccepted) throw new Refusal(method === 'GET' ? 406 : 415, `Only ${jsonType} is available`);
};

/** @throws {@link Refusal} 415 for a request body of another content type (§7.1) */
export const checkContentType = ({ headers }: Request, wanted: string): void => {
  const sent = mediaType(headers.get(header.contentType) ?? '');
  const isJsonLike = wanted === jsonType && /^[^/\s]+\/[^/\s]+\+json$/.test(sent);
  if (sent !== wanted && !isJsonLike) throw new Refusal(415, `The request body must be ${wanted}`);
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
  const isJson = /\bjson\b/i.test(headers.get(header.contentType) ?? '');
  try {
    return { text, json: isJson ? JSON.parse(text) : undefined };
  } catch {
    return { text, json: undefined };
  }
};
