import { paginationHeader } from '../conventions.ts';

/** Longest `Link` header that is read, in characters. */
export const maxLinkLength = 16_384;

/** Link relations in lower case, each with its target as written (RFC 8288 §3). */
export type Links = ReadonlyMap<string, string>;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;

/**
 * Reads a `Link` header (RFC 8288 §3) in one pass, linear in its length. Several headers joined with commas are one.
 *
 * The first link of a relation wins. A link with an `anchor` is about the resource that the anchor names (RFC 8288 §3.2).
 * It is ignored unless `isContext` says that this is the resource of the response.
 * Undefined for an invalid header or one longer than {@link maxLinkLength}: reading only its beginning would silently
 * drop the records of the next page.
 */
export const parseLink = (
  field: string,
  isContext: (anchor: string) => boolean = () => false,
): Links | undefined => {
  if (field.length > maxLinkLength) return undefined;
  const links = new Map<string, string>();
  let at = 0;

  const skipSpace = (): void => {
    while (isSpace(field.charCodeAt(at))) at++;
  };
  const readUntil = (stops: string): string => {
    const start = at;
    while (at < field.length && !stops.includes(field.charAt(at))) at++;
    return field.slice(start, at).trim();
  };
  const readQuoted = (): string | undefined => {
    let value = '';
    for (at++; at < field.length; at++) {
      const char = field.charAt(at);
      if (char === '"') {
        at++;
        return value;
      }
      if (char === '\\') at++;
      value += field.charAt(at);
    }
    return undefined;
  };

  while (true) {
    while (isSpace(field.charCodeAt(at)) || field.charAt(at) === ',') at++;
    if (at >= field.length) return links;
    if (field.charAt(at) !== '<') return undefined;
    const end = field.indexOf('>', at);
    if (end < 0) return undefined;
    const target = field.slice(at + 1, end).trim();
    at = end + 1;

    let relations: string | undefined;
    let anchor: string | undefined;
    for (skipSpace(); field.charAt(at) === ';'; skipSpace()) {
      at++;
      const name = readUntil('=;,').toLowerCase();
      let value: string | undefined = '';
      if (field.charAt(at) === '=') {
        at++;
        skipSpace();
        value = field.charAt(at) === '"' ? readQuoted() : readUntil(';,');
        if (value === undefined) return undefined;
      }
      if (name === 'rel') relations ??= value;
      else if (name === 'anchor') anchor ??= value;
    }
    if (at < field.length && field.charAt(at) !== ',') return undefined;
    if (relations === undefined || (anchor !== undefined && !isContext(anchor))) continue;
    for (const relation of relations.toLowerCase().split(/[ \t]+/)) {
      if (relation !== '' && !links.has(relation)) links.set(relation, target);
    }
  }
};

/** The `X-Pagination-*` headers of one response (§4.5). A missing or non-numeric one is undefined. */
export interface Pagination {
  readonly totalPages: number | undefined;
  readonly totalCount: number | undefined;
  readonly currentPage: number | undefined;
  readonly pageSize: number | undefined;
}

/** A non-negative integer as the conventions write it; fifteen digits are exact in a number. */
const parseCount = (value: string | null): number | undefined =>
  value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;

/** Reads the paging headers (§4.5). */
export const parsePagination = (headers: Headers): Pagination => ({
  totalPages: parseCount(headers.get(paginationHeader.totalPages)),
  totalCount: parseCount(headers.get(paginationHeader.totalCount)),
  currentPage: parseCount(headers.get(paginationHeader.currentPage)),
  pageSize: parseCount(headers.get(paginationHeader.pageSize)),
});
