import type { ErrorItem } from '../conventions.ts';
import type { ApiErrorInit } from './api-error.ts';

// A hostile body must not become a hostile log line: long strings are cut, and control characters replaced.
const maxMessageLength = 2_000;
// A secret is recognised only as a whole, so this many characters beyond the cut are masked as well.
const maxSecretLength = 8_192;
const maxItems = 1_000;
// Parsing ten megabytes of brackets blocks the event loop for a second.
const maxJsonLength = 2_097_152;

/** Masks the secrets in a string from the server. */
type Clean = (shown: string) => string;

// With those of C1, and the line and paragraph separators of Unicode: some terminals and log viewers act on them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controlCharacters = /[\0-\x1f\x7f-\x9f\u2028\u2029]+/g;

/** The beginning of a string. The word at the cut may be the beginning of a secret, so it is dropped. */
const cut = (value: string): string => {
  if (value.length <= maxMessageLength + maxSecretLength) return value;
  let end = maxMessageLength + maxSecretLength;
  while (end > 0 && !/\s/.test(value.charAt(end - 1))) end--;
  return value.slice(0, end);
};

/** A string from the server as an error shows it, at most 2,000 characters and on one line. */
export const toShown = (value: string, clean: Clean): string =>
  clean(cut(value)).slice(0, maxMessageLength).replace(controlCharacters, ' ');

const toSafeString = (value: unknown, clean: Clean): string | undefined =>
  typeof value === 'string' ? toShown(value, clean) : undefined;

const toItem = (value: unknown, clean: Clean): ErrorItem | undefined => {
  const { field, code, message, reference } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const name = toSafeString(field, clean);
  if (name === undefined) return undefined;
  const detail = toSafeString(message, clean);
  const link = toSafeString(reference, clean);
  return {
    field: name,
    code: toSafeString(code, clean) ?? 'invalid',
    ...(detail === undefined ? {} : { message: detail }),
    ...(link === undefined ? {} : { reference: link }),
  };
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes character references, which may hide a secret. */
const decodeReferences = (markup: string): string =>
  markup.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

/** The title of a page, the only readable part of markup. */
const titleOf = (markup: string, mask: Clean): string | undefined => {
  const opening = /<title[^<>]*>/i.exec(markup);
  if (opening === null) return undefined;
  const rest = cut(markup.slice(opening.index + opening[0].length));
  // Masked first, because a secret may contain the `<` that ends the title.
  const title = /^[^<]*(?=<)/.exec(mask(rest))?.[0];
  return title === undefined ? undefined : decodeReferences(title).trim();
};

const isMarkup = (body: string): boolean => /^\s*</.test(body);

/** A body that is not JSON, as an error shows it: the title of a page, or the beginning of a plain-text body. */
export const showBody = (body: string, mask: Clean): string | undefined =>
  toSafeString(isMarkup(body) ? titleOf(body, mask) : body.trim(), mask) || undefined;

const maxLineLength = 200;

const showFirstLine = (body: string, mask: Clean): string | undefined =>
  showBody(isMarkup(body) ? body : (body.trim().split('\n', 1)[0] ?? ''), mask)?.slice(0, maxLineLength);

/** The summaries of other error bodies: problem details (RFC 9457) and OAuth (RFC 6749 §5.2). */
const otherSummaries = ['detail', 'title', 'error_description', 'error'] as const;

/**
 * Reads an error body (§2.3), or the summary of one in another format. Never throws: an unreadable body has no detail and
 * no items.
 *
 * @param mask - replaces secrets that the server echoes
 */
export const parseErrorBody = (
  body: string,
  mask: Clean = (shown) => shown,
): Pick<ApiErrorInit, 'detail' | 'body' | 'items'> => {
  let value: unknown;
  let written: string;
  // It is not shown either, because its escapes may hide a secret.
  if (body.length > maxJsonLength && /^\s*[[{]/.test(body)) return {};
  try {
    value = JSON.parse(body);
    // Serialized again, so that no secret hides in escapes.
    written = JSON.stringify(value);
  } catch {
    return { detail: showFirstLine(body, mask), body: showBody(body, mask) };
  }
  const record = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { message, errors } = record;
  const items = Array.isArray(errors) ? errors.slice(0, maxItems).map((item) => toItem(item, mask)) : [];
  const other = otherSummaries.map((name) => record[name]).find((summary) => typeof summary === 'string');
  return {
    detail: toSafeString(typeof message === 'string' ? message : other, mask) || undefined,
    body: typeof message === 'string' ? undefined : toSafeString(written, mask),
    items: items.filter((item) => item !== undefined),
  };
};
