import { type ErrorStatus, errorPhrases, jsonType, type Method } from '../conventions.ts';
import type { HeaderObject, JsonSchema, ReferenceObject, ResponseObject } from './document.ts';

const ofResources: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const any: readonly Method[] = [...ofResources, 'OPTIONS'];

/** The methods of each status (§7.1), where they are not those of every resource; 413 is for bulk requests only. */
const methodsOf: Partial<Readonly<Record<ErrorStatus, readonly Method[]>>> = {
  401: any,
  403: any,
  405: any,
  406: ['GET'],
  413: [],
  415: any,
};

const statuses = Object.keys(errorPhrases).map(Number) as readonly ErrorStatus[];

const responseName = (status: ErrorStatus): string => errorPhrases[status].replaceAll(' ', '');

export const referTo = (...names: readonly string[]): Readonly<Record<string, ReferenceObject>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The error responses of a method (§7.1), by status. */
export const errorResponses = (method: Method, isBulk = false): Readonly<Record<string, ReferenceObject>> =>
  Object.fromEntries(
    statuses
      .filter((status) => (methodsOf[status] ?? ofResources).includes(method) || (status === 413 && isBulk))
      .map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  );

export const errorComponents: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  statuses.map((status) => {
    const content = { [jsonType]: { schema: { $ref: '#/components/schemas/Error' } } };
    return [responseName(status), { description: `${errorPhrases[status]} (§7.1).`, content }];
  }),
);

/** The schemas of the error body (§2.3). */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    description: 'The body of every error (§2.3).',
    type: 'object',
    properties: {
      message: { type: 'string' },
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
      message: { type: 'string' },
      reference: { type: 'string', format: 'uri-reference' },
    },
    required: ['field', 'code'],
  },
};

const header = (description: string, schema: JsonSchema = { type: 'string' }): HeaderObject => ({
  description,
  schema,
});

const number = (description: string): HeaderObject => header(description, { type: 'integer', minimum: 0 });

/** The header fields of responses that the conventions name. */
export const headerComponents: Readonly<Record<string, HeaderObject>> = {
  Accept: { ...header('The methods of this URI, separated by commas (§4.2).'), required: true },
  Link: header('The pages `first`, `prev`, `next` and `last`, as applicable (§4.5).', {
    type: 'string',
    // That of a last page, because servers that are made from the document send it.
    examples: ['</v1/orders?page=1>; rel="first"'],
  }),
  Location: {
    ...header('The URI of the new resource (§4.2).', { type: 'string', format: 'uri-reference' }),
    required: true,
  },
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
