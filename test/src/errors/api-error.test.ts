import * as restkin from 'restkin';
import {
  ApiError,
  BadRequestError,
  isApiError,
  isRestkinError,
  isValidationError,
  ValidationError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { toApiError } from '../../../src/errors/api-error.ts';

const context = { method: 'GET', url: 'https://a.test/v1/orders' };

describe('one class per status of §7.1', () => {
  test.each([
    [400, restkin.BadRequestError, 'bad_request', '400 Bad Request'],
    [401, restkin.UnauthorizedError, 'unauthorized', '401 Unauthorized'],
    [403, restkin.ForbiddenError, 'forbidden', '403 Forbidden'],
    [404, restkin.NotFoundError, 'not_found', '404 Not Found'],
    [405, restkin.MethodNotAllowedError, 'method_not_allowed', '405 Method Not Allowed'],
    [406, restkin.NotAcceptableError, 'not_acceptable', '406 Not Acceptable'],
    [413, restkin.ContentTooLargeError, 'content_too_large', '413 Content Too Large'],
    [415, restkin.UnsupportedMediaTypeError, 'unsupported_media_type', '415 Unsupported Media Type'],
    [429, restkin.TooManyRequestsError, 'too_many_requests', '429 Too Many Requests'],
    [500, restkin.InternalServerError, 'internal_server_error', '500 Internal Server Error'],
    [503, restkin.ServiceUnavailableError, 'service_unavailable', '503 Service Unavailable'],
  ])('%d', (status, type, code, message) => {
    const error = toApiError({ ...context, status });
    expect(error).toBeInstanceOf(type);
    const shown = `GET ${context.url}: ${message}`;
    expect(error).toMatchObject({ status, code, message: shown, name: type.name, attempts: [], ...context });
    expect([isApiError(error), isRestkinError(error)]).toEqual([true, true]);
  });

  test.each([402, 409, 418, 422, 499, 501, 502, 504, 599])('%d arrives as ApiError', (status) => {
    const error = toApiError({ ...context, status });
    expect(error.constructor).toBe(ApiError);
    expect(error).toMatchObject({ status, code: 'api_error', message: `GET ${context.url}: ${status}` });
  });

  test('the message names the request, the status and what the server says; detail is the latter alone', () => {
    const error = toApiError({ ...context, status: 404, detail: 'No such order' });
    expect(error.message).toBe(`GET ${context.url}: 404 Not Found: No such order`);
    expect(error.detail).toBe('No such order');
  });
});

describe('§7.2 validation failures', () => {
  const items = [
    { field: 'device.model', code: 'missingField' },
    { field: '__proto__', code: 'invalid', message: 'no' },
    { field: 'device.model', code: 'invalid' },
    { field: 'constructor', code: 'invalid' },
  ];

  test('400 with items is a ValidationError with the items in their order, and by field', () => {
    const error = toApiError({ ...context, status: 400, items });
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ code: 'validation_failed', status: 400, name: 'ValidationError' });
    const { errors, fieldErrors } = error as ValidationError;
    expect(errors).toEqual(items);
    expect(Object.keys(fieldErrors)).toEqual(['device.model', '__proto__', 'constructor']);
    expect(fieldErrors['device.model']).toEqual([items[0], items[2]]);
    expect('toString' in fieldErrors).toBe(false);
    expect(isValidationError(error)).toBe(true);
  });

  test.each([
    [400, []],
    [400, undefined],
    [404, items],
  ])('%d with %j is not one', (status, given) => {
    const error = toApiError({ ...context, status, ...(given === undefined ? {} : { items: given }) });
    expect(isValidationError(error)).toBe(false);
  });
});
