import type { Rule } from '../rule.ts';

const notShown = 'the conventions do not show it';

/** What the service does, resources and their fields, states (§1 to §3). */
export const sections1to3 = [
  { id: '§1 every API', says: 'Every API of the family follows the same conventions, over HTTP.' },
  {
    id: '§1 resource kinds',
    says: 'The resource kinds that are named are illustrations.',
    nothing: 'no behaviour follows from an illustration',
  },
  {
    id: '§1 own rules',
    says: 'An API may add content types, authentication styles or rules of its own; they are stated per API.',
  },
  { id: '§1 test instances', says: 'Many APIs have a separate test instance.' },
  { id: '§1 business functions', says: 'Business functions of the individual APIs.', nothing: notShown },

  {
    id: '§2.1 id',
    says: 'A number, on every resource and nested resource; always returned, also under field limiting.',
  },
  {
    id: '§2.1 self',
    says: 'An absolute URI, only where the resource can be fetched on its own; then always returned.',
  },
  {
    id: '§2.1 nested resource',
    says: 'An object with its own id and self; a large one is these two alone until its expansion is requested.',
  },
  {
    id: '§2.1 field names',
    says: 'Field names are camelCase; paths of nested fields have dots.',
  },
  { id: '§2.1 timestamps', says: 'Timestamps are ISO 8601 strings in UTC.' },
  { id: '§2.1 arrays', says: 'Arrays of nested objects are allowed.' },
  { id: '§2.1 links', says: 'No links but self and the paging links appear in representations.' },
  { id: '§2.1 specific fields', says: 'Fields of specific resources.', nothing: notShown },

  { id: '§2.2 access_token', says: 'A JWT; the bearer credential.' },
  { id: '§2.2 expires_in', says: 'Seconds until the access token expires (600).' },
  { id: '§2.2 token_type', says: 'It is `bearer`.' },
  { id: '§2.2 refresh_expires_in', says: 'Seconds until the refresh token expires (2592000).' },
  { id: '§2.2 refresh_token', says: 'A JWT; a credential for a single use.' },

  { id: '§2.3 message', says: 'A summary for humans; in every error body.' },
  { id: '§2.3 errors', says: 'One item per field in error; only for validation failures.' },
  { id: '§2.3 errors[].field', says: 'Name or dotted path of the offending field; always there.' },
  { id: '§2.3 errors[].code', says: 'Machine code, for example `missingField` or `invalid`; always there.' },
  { id: '§2.3 errors[].message', says: 'Detail text; optional.' },
  {
    id: '§2.3 errors[].reference',
    says: 'A URI that describes the requirements; optional, on some specific validation errors only.',
  },

  { id: '§3 states and transitions', says: 'States and transitions of resources.', nothing: notShown },
] as const satisfies readonly Rule[];
