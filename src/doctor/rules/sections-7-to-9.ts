import type { Rule } from '../rule.ts';

/** Errors, limits, versioning (§7 to §9). */
export const sections7to9 = [
  { id: '§7.1 200', says: 'GET: success.' },
  { id: '§7.1 201', says: 'POST only: resource created.' },
  { id: '§7.1 202', says: 'POST, PUT, PATCH, DELETE: validated, and processed asynchronously.' },
  { id: '§7.1 204', says: 'PUT, PATCH, DELETE: synchronous success without a response body.' },
  {
    id: '§7.1 304',
    says: 'GET: unchanged; only when the client sent If-None-Match or Modified-Since.',
  },
  {
    id: '§7.1 400',
    says: 'A query parameter or a body is missing or invalid; perPage above the maximum; unsupported sort.',
  },
  { id: '§7.1 401', says: 'Invalid or no token; on the token endpoint a wrong username or password.' },
  { id: '§7.1 403', says: 'Authenticated, but not authorised for the operation.' },
  { id: '§7.1 404', says: 'The requested resource does not exist.' },
  { id: '§7.1 405', says: 'HEAD, TRACE and TRACK always; a method that the resource does not support.' },
  { id: '§7.1 406', says: 'GET: the client does not accept the content type of the resource.' },
  { id: '§7.1 413', says: 'Bulk requests: too large in bytes or in number of items.' },
  {
    id: '§7.1 415',
    says: 'The content type of the request body is not supported; nothing in Accept is supported.',
  },
  { id: '§7.1 429', says: 'The throttling limit is reached.' },
  { id: '§7.1 500', says: 'Processing error; invalid input of the client is 400 instead.' },
  { id: '§7.1 503', says: 'Service unavailable, during an outage.' },

  { id: '§7.2.1', says: 'Errors that the input causes are 400.' },
  { id: '§7.2.2', says: 'Every error body has `message`, for example for JSON that cannot be parsed.' },
  { id: '§7.2.3', says: 'Validation failures have a general `message`, and `errors` with each field.' },
  { id: '§7.2.4', says: 'Codes of items: `missingField` and `invalid`, the latter usually with a message.' },
  { id: '§7.2.5', says: 'Token endpoint: 400 when parameters are invalid or missing.' },
  {
    id: '§7.2.6',
    says: 'Complete list of item codes.',
    nothing: 'the conventions do not show it; the list is open',
  },

  { id: '§8 access token lifetime', says: '600 seconds.' },
  { id: '§8 refresh token lifetime', says: '2592000 seconds.' },
  { id: '§8 refresh token uses', says: 'One.' },
  { id: '§8 throttling', says: 'A threshold that is not shown; exceeding it gives 429.' },
  {
    id: '§8 page size',
    says: 'Each paging endpoint has a default and may have a maximum; exceeding that gives 400.',
  },
  { id: '§8 bulk', says: 'A maximum of bytes and items that is not shown; exceeding it gives 413.' },

  { id: '§9.1', says: 'APIs are released under semantic versioning.' },
  { id: '§9.2', says: 'Minor and patch releases are backwards compatible.' },
  { id: '§9.3', says: 'A major version is a path segment: `/v<major>/<resource path>`.' },
  {
    id: '§9.4',
    says: 'After a new major version the previous URI keeps working; it is deprecated.',
  },
] as const satisfies readonly Rule[];
