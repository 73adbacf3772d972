import {
  type ErrorStatus,
  errorPhrases,
  header,
  jsonType,
  type Method,
  paginationHeader,
} from '../conventions.ts';
import type { JsonSchema, ResponseObject } from './document.ts';

const statuses = Object.keys(errorPhrases).map(Number) as readonly ErrorStatus[];

/** The error responses of a method (§7.1), by status. 413 is for bulk requests only. */
export const errorResponses = (method: Method, isBulk: boolean): Readonly<Record<string, ResponseObject>> => {
  const isOther = (status: ErrorStatus): boolean =>
    (status === 406 && method !== 'GET') || (status === 413 && !isBulk);
  const content = { [jsonType]: { schema: { $ref: '#/components/schemas/Error' } } };
  const own = statuses.filter((status) => !isOther(status));
  return Object.fromEntries(own.map((status) => [status, { description: errorPhrases[status], content }]));
};

const string: JsonSchema = { type: 'string' };
const uri: JsonSchema = { type: 'string', format: 'uri-reference' };

/** The schemas of the error body (§2.3). */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    properties: {
      message: string,
      errors: { type: 'array', items: { $ref: '#/components/schemas/ErrorItem' } },
    },
    required: ['message'],
  },
  ErrorItem: {
    type: 'object',
    properties: { field: string, code: string, message: string, reference: uri },
    required: ['field', 'code'],
  },
};

/** The response of work that is done later (§4.2). */
export const accepted: ResponseObject = { description: 'Valid, and processed asynchronously (§4.2).' };

/** The response of a conditional GET (§7.1). */
export const notModified: ResponseObject = {
  description: 'Unchanged; only after If-None-Match or Modified-Since (§7.1).',
};

/** The header field of a 201 (§4.2). */
export const locationHeader = { [header.location]: { required: true, schema: uri } };

const count = { schema: { type: 'integer', minimum: 0 } };

/** The header fields of a page (§4.5). */
export const pagingHeaders = (hasTotals: boolean): NonNullable<ResponseObject['headers']> => {
  const { totalCount, totalPages, currentPage, pageSize } = paginationHeader;
  return {
    // The example is that of a last page, because servers that are made from the document send it.
    [header.link]: { schema: { type: 'string', examples: ['</v1/orders?page=1>; rel="first"'] } },
    [currentPage]: count,
    [pageSize]: count,
    ...(hasTotals && { [totalCount]: count, [totalPages]: count }),
  };
};
