import type { Rule } from '../rule.ts';

/** Endpoints (§4). */
export const section4 = [
  {
    id: '§4.1 method and path',
    says: 'POST {auth_url}/auth/token; the test environment has another auth URL.',
  },
  { id: '§4.1 Content-Type', says: 'The request is application/x-www-form-urlencoded.' },
  { id: '§4.1 process', says: 'It follows the token request of OpenID Connect.' },
  { id: '§4.1 response', says: 'A JSON body as in §2.2.' },
  { id: '§4.1 failures', says: 'They are 400 and 401.' },
  { id: '§4.1 password', says: 'This grant requires `username` and `password`.' },
  { id: '§4.1 refresh_token', says: 'This grant requires `refresh_token`.' },

  { id: '§4.2 GET', says: 'Retrieves a resource or resources: 200, and no request body.' },
  {
    id: '§4.2 POST',
    says: 'Creates: 201 with Location and the created resource, or 202 without it.',
  },
  { id: '§4.2 PUT', says: 'Replaces an entire resource: 204 or 202, without a body.' },
  { id: '§4.2 PATCH', says: 'Updates part of a resource: 204 or 202, without a body.' },
  { id: '§4.2 DELETE', says: 'Deletes a resource: 202 or 204, without a body on either side.' },
  {
    id: '§4.2 OPTIONS',
    says: 'Discovers methods: 200 without a body, the methods of the URI in the Accept response header.',
  },
  { id: '§4.2 HEAD', says: 'Not supported: 405.' },
  { id: '§4.2 TRACE', says: 'Disallowed: 405.' },
  { id: '§4.2 TRACK', says: 'Disallowed: 405.' },
  {
    id: '§4.2 endpoints of individual APIs',
    says: 'Endpoints beyond the token endpoint.',
    nothing: 'the conventions do not show it',
  },

  { id: '§4.3.1', says: 'Most APIs support JSON; an API may support other content types.' },
  { id: '§4.3.2', says: 'The client states the content types that it accepts in Accept.' },
  {
    id: '§4.3.3',
    says: 'The content type of the response matches Accept; of several, the API picks one by its own precedence.',
  },
  { id: '§4.3.4', says: 'When the API supports none of the listed types, the response is 415.' },

  { id: '§4.4 undeclared', says: 'Query parameters are only for endpoints that declare support.' },
  { id: '§4.4 page', says: 'Of a collection GET: selects the page of results.' },
  {
    id: '§4.4 perPage',
    says: 'Of a collection GET: records per page; above the maximum of the endpoint 400.',
  },
  {
    id: '§4.4 sort',
    says: 'Of a collection GET: field names applied in order, `-` for descending, every returned field unless narrowed; else 400.',
  },
  { id: '§4.4 fields', says: 'Of a GET: restricts the returned fields; id and self are always included.' },
  { id: '§4.4 expand', says: 'Of a GET: returns all fields of a nested resource instead of id and self.' },

  {
    id: '§4.5 Link',
    says: 'URIs with the relations first, prev, next and last, as applicable; no prev and first on page 1.',
  },
  { id: '§4.5 X-Pagination-Total-Pages', says: 'Total number of pages.' },
  { id: '§4.5 X-Pagination-Total-Count', says: 'Total number of records.' },
  { id: '§4.5 X-Pagination-Current-Page', says: 'Current page number.' },
  { id: '§4.5 X-Pagination-Page-Size', says: 'Page size.' },
  { id: '§4.5.1', says: 'An endpoint that cannot supply totals omits Total-Pages and Total-Count.' },
  { id: '§4.5.2', says: 'Then Link holds only the next URI, and only when more records are available.' },
  {
    id: '§4.5.3',
    says: 'Every endpoint that pages has a default page size, and may have a maximum.',
  },
] as const satisfies readonly Rule[];
