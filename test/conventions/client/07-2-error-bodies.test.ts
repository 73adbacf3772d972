import { BadRequestError, isValidationError, NotFoundError, ValidationError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { json, record } from '../../support/recording-server.ts';
import { orderBody, rejectionOf, shopAt } from '../../support/shop.ts';

describe('§7.2 error bodies', () => {
  const items = [
    { field: 'device.model', code: 'missingField' },
    {
      field: 'createdAt',
      code: 'invalid',
      message: 'not a date',
      reference: 'https://docs.example.com/dates',
    },
    { field: 'lines.0.quantity', code: 'tooMany', message: 'at most 5' },
    { field: 'createdAt', code: 'invalid', message: 'in the past' },
  ];
  const failure = { message: 'The request is not valid', errors: items };

  test('§2.3 every field in error is named, with its dotted path, code, message and reference', async () => {
    await using server = await record(() => json(failure, 400));
    const error = await rejectionOf(shopAt(server).orders.create(orderBody));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(isValidationError(error)).toBe(true);
    expect(error).toMatchObject({ detail: failure.message, code: 'validation_failed', status: 400 });
    expect((error as ValidationError).errors).toEqual(items);
  });

  test('§7.2.3 fieldErrors has the items by path', async () => {
    await using server = await record(() => json(failure, 400));
    const error = await rejectionOf(shopAt(server).orders.create(orderBody));
    expect({ ...(error as ValidationError).fieldErrors }).toEqual({
      'device.model': [items[0]],
      createdAt: [items[1], items[3]],
      'lines.0.quantity': [items[2]],
    });
  });

  test.each([
    ['no errors', { message: 'The body is not JSON' }],
    ['no items', { message: 'The body is not JSON', errors: [] }],
    ['errors that are no list', { message: 'The body is not JSON', errors: 'all' }],
  ])('§7.2.2 a 400 with %s is a BadRequestError', async (_what, body) => {
    await using server = await record(() => json(body, 400));
    const error = await rejectionOf(shopAt(server).orders.create(orderBody));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).not.toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ detail: 'The body is not JSON', code: 'bad_request' });
  });

  test.each([
    ['a page', '<h1>Not Found</h1>'],
    ['nothing', ''],
    ['a list', '[1]'],
    ['null', 'null'],
    ['a message that is no text', '{"message":5}'],
  ])('§7.2.2 an error with %s for a body keeps its status', async (_what, body) => {
    await using server = await record(() => ({ status: 404, body }));
    const error = await rejectionOf(shopAt(server).orders.get(1));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, message: expect.stringContaining(': 404 Not Found') });
  });
});
