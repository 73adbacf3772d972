import { ApiError, BadRequestError, isApiError, isValidationError, ValidationError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { toApiError } from '../../../src/errors/api-error.ts';

const context = { method: 'GET', url: 'https://a.test/v1/orders' };

describe('toApiError', () => {
  test.each([
    [405, 'MethodNotAllowedError', 'method_not_allowed', '405 Method Not Allowed'],
    [429, 'TooManyRequestsError', 'too_many_requests', '429 Too Many Requests'],
  ])('§7.1 %d names its status', (status, name, code, message) => {
    const error = toApiError({ ...context, status });
    expect(error).toMatchObject({
      ...context,
      status,
      code,
      name,
      message: `GET ${context.url}: ${message}`,
    });
  });

  test.each([402, 409, 422, 499, 502, 504, 599])('%d arrives as ApiError', (status) => {
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
    expect((error as ValidationError).at('lines.0.sku')).toEqual([]);
    expect(isValidationError(error)).toBe(true);
  });

  test('422 with items is one, with its status', () => {
    const error = toApiError({ ...context, status: 422, items });
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ code: 'validation_failed', status: 422, errors: items });
    expect(isValidationError(error)).toBe(true);
    expect([isApiError(error, 422), isApiError(error, 400)]).toEqual([true, false]);
  });

  test('items of the whole body, and without a code', () => {
    const whole = { field: '', message: 'Too many lines' };
    const named = { field: 'name', code: undefined };
    const error = toApiError({ ...context, status: 400, items: [whole, named] }) as ValidationError;
    expect(error.at('')).toEqual([whole]);
    expect(error.fieldErrors['']).toEqual([whole]);
    expect(error.message).toBe(`GET ${context.url}: 400 Bad Request: the body (Too many lines), name`);
  });

  test('the message names three of many', () => {
    const many = Array.from({ length: 5 }, (_, index) => ({ field: `f${index}`, code: 'invalid' }));
    const { message } = toApiError({ ...context, status: 400, items: many });
    expect(message).toContain('400 Bad Request: f0 (invalid), f1 (invalid), f2 (invalid), 2 more');
  });

  test('fieldErrors takes time in proportion to the items', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({ field: `f${index}`, code: 'invalid' }));
    const error = toApiError({ ...context, status: 400, items: many }) as ValidationError;
    // Quadratic, it takes minutes.
    expect(Object.keys(error.fieldErrors)).toHaveLength(50_000);
  });

  test.each([
    [400, []],
    [422, []],
    [404, items],
  ])('%d with %j is not one', (status, given) => {
    expect(isValidationError(toApiError({ ...context, status, items: given }))).toBe(false);
  });
});
