import { type ErrorItem, errorBodyNames } from '../conventions.ts';
import type { ApiErrorInit } from './api-error.ts';

/**
 * Replaces secrets in a string before an error or an event shows it.
 *
 * @param shortest - length of the shortest secret that is replaced; 4 by default
 * @param length - how much of the string is wanted, in its own characters; the rest is left out
 */
export type Mask = (shown: string, shortest?: number, length?: number) => string;

const maxLength = 2_000;
const maxSummaryLength = 200;
const maxItems = 1_000;

// With those of C1, and the line and paragraph separators of Unicode: some terminals and log viewers act on
// them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controlCharacters = /[\0-\x1f\x7f-\x9f\u2028\u2029]+/g;

/**
 * A string from the server as an error shows it, at most 2,000 characters and on one line.
 *
 * @param shortest - of the secrets that are masked
 * @param clean - removes what is not shown, once the secrets are masked
 */
export const toShown = (
  value: string,
  mask: Mask,
  shortest?: number,
  clean = (masked: string): string => masked,
): string => {
  // Masking takes seconds for a body of many megabytes, and its beginning mostly has enough to show.
  let length = maxLength;
  let shown: string;
  do {
    length *= 8;
    // A secret is recognised only as a whole, so the string is cut afterwards.
    shown = clean(mask(value, shortest, length)).slice(0, maxLength);
  } while (shown.length < maxLength && length < value.length);
  // Once more, because what was removed may have stood in the middle of a secret.
  return mask(shown.replace(controlCharacters, ' '), shortest);
};

// An element that does not end reaches to the end of the page, so that the time is linear in its length.
const tags = /<(style|script)\b.*?(?:<\/\1>|$)|<[^>]*>?/gis;

const toWords = (text: string): string =>
  (text.startsWith('<') ? text.replace(tags, ' ') : text).replace(/\s+/g, ' ');

/** The words of a body that is not JSON; of a page, those between its tags. */
export const showBody = (body: string, mask: Mask): string | undefined =>
  // Masked first, because a secret may hold a `<`.
  toShown(body.trim(), mask, undefined, toWords).trim() || undefined;

type Fields = Readonly<Record<string, unknown>>;

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/**
 * The items of a list; undefined for anything else. PHP writes a list with gaps as an object with numbers for
 * keys.
 */
export const listOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value;
  const entries = Object.entries(toFields(value));
  const isList = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  return isList ? entries.map(([, item]) => item) : undefined;
};

/** What an error says: a string, or strings in a list; undefined for anything else, and for an empty one. */
const messageOf = (value: unknown): string | undefined => {
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const areStrings = messages.length > 0 && messages.every((one) => typeof one === 'string' && one !== '');
  return areStrings ? messages.join('; ') : undefined;
};

/** An item of a validation failure; undefined for a value that says nothing of the kind. */
const toItem = (value: unknown, show: (text: string) => string): ErrorItem | undefined => {
  const given = toFields(value);
  const field = messageOf(given[errorBodyNames.field]);
  const code = messageOf(given[errorBodyNames.code]);
  const message = messageOf(given[errorBodyNames.itemMessage]);
  const reference = messageOf(given[errorBodyNames.reference]);
  if (field === undefined && code === undefined && message === undefined) return undefined;
  return {
    field: show(field ?? ''),
    ...(code !== undefined && { code: show(code) }),
    ...(message !== undefined && { message: show(message) }),
    ...(reference !== undefined && { reference: show(reference) }),
  };
};

/** The error of OAuth (RFC 6749 §5.2) with its description, or that of CouchDB with its reason. */
const codeMessage = ({
  error,
  reason,
  error_description: description = reason,
}: Fields): string | undefined => {
  if (typeof error !== 'string') return undefined;
  return typeof description === 'string' ? `${error}: ${description}` : error;
};

/** What an error body says. */
export interface ParsedErrorBody extends Pick<ApiErrorInit, 'detail' | 'body' | 'items'> {
  /**
   * True for a body in the form of the API: with the `message` of §7.2.2, or JSON of a family. A gateway or
   * another server sends one of another form.
   */
  readonly isOwn: boolean;
  /** The code of an error of OAuth (RFC 6749 §5.2). */
  readonly oauthError?: string | undefined;
}

/** The items of an error body, which a family has elsewhere than the conventions. */
export type ReadItems = (body: unknown) => readonly unknown[];

/** Where an error has its summary: in `message`, or as problem details have it (RFC 9457). */
const summariesIn = ({ message, detail, title }: Fields): readonly unknown[] => [message, detail, title];

/** What {@link parseErrorBody} reads. */
interface ErrorBodyRules {
  /** Replaces secrets that the server echoes. */
  readonly mask: Mask;
  /** Finds the items where a family has them; those of §2.3 by default. */
  readonly readItems?: ReadItems | undefined;
  /** False for the statuses whose errors have no items. */
  readonly hasItems?: boolean;
}

const readJson = (
  value: unknown,
  written: string,
  { mask, readItems, hasItems = true }: ErrorBodyRules,
): ParsedErrorBody => {
  const show = (text: string): string => toShown(text, mask);
  const fields = toFields(value);
  const { error } = fields;
  const message = fields[errorBodyNames.message];
  const given = listOf(fields[errorBodyNames.items]) ?? fields[errorBodyNames.items];

  const hasMessage = typeof message === 'string' && message !== '';
  // Some servers have their summary in the first of a list, as Directus, GraphQL and those of JSON:API.
  const first = toFields(Array.isArray(given) ? given[0] : undefined);
  const summary = [
    ...summariesIn(fields),
    toFields(error).message,
    codeMessage(fields),
    ...summariesIn(first),
  ]
    .map(messageOf)
    .find(Boolean);
  const found = readItems === undefined ? given : readItems(value);
  const list: readonly unknown[] = Array.isArray(found) ? found.slice(0, maxItems) : [];
  const items = list.map((item) => toItem(item, show)).filter((item) => item !== undefined);
  // Whatever the error has nowhere else stays readable in `body`.
  const isListRead = given === undefined || (Array.isArray(given) && items.length === list.length);
  const hasMore = Object.keys(fields).length > (given === undefined ? 1 : 2);
  const isAllRead = isListRead && hasMessage && !hasMore && (hasItems || given === undefined);
  return {
    detail: summary === undefined ? undefined : show(summary),
    body: isAllRead ? undefined : show(written),
    items,
    isOwn: readItems === undefined ? hasMessage : typeof value === 'object',
    oauthError: typeof error === 'string' ? error : undefined,
  };
};

/**
 * Reads an error body (§2.3), or the summary of problem details (RFC 9457), of OAuth (RFC 6749 §5.2) or of
 * other usual formats. Never throws: an unreadable body has no detail and no items.
 */
export const parseErrorBody = (body: string, rules: ErrorBodyRules): ParsedErrorBody => {
  let value: unknown;
  let written: string;
  try {
    value = JSON.parse(body);
    // Serialized again, so that no secret hides in escapes.
    written = JSON.stringify(value);
  } catch {
    const words = showBody(body, rules.mask);
    return { detail: words?.slice(0, maxSummaryLength), body: words, isOwn: false };
  }
  return readJson(value, written, rules);
};
