import type { ErrorItem } from '../conventions.ts';
import type { ApiErrorInit } from './api-error.ts';

const maxLength = 2_000;
const maxSummaryLength = 200;
const maxItems = 1_000;

/** Masks the secrets in a string from the server. */
type Clean = (shown: string) => string;

// With those of C1, and the line and paragraph separators of Unicode: some terminals and log viewers act on them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controlCharacters = /[\0-\x1f\x7f-\x9f\u2028\u2029]+/g;

/** A string from the server as an error shows it, at most 2,000 characters and on one line. */
export const toShown = (value: string, clean: Clean): string =>
  // A secret is recognised only as a whole, so the string is cut afterwards.
  clean(value).slice(0, maxLength).replace(controlCharacters, ' ');

// An element that does not end reaches to the end of the page, so that the time is linear in its length.
const tags = /<(style|script)\b.*?(?:<\/\1>|$)|<[^>]*>?/gis;

const withoutTags = (text: string): string => (text.startsWith('<') ? text.replace(tags, ' ') : text);

/** The words of a body that is not JSON; of a page, those between its tags. */
export const showBody = (body: string, mask: Clean): string | undefined => {
  // Masked first, because a secret may hold a `<`.
  const words = toShown(body.trim(), (shown) => withoutTags(mask(shown)));
  return words.replace(/\s+/g, ' ').trim() || undefined;
};

const toSafeString = (value: unknown, clean: Clean): string | undefined =>
  typeof value === 'string' ? toShown(value, clean) : undefined;

type Fields = Readonly<Record<string, unknown>>;

const toItem = (value: unknown, clean: Clean): readonly ErrorItem[] => {
  const { field, code, message, reference } = (value ?? {}) as Fields;
  if (typeof field !== 'string') return [];
  const item = {
    field: toShown(field, clean),
    code: toSafeString(code, clean) ?? 'invalid',
    ...(typeof message === 'string' && { message: toShown(message, clean) }),
    ...(typeof reference === 'string' && { reference: toShown(reference, clean) }),
  };
  return [item];
};

/**
 * Reads an error body (§2.3), or the summary of problem details (RFC 9457) or of OAuth (RFC 6749 §5.2). Never throws: an
 * unreadable body has no detail and no items.
 *
 * @param mask - replaces secrets that the server echoes
 */
export const parseErrorBody = (
  body: string,
  mask: Clean = (shown) => shown,
): Pick<ApiErrorInit, 'detail' | 'body' | 'items'> & { readonly oauthError?: string | undefined } => {
  let value: unknown;
  let written: string;
  try {
    value = JSON.parse(body);
    // Serialized again, so that no secret hides in escapes.
    written = JSON.stringify(value);
  } catch {
    const words = showBody(body, mask);
    return { detail: words?.slice(0, maxSummaryLength), body: words };
  }
  const { message, errors, detail, title, error, error_description } = (value ?? {}) as Fields;
  const isOAuth = typeof error === 'string';
  const description =
    isOAuth && typeof error_description === 'string' ? `${error}: ${error_description}` : error;
  const summary = [message, detail, title, description].find((one) => typeof one === 'string');
  return {
    detail: toSafeString(summary, mask) || undefined,
    body: typeof message === 'string' ? undefined : toShown(written, mask),
    items: Array.isArray(errors) ? errors.slice(0, maxItems).flatMap((item) => toItem(item, mask)) : [],
    oauthError: isOAuth ? error : undefined,
  };
};
