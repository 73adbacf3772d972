import {
  type ErrorStatus,
  errorPhrases,
  header,
  jsonType,
  type Method,
  methodRules,
} from '../conventions.ts';
import { conventions, type InvalidForm, type WholeFamily } from '../families/family.ts';
import type { JsonSchema, ResponseObject } from './document.ts';
import { bodyOf, wrapped } from './lists.ts';

const statuses = Object.keys(errorPhrases).map(Number) as readonly ErrorStatus[];

const errorOf = (description: string, schema: string): ResponseObject => ({
  description,
  content: { [jsonType]: { schema: { $ref: `#/components/schemas/${schema}` } } },
});

/** The error responses of a method (§7.1), by status. 413 is for bulk requests only. */
export const errorResponses = (
  method: Method,
  isBulk: boolean,
  family: WholeFamily,
): Readonly<Record<string, ResponseObject>> => {
  const isOther = (status: ErrorStatus): boolean =>
    (status === 406 && method !== 'GET') || (status === 413 && !isBulk);
  const own = statuses.filter((status) => !isOther(status));
  const errors = own.map((status) => [status, errorOf(errorPhrases[status], 'Error')] as const);
  const ofInvalid =
    isConventional(family) || !methodRules[method].body
      ? []
      : family.invalid.statuses.map((status) => [status, errorOf('Invalid.', 'ValidationError')] as const);
  return Object.fromEntries([...errors, ...ofInvalid]);
};

const string: JsonSchema = { type: 'string' };
const uri: JsonSchema = { type: 'string', format: 'uri-reference' };

/** The schemas of the error body (§2.3). */
const conventionalErrors: Readonly<Record<string, JsonSchema>> = {
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

/** What a family sends for invalid fields. */
const invalidItems = ({ form = 'list', field = 'field', code, message }: InvalidForm): JsonSchema => {
  if (form === 'sentences') return { type: 'array', items: string };
  const ofItem = [code ?? 'code', message ?? 'message'];
  const toObject = (paths: readonly string[]): JsonSchema =>
    bodyOf(paths.map((path) => ({ path, schema: string, isOptional: true })));
  if (form === 'list') return { type: 'array', items: toObject([field, ...ofItem]) };
  const items = (code ?? message) === undefined ? string : toObject(ofItem);
  return { type: 'object', additionalProperties: { type: 'array', items } };
};

const isConventional = ({ invalid }: WholeFamily): boolean =>
  JSON.stringify(invalid) === JSON.stringify(conventions.invalid);

/** The schemas of the error bodies of a family. */
export const errorSchemasOf = (family: WholeFamily): Readonly<Record<string, JsonSchema>> => {
  if (isConventional(family)) return conventionalErrors;
  const { items = '' }: InvalidForm = family.invalid;
  return {
    Error: { type: 'object', properties: { message: string } },
    ValidationError: wrapped(items, invalidItems(family.invalid)),
  };
};

/** The response of work that is done later (§4.2). */
export const accepted: ResponseObject = { description: 'Valid, and processed asynchronously (§4.2).' };

/** The response of a conditional GET (§7.1). */
export const notModified: ResponseObject = {
  description: 'Unchanged; only after If-None-Match or Modified-Since (§7.1).',
};

/** The header field of a 201 (§4.2). */
export const locationHeader = { [header.location]: { required: true, schema: uri } };
