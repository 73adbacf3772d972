import { describe, expect, test } from 'vitest';
import type { Family } from '../../../src/families/family.ts';
import {
  directus,
  drf,
  gitea,
  github,
  gitlab,
  laravel,
  nestjsPaginate,
  spring,
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

  // What the ValidationPipe of NestJS 11 writes over class-validator 0.15, with `forbidNonWhitelisted`.
  test.each([
    ['title must be a string', 'title'],
    ['first-name should not be null or undefined', 'first-name'],
    ['property x should not exist', 'x'],
    ['each value in tags must be a string', 'tags'],
    ["All codes's elements must be unique", 'codes'],
    ["name's byte length must fall into (1, 2) range", 'name'],
    ['maximal allowed date for until is Thu Jan 01 1970', 'until'],
    ['minimal allowed date for each value in dates is Thu Jan 01 1970', 'dates'],
    ['each value in minimal allowed date for dates is Thu Jan 01 1970', 'dates'],
    ['password is not strong enough', 'password'],
    ['items.0.price must be a number conforming to the specified constraints', 'items.0.price'],
    ['items.0.property y should not exist', 'items.0.y'],
    ['items.0.each value in tags must be a string', 'items.0.tags'],
    ['items.0.tax.property z should not exist', 'items.0.tax.z'],
    ['nested property tax must be either object or array', 'tax'],
    ['items.0.nested property tax must be either object or array', 'items.0.tax'],
    ['others.each value in nested property others must be either object or array', 'others'],
    ['property must be a string', 'property'],
    ['each must be a string', 'each'],
    ['nested property items.0.x should not exist', 'items.0.x'],
    ['größe must not be less than 1', 'größe'],
    ['items.0.SKU must be a string', 'items.0.SKU'],
    ['an unknown value was passed to the validate function', ''],
    ['Something is wrong', ''],
    ['passwords do not match', ''],
    ['', ''],
    [`${'a.'.repeat(100_000)}b must be a string`, ''],
  ])('NestJS: %s', (message, field) => {
    expect(read(nestjsPaginate, 400, { message: [message] })).toStrictEqual([[field, undefined, message]]);
  });

  test('Spring has indices in brackets, and errors of the whole object', () => {
    const errors = [
      {
        codes: ['NotNull.lines[0].sku'],
        defaultMessage: 'must not be null',
        field: 'lines[0].sku',
        code: 'NotNull',
      },
      { defaultMessage: 'the dates overlap', objectName: 'order', code: 'Dates' },
      { defaultMessage: 'must be short', field: 'attributes[color]', code: 'Size' },
    ];
    expect(read(spring, 400, { status: 400, error: 'Bad Request', errors, path: '/orders' })).toStrictEqual([
      ['lines.0.sku', 'NotNull', 'must not be null'],
      ['', 'Dates', 'the dates overlap'],
      ['attributes.color', 'Size', 'must be short'],
    ]);
  });

  test('Django REST framework has strings for fields, lists as the body, and errors of nested objects', () => {
    expect(read(drf, 400, { title: 'This title is taken.' })).toStrictEqual([
      ['title', undefined, 'This title is taken.'],
    ]);
    expect(read(drf, 400, ['The library is closed.'])).toStrictEqual([
      ['', undefined, 'The library is closed.'],
    ]);
    expect(read(drf, 400, [{}, { title: ['Too long.'] }])).toStrictEqual([
      ['1.title', undefined, 'Too long.'],
    ]);
    const nested = {
      tags: { 0: ['Not a valid string.'] },
      lines: { non_field_errors: ['Expected a list.'] },
    };
    expect(read(drf, 400, nested)).toStrictEqual([
      ['tags.0', undefined, 'Not a valid string.'],
      ['lines', undefined, 'Expected a list.'],
    ]);
  });

  test('a summary has other strings beside it, which are no fields', () => {
    const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'JSON parse error' };
    expect(read(drf, 400, problem)).toStrictEqual([]);
    expect(read(drf, 400, { message: 'Wrong.', title: ['Too long.'] })).toStrictEqual([
      ['title', undefined, 'Too long.'],
    ]);
  });

  test('Rails has a map, a list, or indices in brackets', () => {
    const rails = { invalid: { statuses: [422], items: 'errors', form: 'map', whole: 'base' } } as const;
    const errors = { 'lines[0].sku': ["can't be blank"], base: ['The order is closed'] };
    expect(read(rails, 422, { errors })).toStrictEqual([
      ['lines.0.sku', undefined, "can't be blank"],
      ['', undefined, 'The order is closed'],
    ]);
    expect(read(rails, 422, { errors: ["Sku can't be blank"] })).toStrictEqual([
      ['', undefined, "Sku can't be blank"],
    ]);
  });

  test('GitHub and Gitea may have one string', () => {
    const errors = 'Could not resolve to a node';
    expect(read(github, 422, { message: 'Validation Failed', errors })).toStrictEqual([
      ['', undefined, errors],
    ]);
    expect(
      read(gitea, 422, { message: '[Title]: Required', url: 'https://gitea.test/api/swagger' }),
    ).toStrictEqual([]);
  });

  test('GitLab has messages of the whole, and strings in a list', () => {
    const base = { base: ['The limit is reached'], 'project_namespace.name': ['has already been taken'] };
    expect(read(gitlab, 400, { message: base })).toStrictEqual([
      ['', undefined, 'The limit is reached'],
      ['project_namespace.name', undefined, 'has already been taken'],
    ]);
    expect(read(gitlab, 400, { message: ['Branch exists'] })).toStrictEqual([
      ['', undefined, 'Branch exists'],
    ]);
    expect(read(gitlab, 400, { error: 'title is missing' })).toStrictEqual([]);
  });

  test('Directus has its field and its code below extensions', () => {
    const extensions = { code: 'FAILED_VALIDATION', field: 'title' };
    const body = { errors: [{ message: 'Value is required.', extensions }] };
    expect(read(directus, 400, body)).toStrictEqual([['title', 'FAILED_VALIDATION', 'Value is required.']]);
  });

  test('Payload has them in the first of its errors', () => {
    const invalid = { statuses: [400], items: 'errors.0.data.errors', field: 'path' } as const;
    const errors = [{ message: 'This field is required.', path: 'lines.0.sku', label: 'Lines > Sku' }];
    const body = { errors: [{ name: 'ValidationError', data: { collection: 'books', errors } }] };
    expect(read({ invalid }, 400, body)).toStrictEqual([
      ['lines.0.sku', undefined, 'This field is required.'],
    ]);
    expect(read({ invalid }, 400, { errors: [] })).toStrictEqual([]);
    expect(read({ invalid: { ...invalid, items: 'errors.length' } }, 400, body)).toStrictEqual([]);
  });

  test('a field that is a path in an array is joined with dots', () => {
    const invalid = { statuses: [400], items: 'error.details.errors', field: 'path' } as const;
    const body = { error: { details: { errors: [{ path: ['lines', '0', 'sku'], message: 'is short' }] } } };
    expect(read({ invalid }, 400, body)).toStrictEqual([['lines.0.sku', undefined, 'is short']]);
  });

  test('FastAPI names the place of the request before the field', () => {
    const invalid = {
      statuses: [422],
      items: 'detail',
      field: 'loc',
      prefix: 'body',
      code: 'type',
      message: 'msg',
    } as const;
    const detail = [
      { type: 'missing', loc: ['body', 'title'], msg: 'Field required' },
      { type: 'int_parsing', loc: ['body', 'lines', 0, 'sku'], msg: 'Not an integer' },
      { type: 'missing', loc: ['body'], msg: 'Field required' },
      { type: 'missing', loc: ['query', 'page'], msg: 'Field required' },
      { type: 'missing', loc: ['bodywork'], msg: 'Field required' },
      { type: 'missing', loc: ['body', JSON.parse('{"toString": null}'), 'title'], msg: 'Field required' },
    ];
    expect(read({ invalid }, 422, { detail })?.map(([field]) => field)).toStrictEqual([
      'title',
      'lines.0.sku',
      '',
      'query.page',
      'bodywork',
      'title',
    ]);
  });

  test('LoopBack, ajv and problem details have JSON Pointers', () => {
    const loopback = { statuses: [422], items: 'error.details', field: 'path' } as const;
    const details = [{ path: '/lines/0/sku', code: 'required', message: 'is required' }];
    expect(read({ invalid: loopback }, 422, { error: { details } })).toStrictEqual([
      ['lines.0.sku', 'required', 'is required'],
    ]);
    const problem = { statuses: [422], items: 'errors', field: 'pointer', message: 'detail' } as const;
    const errors = [{ pointer: '#/age', detail: 'must be positive' }];
    expect(read({ invalid: problem }, 422, { errors })).toStrictEqual([
      ['age', undefined, 'must be positive'],
    ]);
    const openApiValidator = { statuses: [400], items: 'errors', field: 'path', prefix: 'body' } as const;
    const ofBody = [{ path: '/body/name', message: 'must be string' }];
    expect(read({ invalid: openApiValidator }, 400, { errors: ofBody })).toStrictEqual([
      ['name', undefined, 'must be string'],
    ]);
  });

  test('PocketBase and mongoose have a map of objects with a message', () => {
    const pocketBase = { statuses: [400], items: 'data', form: 'map', code: 'code' } as const;
    const data = { title: { code: 'validation_required', message: 'Missing required value.' } };
    expect(read({ invalid: pocketBase }, 400, { status: 400, message: 'Failed.', data })).toStrictEqual([
      ['title', 'validation_required', 'Missing required value.'],
    ]);
    const mongoose = { statuses: [400], items: 'errors', form: 'map', code: 'kind' } as const;
    const errors = {
      'lines.0.sku': {
        name: 'ValidatorError',
        kind: 'required',
        path: 'lines.0.sku',
        message: 'is required',
      },
      device: { model: { kind: 'minlength', message: 'is short' } },
    };
    expect(read({ invalid: mongoose }, 400, { errors })).toStrictEqual([
      ['lines.0.sku', 'required', 'is required'],
      ['device.model', 'minlength', 'is short'],
    ]);
    const inList = { title: [{ code: 'blank', message: 'May not be blank.' }] };
    expect(read({ invalid: { ...pocketBase, items: '' } }, 400, inList)).toStrictEqual([
      ['title', 'blank', 'May not be blank.'],
    ]);
  });

  // PHP encodes an array without its first item, or with gaps, as an object.
  test('a list that PHP writes as an object with numbers for keys is a list', () => {
    const items = { 1: { field: 'title', message: 'is short' }, 4: { field: 'sku', message: 'is taken' } };
    const expected = [
      ['title', undefined, 'is short'],
      ['sku', undefined, 'is taken'],
    ];
    expect(read(yii2, 422, items)).toStrictEqual(expected);
    expect(read({ invalid: { statuses: [422], items: 'errors' } }, 422, { errors: items })).toStrictEqual(
      expected,
    );
    expect(read(nestjsPaginate, 400, { message: { 1: 'quantity must be a number' } })).toStrictEqual([
      ['quantity', undefined, 'quantity must be a number'],
    ]);
    expect(read(laravel, 422, { errors: { title: { 1: 'is short', 2: 'is taken' } } })).toStrictEqual([
      ['title', undefined, 'is short'],
      ['title', undefined, 'is taken'],
    ]);
    expect(read(laravel, 422, { errors: { lines: { 1: { sku: ['is taken'] } } } })).toStrictEqual([
      ['lines.1.sku', undefined, 'is taken'],
    ]);
    expect(read(yii2, 422, {})).toStrictEqual([]);
    expect(read(yii2, 422, { 1: 'a', code: 'b' })).toStrictEqual([]);
  });

  test('another status has no items', () => {
    expect(read(yii2, 409, [{ field: 'quantity', message: 'is taken' }])).toStrictEqual([]);
  });

  test('a body that is nested too deeply has none', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}["x"]${'}'.repeat(5_000)}`);
    expect(read(drf, 400, deep)).toStrictEqual([]);
  });
});
