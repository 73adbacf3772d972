const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeChar = (char: string): string =>
  escapes[char] ??
  Array.from({ length: char.length }, (_, at) => char.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

// Controls, line separators, and what has no form of its own, as the marks that turn the direction of text; not the
// joiners (U+200C, U+200D), which many scripts and emoji are written with.
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text of a server as a terminal may get it: what a terminal would obey or hide is written as an escape. */
export const printable = (text: string): string => text.replace(unprintable, escapeChar);
