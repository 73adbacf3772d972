import { type ErrorStatus, errorPhrases, jsonType, type Method } from '../conventions.ts';
import type { HeaderObject, JsonSchema, ReferenceObject, ResponseObject } from './document.ts';

const ofResources: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const any: readonly Method[] = [...ofResources, 'OPTIONS'];

/** The methods of each status (§7.1). */
const methodsOf: Readonly<Record<ErrorStatus, readonly Method[]>> = {
  400: ofResources,
  401: any,
  403: any,
  404: ofResources,
  405: any,
  406: ['GET'],
  // For bulk requests only.
  413: [],
  415: any,
  429: ofResources,
  500: ofResources,
  503: ofResources,
};

/** The header fields of error responses. */
const errorHeaders: Partial<Readonly<Record<ErrorStatus, string>>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

const statuses = Object.keys(errorPhrases).map(Number) as readonly ErrorStatus[];

const responseName = (status: ErrorStatus): string => errorPhrases[status].replaceAll(' ', '');

export const referTo = (...names: readonly string[]): Readonly<Record<string, ReferenceObject>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The error responses of a method (§7.1), by status. */
export const errorResponses = (method: Method, isBulk = false): Readonly<Record<string, ReferenceObject>> =>
  Object.fromEntries(
    statuses
      .filter((status) => methodsOf[status].includes(method) || (status === 413 && isBulk))
      .map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  );

export const errorComponents: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  statuses.map((status) => {
    const header = errorHeaders[status];
    const response: ResponseObject = {
      description: `${errorPhrases[status]} (§7.1).`,
      ...(header !== undefined && { headers: referTo(header) }),
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

const field = (description: string, schema: JsonSchema = { type: 'string' }): HeaderObject => ({
  description,
  schema,
});

const number = (description: string): HeaderObject => field(description, { type: 'integer', minimum: 0 });

export const headerComponents: Readonly<Record<string, HeaderObject>> = {
  Accept: {
    ...field('The methods that are available at this URI, separated by commas (§4.2).'),
    required: true,
  },
  Allow: field('The methods that the resource supports (RFC 9110 §10.2.1).'),
  ETag: field('The version of the representation, for `If-None-Match` (RFC 9110 §8.8.3).'),
  'Last-Modified': field('When the resource last changed, for `Modified-Since` (RFC 9110 §8.8.2).'),
  // The example is that of a last page, because servers that are made from the document send it.
  Link: field(
    'The pages `first`, `prev`, `next` and `last`, as applicable; the last page has no `next` (§4.5).',
    {
      type: 'string',
      examples: ['</v1/orders?page=1>; rel="first"'],
    },
  ),
  Location: {
    ...field('The URI of the new resource; after a bulk request, that of the collection (§4.2).', {
      type: 'string',
      format: 'uri-reference',
    }),
    required: true,
  },
  'Retry-After': field('How long to wait, in seconds or as a date (RFC 9110 §10.2.3).'),
  'WWW-Authenticate': field('The schemes that the API takes (RFC 9110 §11.6.1).'),
  'X-Pagination-Current-Page': number('The number of this page (§4.5).'),
  'X-Pagination-Page-Size': number('The page size (§4.5).'),
  'X-Pagination-Total-Count': number('The number of all records (§4.5).'),
  'X-Pagination-Total-Pages': number('The number of all pages (§4.5).'),
};

/** The header fields of a page (§4.5). */
export const pagingHeaders = (hasTotals: boolean): Readonly<Record<string, ReferenceObject>> => ({
  ...referTo('Link', 'X-Pagination-Current-Page', 'X-Pagination-Page-Size'),
  ...(hasTotals && referTo('X-Pagination-Total-Count', 'X-Pagination-Total-Pages')),
});

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
