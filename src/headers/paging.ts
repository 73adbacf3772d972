import { paginationHeader } from '../conventions.ts';

/** Longest `Link` header that is read, in characters. */
export const maxLinkLength = 16_384;

/** Link relations in lower case, each with its target as written (RFC 8288 §3). */
export type Links = ReadonlyMap<string, string>;

// The end of the header has no target.
const linkTarget = /[ \t,]*(?:<([^>]*)>|$)/y;
const linkParameter = /[ \t]*;([^=;,]*)(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|(?!")([^;,<]*)))?/y;

/**
 * Reads a `Link` header (RFC 8288 §3), in time linear in its length. The first link of a relation wins. A link with an `anchor`
 * is about another resource (RFC 8288 §3.2), and is ignored.
 *
 * @returns undefined for an invalid header or one longer than {@link maxLinkLength}: its beginning may lack the next page
 */
export const parseLink = (field: string): Links | undefined => {
  if (field.length > maxLinkLength) return undefined;
  const links = new Map<string, string>();
  let at = 0;

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
      const [, given = '', quoted, plain = ''] = found;
      const name = given.trim().toLowerCase();
      if (name === 'rel') relations ??= quoted?.replace(/\\(.)/g, '$1') ?? plain;
      if (name === 'anchor') isAnchored = true;
    }
    if (isAnchored) continue;
    for (const relation of (relations ?? '').toLowerCase().split(/[ \t]+/)) {
      if (relation !== '' && !links.has(relation)) links.set(relation, target);
    }
  }
  return at === field.length ? links : undefined;
};

/** The `X-Pagination-*` headers of one response (§4.5). A missing or non-numeric one is undefined. */
export type Pagination = Readonly<
  Record<'number' | 'size' | 'totalCount' | 'totalPages', number | undefined>
>;

// A number holds fifteen digits exactly.
const parseCount = (value: string | null): number | undefined =>
  value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;

/** Reads the paging headers (§4.5). */
export const parsePagination = (headers: Headers): Pagination => ({
  number: parseCount(headers.get(paginationHeader.currentPage)),
  size: parseCount(headers.get(paginationHeader.pageSize)),
  totalCount: parseCount(headers.get(paginationHeader.totalCount)),
  totalPages: parseCount(headers.get(paginationHeader.totalPages)),
});
