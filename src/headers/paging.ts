import { paginationHeader } from '../conventions.ts';

/** Longest `Link` header that is read, in characters. */
export const maxLinkLength = 16_384;

/** Link relations in lower case, each with its target as written (RFC 8288 §3). */
export type Links = ReadonlyMap<string, string>;

const separators = /[ \t,]*/y;
const linkTarget = /<([^>]*)>/y;
const linkParameter = /[ \t]*;([^=;,]*)(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|(?!")([^;,<]*)))?/y;

/**
 * Reads a `Link` header (RFC 8288 §3) in one pass, linear in its length. Several headers joined with commas are read as one.
 *
 * The first link of a relation wins. A link with an `anchor` is about the resource that the anchor names (RFC 8288 §3.2).
 * It is ignored unless `isContext` says that this is the resource of the response.
 *
 * Undefined for an invalid header or one longer than {@link maxLinkLength}: reading only its beginning would silently
 * lose the records of the next page.
 */
export const parseLink = (
  field: string,
  isContext: (anchor: string) => boolean = () => false,
): Links | undefined => {
  if (field.length > maxLinkLength) return undefined;
  const links = new Map<string, string>();
  let at = 0;

  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(field);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };

  for (read(separators); at < field.length; read(separators)) {
    const target = read(linkTarget)?.[1]?.trim();
    if (target === undefined) return undefined;
    let relations: string | undefined;
    let anchor: string | undefined;
    for (let found = read(linkParameter); found !== null; found = read(linkParameter)) {
      const [, name = '', quoted, plain = ''] = found;
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
      const parameter = name.trim().toLowerCase();
      if (parameter === 'rel') relations ??= value;
      else if (parameter === 'anchor') anchor ??= value;
    }
    if (relations === undefined || (anchor !== undefined && !isContext(anchor))) continue;
    for (const relation of relations.toLowerCase().split(/[ \t]+/)) {
      if (relation !== '' && !links.has(relation)) links.set(relation, target);
    }
  }
  return links;
};

/** The `X-Pagination-*` headers of one response (§4.5). A missing or non-numeric one is undefined. */
export interface Pagination {
  /** Number of the page. */
  readonly number: number | undefined;
  /** Records per page. */
  readonly size: number | undefined;
  readonly totalCount: number | undefined;
  readonly totalPages: number | undefined;
}

/** Reads a non-negative integer of at most fifteen digits, which a number holds exactly. */
const parseCount = (value: string | null): number | undefined =>
  value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;

/** Reads the paging headers (§4.5). */
export const parsePagination = (headers: Headers): Pagination => ({
  number: parseCount(headers.get(paginationHeader.currentPage)),
  size: parseCount(headers.get(paginationHeader.pageSize)),
  totalCount: parseCount(headers.get(paginationHeader.totalCount)),
  totalPages: parseCount(headers.get(paginationHeader.totalPages)),
});
