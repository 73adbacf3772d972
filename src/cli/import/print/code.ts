/** Longer lists stand on several lines. */
const width = 90;

/** A string as a literal in single quotes. */
export const quote = (value: string): string => {
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
};

/** A string of the document as one line of a comment. */
export const toComment = (value: string, most = 160): string => {
  const line = value
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('*/', '* /')
    .trim();
  return line.length > most ? `${line.slice(0, most).replace(/\s+\S*$/, '')} …` : line;
};

export const indent = (lines: string): string => lines.replace(/^(?=.)/gm, '  ');

/** A list between brackets, on one line if it is short. */
const between = (open: string, parts: readonly string[], close: string): string => {
  if (parts.length === 0) return open + close;
  const pad = open === '{' ? ' ' : '';
  const line = open + pad + parts.join(', ') + pad + close;
  if (line.length <= width && !line.includes('\n')) return line;
  return [open, ...parts.map((part) => indent(`${part},`)), close].join('\n');
};

export const braces = (parts: readonly string[]): string => between('{', parts, '}');

export const brackets = (parts: readonly string[]): string => between('[', parts, ']');

/** The name of a member, as an object literal writes it. */
export const memberName = (name: string): string => {
  // As a plain name, it would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
};

/** The members of an object literal, without those that are undefined. */
export const membersOf = (of: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(of).flatMap(([name, code]) => {
    if (code === undefined) return [];
    return name === code ? name : `${memberName(name)}: ${code}`;
  });

export const members = (of: Readonly<Record<string, string | undefined>>): string => braces(membersOf(of));

/** Plain data as a literal; undefined for undefined. */
export const literal = (value: unknown): string | undefined => {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return brackets(value.map((one) => String(literal(one))));
  if (typeof value !== 'object' || value === null) return value === undefined ? undefined : String(value);
  return members(literals(value));
};

/** Each member of plain data as a literal. */
export const literals = (of: object): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, literal(value)]));
