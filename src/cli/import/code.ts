import { toUnicodeEscapes } from '../io.ts';

/** A piece of a program: an expression, or a list of them between brackets that stands on one line if it is short. */
export type Code = string | Group;

interface Group {
  readonly open: string;
  readonly parts: readonly Part[];
  readonly close: string;
  /** True for statements, each on a line of its own. */
  readonly isBody?: boolean;
}

/** An element of a list, with the comments above it. */
export interface Part {
  readonly comments?: readonly string[];
  /** Empty for comments alone. */
  readonly code: Code;
}

const width = 100;
const indentation = '  ';

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

const toPart = (part: Code | Part): Part =>
  typeof part === 'object' && 'code' in part ? part : { code: part };

export const group = (open: string, parts: readonly (Code | Part)[], close: string): Group => ({
  open,
  parts: parts.map(toPart),
  close,
});

/** Puts strings before and after a piece. */
export const around = (before: string, code: Code, after = ''): Code =>
  typeof code === 'string'
    ? before + code + after
    : { ...code, open: before + code.open, close: code.close + after };

export const braces = (parts: readonly (Code | Part)[]): Code => group('{', parts, '}');

export const brackets = (parts: readonly (Code | Part)[]): Code => group('[', parts, ']');

/** A function body of one statement. */
export const body = (open: string, statement: Code): Code => ({
  ...group(open, [statement], '}'),
  isBody: true,
});

/** A call. Its last argument alone breaks into lines when the others are plain. */
export const call = (name: string, ...parts: readonly Code[]): Code => {
  const last = parts.at(-1) ?? '';
  const before = parts.slice(0, -1);
  return before.every((part) => typeof part === 'string')
    ? around(`${name}(${before.map((part) => `${String(part)}, `).join('')}`, last, ')')
    : group(`${name}(`, parts, ')');
};

const flat = (code: Code): string | undefined => {
  if (typeof code === 'string') return code;
  if (code.isBody === true) return undefined;
  const parts = code.parts.map((part) => (part.comments?.length ? undefined : flat(part.code)));
  if (parts.includes(undefined)) return undefined;
  const pad = code.open.endsWith('{') && parts.length > 0 ? ' ' : '';
  return `${code.open}${pad}${parts.join(', ')}${pad}${code.close}`;
};

/** Writes a piece. `used` is the number of other characters on its first line. */
export const format = (code: Code, indent = '', used = 0): string => {
  if (typeof code === 'string') return code;
  const line = flat(code);
  if (line !== undefined && indent.length + used + line.length <= width) return line;
  const inner = indent + indentation;
  const lines = code.parts.flatMap((part) => [
    ...(part.comments ?? []).map((comment) => inner + comment),
    // `used` is 1 for the comma or semicolon.
    ...(part.code === ''
      ? []
      : [`${inner}${format(part.code, inner, 1)}${code.isBody === true ? ';' : ','}`]),
  ]);
  return [code.open, ...lines, indent + code.close].join('\n');
};

/** The name of a member, as an object literal writes it. */
export const memberName = (name: string): string => {
  // As a plain name, it would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
};
