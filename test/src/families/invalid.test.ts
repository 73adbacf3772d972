import { describe, expect, test } from 'vitest';
import type { Family } from '../../../src/families/family.ts';
import {
  directus,
  drf,
  github,
  gitlab,
  laravel,
  nestjsPaginate,
  wordpress,
  yii2,
} from '../../../src/families/presets.ts';
import { readFamily } from '../../../src/families/read-family.ts';
import { createWire } from '../../../src/families/wire.ts';

const read = (family: Family, status: number, body: unknown) =>
  createWire(readFamily(family))
    .readItems?.(body, status)
    .map(({ field, code, message }) => [field, code, message]);

describe('the invalid fields as the servers of a family name them', () => {
  test('Yii2 has a list as the body', () => {
    const body = [{ field: 'quantity', message: 'Quantity must be a number.' }];
    expect(read(yii2, 422, body)).toStrictEqual([['quantity', undefined, 'Quantity must be a number.']]);
  });

  test('GitHub has codes, or strings', () => {
    const body = {
      message: 'Validation Failed',
      errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }],
    };
    expect(read(github, 422, body)).toStrictEqual([['title', 'missing_field', undefined]]);
    expect(read(github, 422, { errors: ['is too long'] })).toStrictEqual([['', undefined, 'is too long']]);
  });

  test('GitLab has a map under message, which is a string for other errors', () => {
    expect(read(gitlab, 400, { message: { title: ["can't be blank"] } })).toStrictEqual([
      ['title', undefined, "can't be blank"],
    ]);
    expect(read(gitlab, 400, { message: '400 Bad request' })).toStrictEqual([]);
  });

  test('WordPress has a map of strings', () => {
    const params = { per_page: 'per_page must be between 1 and 100' };
    const body = {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): per_page',
      data: { status: 400, params },
    };
    expect(read(wordpress, 400, body)).toStrictEqual([['per_page', undefined, params.per_page]]);
  });

  test('Django REST framework has a map as the body, which may be nested', () => {
    const body = {
      title: ['This field may not be blank.'],
      lines: [{}, { quantity: ['A valid integer is required.'] }],
      non_field_errors: ['The dates overlap.'],
    };
    expect(read(drf, 400, body)).toStrictEqual([
      ['title', undefined, 'This field may not be blank.'],
      ['lines.1.quantity', undefined, 'A valid integer is required.'],
      ['', undefined, 'The dates overlap.'],
    ]);
  });

  test('a summary in the place of a map is no item', () => {
    expect(read(drf, 400, { detail: 'JSON parse error' })).toStrictEqual([]);
  });

  test('Laravel has a map under errors', () => {
    const body = { message: 'The name is short.', errors: { 'lines.0.sku': ['is too short', 'is taken'] } };
    expect(read(laravel, 422, body)).toStrictEqual([
      ['lines.0.sku', undefined, 'is too short'],
      ['lines.0.sku', undefined, 'is taken'],
    ]);
  });

  test('NestJS has sentences that begin with the field', () => {
    const message = [
      'title should not be empty',
      'lines.0.quantity must not be less than 0',
      'Something is wrong',
    ];
    expect(read(nestjsPaginate, 400, { message, error: 'Bad Request', statusCode: 400 })).toStrictEqual([
      ['title', undefined, 'title should not be empty'],
      ['lines.0.quantity', undefined, 'lines.0.quantity must not be less than 0'],
      ['', undefined, 'Something is wrong'],
    ]);
  });

  test('Directus has its field and its code below extensions', () => {
    const extensions = { code: 'FAILED_VALIDATION', field: 'title' };
    const body = { errors: [{ message: 'Value is required.', extensions }] };
    expect(read(directus, 400, body)).toStrictEqual([['title', 'FAILED_VALIDATION', 'Value is required.']]);
  });

  test('a field that is a path in an array is joined with dots', () => {
    const invalid = { statuses: [400], items: 'error.details.errors', field: 'path' } as const;
    const body = { error: { details: { errors: [{ path: ['lines', '0', 'sku'], message: 'is short' }] } } };
    expect(read({ invalid }, 400, body)).toStrictEqual([['lines.0.sku', undefined, 'is short']]);
  });

  test('another status has no items', () => {
    expect(read(yii2, 409, [{ field: 'quantity', message: 'is taken' }])).toStrictEqual([]);
  });

  test('a body that is nested too deeply has none', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}["x"]${'}'.repeat(5_000)}`);
    expect(read(drf, 400, deep)).toStrictEqual([]);
  });
});
