/** Header field names of the conventions, in lower case, as `Headers` compares them. */
export const header = {
  /** Content types the client takes (§4.3); in the answer to OPTIONS, the available methods (§4.2). */
  accept: 'accept',
  /** RFC 9110 §10.2.1. Read only when an OPTIONS answer has no `Accept`: the conventions use that one. */
  allow: 'allow',
  authorization: 'authorization',
  contentType: 'content-type',
  contentLength: 'content-length',
  contentEncoding: 'content-encoding',
  deprecation: 'deprecation',
  etag: 'etag',
  ifModifiedSince: 'if-modified-since',
  ifNoneMatch: 'if-none-match',
  lastModified: 'last-modified',
  link: 'link',
  location: 'location',
  /** §7.1 names this field where RFC 9110 has `If-Modified-Since`; a client sends both. */
  modifiedSince: 'modified-since',
  retryAfter: 'retry-after',
  sunset: 'sunset',
  wwwAuthenticate: 'www-authenticate',
} as const;

/** Paging response headers (§4.5). */
export const paginationHeader = {
  totalPages: 'x-pagination-total-pages',
  totalCount: 'x-pagination-total-count',
  currentPage: 'x-pagination-current-page',
  pageSize: 'x-pagination-page-size',
} as const;

/** Link relations of a paged answer (§4.5). */
export const pageRelations = ['first', 'prev', 'next', 'last'] as const;
export type PageRelation = (typeof pageRelations)[number];

/** The content type of most APIs (§4.3). */
export const jsonType = 'application/json';

/** The content type of a token request (§4.1). */
export const formType = 'application/x-www-form-urlencoded';
