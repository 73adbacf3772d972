import { paginationHeader } from '../conventions.ts';

/** Longest `Link` header that is read, in characters. */
export const maxLinkLength = 16_384;

/** Link relations in lower case, each with its target as written (RFC 8288 §3). */
export type Links = ReadonlyMap<string, string>;

// The end of the header has no target.
const linkTarget = /[ \t,]*(?:<([^>]*)>|$)/y;
// Some servers write single quotes, which RFC 9110 §5.6.6 does not know.
const linkParameter = /[ \t]*;([^=;,]*)(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(?!")([^;,<]*)))?/y;

/**
 * One relation as a generous reader takes it: a registered one, or a URI (RFC 8288 §3.3), which alone may
 * have a comma.
 */
const relationType = /^(?:[\w.~:/?#@!$&*+=%-]+|[a-z][a-z\d+.-]*:[\w.~:/?#@!$&*+=%,;()'[\]-]+)$/;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** A header as its server meant it: `fetch` makes one character of each byte. */
const decodeUtf8 = (field: string): string => {
  if (/[^\0-\xff]/.test(field)) return field;
  try {
    return strictUtf8.decode(Uint8Array.from(field, (character) => character.charCodeAt(0)));
  } catch {
    return field;
  }
};

/**
 * Reads a `Link` header (RFC 8288 §3), in time linear in its length. The first link of a relation wins. A
 * link with an `anchor` is about another resource (RFC 8288 §3.2), and is ignored. So is one without `rel`
 * (RFC 8288 §3.3) beside others.
 *
 * @returns undefined for an invalid header, one whose relations cannot be read, and one longer than
 * {@link maxLinkLength}: it may have a next page
 */
export const parseLink = (raw: string): Links | undefined => {
  if (raw.length > maxLinkLength) return undefined;
  const field = decodeUtf8(raw);
  const links = new Map<string, string>();
  let at = 0;
  let lacksRelation = false;

  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(field);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };

  for (let link = read(linkTarget); link?.[1] !== undefined; link = read(linkTarget)) {
    const target = link[1].trim();
    let relations: string | undefined;
    let isAnchored = false;
    for (let found = read(linkParameter); found !== null; found = read(linkParameter)) {
      const [, given = '', quoted, singleQuoted, plain = ''] = found;
      const name = given.trim().toLowerCase();
      if (name === 'rel') relations ??= quoted?.replace(/\\(.)/g, '$1') ?? singleQuoted ?? plain;
      // An empty one is the resource itself.
      if (name === 'anchor') isAnchored = (quoted ?? singleQuoted ?? plain).trim() !== '';
    }
    if (isAnchored) continue;
    if (relations === undefined) {
      lacksRelation = true;
      continue;
    }
    const types = relations
      .trim()
      .toLowerCase()
      .split(/[ \t]+/);
    if (!types.every((type) => relationType.test(type))) return undefined;
    for (const type of types) if (!links.has(type)) links.set(type, target);
  }
  return at === field.length && (links.size > 0 || !lacksRelation) ? links : undefined;
};

/** The `X-Pagination-*` headers of one response (§4.5). A missing or non-numeric one is undefined. */
export type Pagination = Readonly<
  Record<'number' | 'size' | 'totalCount' | 'totalPages', number | undefined>
>;

/** A count of a header; undefined for anything else. A number holds fifteen digits exactly. */
export const parseCount = (value: string | null | undefined): number | undefined => {
  // Node's `fetch` keeps a space behind a value, and joins those of a header that a proxy added once more.
  const digits = /^(\d{1,15})(?:, *\1)*$/.exec(value?.trim() ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** Reads the paging headers (§4.5). */
export const parsePagination = (headers: Headers): Pagination => ({
  number: parseCount(headers.get(paginationHeader.currentPage)),
  size: parseCount(headers.get(paginationHeader.pageSize)),
  totalCount: parseCount(headers.get(paginationHeader.totalCount)),
  totalPages: parseCount(headers.get(paginationHeader.totalPages)),
});

/**
 * Says why a list cannot end: its latest response has a sign of more records, which the declaration does not
 * name. Undefined for no such sign.
 *
 * @param read - records of the list up to there; infinite where that is not known
 */
export type EndCheck = (read: number) => string | undefined;

/** A total that a declaration does not name, with where it stands. */
export type UndeclaredTotal = readonly [place: string, total: number];

/** The usual headers of a total. Each may count something else: it shows no page and no end. */
export const totalsIn = (headers: Headers): readonly UndeclaredTotal[] =>
  ['X-Total-Count', 'X-Total', 'Content-Range'].flatMap((name) => {
    const total = parseCount(headers.get(name)?.split('/').at(-1));
    return total === undefined ? [] : [[name, total]];
  });

/** The problem of a total above the records that were read; undefined where none is. */
export const totalProblem = (totals: readonly UndeclaredTotal[], read: number): string | undefined => {
  const above = totals.find(([, total]) => total > read);
  if (above === undefined) return undefined;
  const [place, total] = above;
  return `the list ends after ${read} of ${total} records (${place}); declare list.next and list.totalCount of family(), or paging: { totals: false } only if ${place} counts something else`;
};
