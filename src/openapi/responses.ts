import { type ErrorStatus, errorPhrases, jsonType, type Method } from '../conventions.ts';
import type { HeaderObject, JsonSchema, ReferenceObject, ResponseObject } from './document.ts';

const changing: readonly Method[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
const ofResources: readonly Method[] = ['GET', ...changing];
const any: readonly Method[] = [...ofResources, 'OPTIONS'];

interface StatusRule {
  readonly methods: readonly Method[];
  readonly meaning: string;
  /** Header fields of the response, by their components. */
  readonly headers?: readonly string[];
}

/** §7.1, without 413, which is for bulk requests only. */
const statusRules: Readonly<Record<ErrorStatus, StatusRule>> = {
  400: { methods: ofResources, meaning: 'A query parameter or the request body is missing or invalid.' },
  401: { methods: any, meaning: 'The credentials are missing or invalid.', headers: ['WWW-Authenticate'] },
  403: { methods: any, meaning: 'The user is authenticated, but may not perform the operation.' },
  404: { methods: ofResources, meaning: 'The requested resource does not exist.' },
  405: { methods: any, meaning: 'The resource does not support the method.', headers: ['Allow'] },
  406: { methods: ['GET'], meaning: 'The client does not accept the content type of the resource.' },
  413: { methods: [], meaning: 'The bulk request has too many bytes or items.' },
  415: {
    methods: any,
    meaning: 'The content type of the request body, or every type in `Accept`, is not supported.',
  },
  429: { methods: ofResources, meaning: 'The limit of requests is reached.', headers: ['Retry-After'] },
  500: { methods: ofResources, meaning: 'The server failed to process the request.' },
  503: { methods: ofResources, meaning: 'The service is unavailable.', headers: ['Retry-After'] },
};

const statuses = Object.keys(errorPhrases).map(Number) as readonly ErrorStatus[];

const responseName = (status: ErrorStatus): string => errorPhrases[status].replaceAll(' ', '');

export const referTo = (...names: readonly string[]): Readonly<Record<string, ReferenceObject>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The error responses of a method (§7.1), by status. */
export const errorResponses = (method: Method, isBulk = false): Readonly<Record<string, ReferenceObject>> =>
  Object.fromEntries(
    statuses
      .filter((status) => statusRules[status].methods.includes(method) || (status === 413 && isBulk))
      .map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  );

export const errorComponents: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  statuses.map((status) => {
    const { meaning, headers } = statusRules[status];
    const response: ResponseObject = {
      description: meaning,
      ...(headers && { headers: referTo(...headers) }),
      content: { [jsonType]: { schema: { $ref: '#/components/schemas/Error' } } },
    };
    return [responseName(status), response];
  }),
);

/** The schemas of the error body (§2.3). */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    description: 'The body of every error (§2.3).',
    type: 'object',
    properties: {
      message: { type: 'string', description: 'A summary for a person.' },
      errors: {
        type: 'array',
        description: 'Only for validation failures: one item per field in error.',
        items: { $ref: '#/components/schemas/ErrorItem' },
      },
    },
    required: ['message'],
  },
  ErrorItem: {
    description: 'One field in error (§2.3).',
    type: 'object',
    properties: {
      field: { type: 'string', description: 'Name or dotted path of the field.' },
      code: { type: 'string', description: 'Machine code, for example `missingField` or `invalid`.' },
      message: { type: 'string', description: 'Detail.' },
      reference: {
        type: 'string',
        format: 'uri-reference',
        description: 'Where the requirements of the field are described.',
      },
    },
    required: ['field', 'code'],
  },
};

const integer: JsonSchema = { type: 'integer', minimum: 0 };
const string: JsonSchema = { type: 'string' };

export const headerComponents: Readonly<Record<string, HeaderObject>> = {
  Accept: {
    description: 'The methods that are available at this URI, separated by commas (§4.2).',
    required: true,
    schema: string,
  },
  Allow: { description: 'The methods that the resource supports (RFC 9110 §10.2.1).', schema: string },
  Deprecation: {
    description: 'When this major version was deprecated, `@` and seconds since 1970 (RFC 9745).',
    schema: string,
  },
  ETag: {
    description: 'The version of the representation, for `If-None-Match` (RFC 9110 §8.8.3).',
    schema: string,
  },
  'Last-Modified': {
    description: 'When the resource last changed, for `Modified-Since` (RFC 9110 §8.8.2).',
    schema: string,
  },
  Link: {
    description:
      'URIs with the relations `first`, `prev`, `next` and `last`, as applicable (§4.5). Follow `next` as it is; the ' +
      'last page has none.',
    // The example is that of a last page, because servers that are made from the document send it.
    schema: { ...string, examples: ['</v1/orders?page=1>; rel="first"'] },
  },
  Location: {
    description: 'The URI of the new resource; after a bulk request, that of the collection (§4.2).',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Retry-After': {
    description: 'How long to wait, in seconds or as a date (RFC 9110 §10.2.3).',
    schema: string,
  },
  Sunset: { description: 'When this major version will be removed (RFC 8594).', schema: string },
  'WWW-Authenticate': {
    description: 'The schemes that the API takes (RFC 9110 §11.6.1).',
    schema: string,
  },
  'X-Pagination-Current-Page': { description: 'The number of this page (§4.5).', schema: integer },
  'X-Pagination-Page-Size': { description: 'The page size (§4.5).', schema: integer },
  'X-Pagination-Total-Count': { description: 'The number of all records (§4.5).', schema: integer },
  'X-Pagination-Total-Pages': { description: 'The number of all pages (§4.5).', schema: integer },
};

/** The header fields of a page (§4.5). */
export const pagingHeaders = (hasTotals: boolean): Readonly<Record<string, ReferenceObject>> => ({
  ...referTo('Link', 'X-Pagination-Current-Page', 'X-Pagination-Page-Size'),
  ...(hasTotals && referTo('X-Pagination-Total-Count', 'X-Pagination-Total-Pages')),
});

/** The header fields of a deprecated major version (§9.4). */
export const deprecationHeaders = referTo('Deprecation', 'Sunset');

/** The header fields of a representation. */
export const validatorHeaders = referTo('ETag', 'Last-Modified');

/** The response without a body to a request that is processed asynchronously (§4.2). */
export const acceptedResponse: ResponseObject = {
  description: 'The request passed validation and is processed asynchronously.',
  headers: {
    Location: {
      description: 'Where the result will be, if the server says so.',
      schema: { type: 'string', format: 'uri-reference' },
    },
  },
};
