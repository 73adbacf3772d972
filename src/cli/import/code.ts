import { toUnicodeEscapes } from '../io.ts';

/** Longer lists stand on several lines. */
const width = 90;

const importMark = '\u0001';

const referenceMark = '\u0002';

/** Marks a constant that is evaluated later, so that it may be declared later. */
const laterMark = '\u0003';

/** A name that the program imports. Neither a literal nor a comment can hold its mark. */
export const imported = (name: string): string => importMark + name;

/** A constant by its key, until its name is known. */
export const constant = (key: string): string => referenceMark + key + referenceMark;

const references = new RegExp(`${referenceMark}([^${referenceMark}]*)${referenceMark}`, 'g');

/** An expression that is evaluated when everything is declared. */
export const later = (code: string): string => code.replaceAll(referenceMark, laterMark);

export const constantsIn = (code: string): readonly string[] =>
  Array.from(code.matchAll(references), ([, key = '']) => key);

/** The program with the names of its constants, and the names that it imports. */
export const finishCode = (code: string, nameOf: (key: string) => string) => {
  const named = code
    .replaceAll(laterMark, referenceMark)
    .replace(references, (_, key: string) => nameOf(key));
  const names = new Set(
    Array.from(named.matchAll(new RegExp(`${importMark}(\\w+)`, 'g')), ([, name = '']) => name),
  );
  return { code: named.replaceAll(importMark, ''), names };
};

/** Escapes invisible characters of a literal, and those that change the order in which an editor shows the others. */
export const escapeInvisible = (literal: string): string =>
  literal.replace(/[\u2028\u2029\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, toUnicodeEscapes);

/** A string as a literal in single quotes. */
export const quote = (value: string): string => {
  const escaped = escapeInvisible(JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"'));
  return value.includes("'") && !value.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
};

/** A string of the document as one line of a comment. */
export const toComment = (value: string, most = 160): string => {
  const line = value
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('*/', '* /')
    .trim();
  return line.length > most ? `${line.slice(0, most).replace(/\s+\S*$/, '')} …` : line;
};

export const docComment = (description: string | undefined): readonly string[] => {
  const comment = toComment(description ?? '');
  return comment === '' ? [] : [`/** ${comment} */`];
};

export const indent = (lines: string): string => lines.replace(/^(?=.)/gm, '  ');

/** A list between brackets, on one line if it is short. A part may have comments above it, or be comments alone. */
const between = (open: string, parts: readonly string[], close: string): string => {
  if (parts.length === 0) return open + close;
  const pad = open === '{' ? ' ' : '';
  const line = open + pad + parts.join(', ') + pad + close;
  if (line.length <= width && !line.includes('\n') && !line.includes('//')) return line;
  const lines = parts.map((part) => (/(?:^|\n)\/\/[^\n]*$/.test(part) ? part : `${part},`));
  return [open, ...lines.map(indent), close].join('\n');
};

export const braces = (parts: readonly string[]): string => between('{', parts, '}');

export const brackets = (parts: readonly string[]): string => between('[', parts, ']');

/** The name of a member, as an object literal writes it. */
export const memberName = (name: string): string => {
  // As a plain name, it would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
};

/** An object literal without the members that are undefined; undefined when no member is left. */
export const members = (
  of: Readonly<Record<string, string | number | false | undefined>>,
): string | undefined => {
  const parts = Object.entries(of).flatMap(([name, value]) =>
    value === undefined ? [] : [`${memberName(name)}: ${value}`],
  );
  return parts.length === 0 ? undefined : braces(parts);
};
