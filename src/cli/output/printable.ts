const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeChar = (char: string): string =>
  escapes[char] ??
  Array.from({ length: char.length }, (_, at) => char.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

// Controls, line separators and invisible characters, such as those that change the direction of writing. The joiners
// (U+200C, U+200D) stay: many scripts and emoji need them.
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A string of a server, safe for a terminal: characters that a terminal obeys or hides are written as escapes. */
export const printable = (value: string): string => value.replace(unprintable, escapeChar);
