import {
  basicAuth,
  collection,
  createClient,
  defineApi,
  InvalidRequestError,
  openEnum,
  resource,
} from 'restkin';
import { diagnose } from 'restkin/doctor';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { apisOf, importOf } from '../../support/import-document.ts';
import { documentOf, list, resourceOf, type Schema } from '../../support/odd-document.ts';

const known = ['open', 'shipped'] as const;
const declare = (status: Parameters<typeof resource>[0]) =>
  defineApi({
    name: 'growing',
    version: 1,
    auth: 'basic',
    collections: { orders: collection('orders', resource(status), { fields: true, paging: true }) },
  });
const api = declare({ status: openEnum(known), tags: z.array(openEnum(['a', 'b'])) });

describe('openEnum', () => {
  test('accepts a value that a minor release added (§9.2)', async () => {
    const status = 'archived';
    const mock = createMock(api, {
      data: { orders: [{ status, tags: ['a', 'new'] }] },
      authorize: () => true,
    });
    const auth = basicAuth({ username: 'ada', password: 'lovelace' });
    const { orders } = createClient({
      baseUrl: 'https://a.test',
      auth,
      fetch: mock.fetch,
    }).api(api);
    expect(await orders.list().toArray()).toMatchObject([{ status, tags: ['a', 'new'] }]);
    expect(await orders.create({ status: 'returned', tags: [] })).toMatchObject({ status: 'returned' });
  });

  test('refuses what is no string', async () => {
    const rows = [{ status: 7 as never, tags: [] }];
    expect(() => createMock(api, { data: { orders: rows } })).toThrow('status');
  });

  test.each([
    ['zod', { status: z.optional(openEnum(known)), all: z.array(openEnum(known)) }],
    ['zod/mini', { status: mini.optional(openEnum(known)), all: mini.array(openEnum(known)) }],
  ])('works within %s, and a mock generates known values only', (_, shape) => {
    const mock = createMock(declare(shape), { generate: 50 });
    const values = mock.state.rows('orders').flatMap((row) => {
      const { status, all } = row as { readonly status?: string; readonly all: readonly string[] };
      return [...all, ...(status === undefined ? [] : [status])];
    });
    expect(new Set(values)).toEqual(new Set(known));
  });

  test.each([[[]], ['open'], [[1]], [undefined]])('takes at least one string, and not %j', (values) => {
    expect(() => openEnum(values as never)).toThrow(InvalidRequestError);
  });
});

describe('in OpenAPI', () => {
  test('it is a string with `x-extensible-enum`, and comes back from there', async () => {
    const document = toOpenApi(api);
    expect(document.components.schemas.Order).toHaveProperty('properties.status', {
      type: 'string',
      'x-extensible-enum': known,
    });
    const imported = await importOf(document);
    expect(imported.imports).toContain('openEnum');
    expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
  });

  test('it is so in parameters too', () => {
    const params = z.object({ status: z.optional(openEnum(known)) });
    const orders = collection('orders', resource({}), { params });
    const { paths } = toOpenApi(defineApi({ ...api, collections: { orders } }));
    expect(paths['/v1/orders']?.get?.parameters).toMatchObject([{ schema: { 'x-extensible-enum': known } }]);
  });

  test.each<[string, Schema]>([
    ['`x-extensible-enum`', { type: 'string', 'x-extensible-enum': known }],
    [
      '`anyOf` of known values and any string',
      { anyOf: [{ type: 'string', enum: known }, { type: 'string' }] },
    ],
    ['`oneOf` in another order', { oneOf: [{ type: 'string' }, { enum: known }] }],
  ])('%s is imported as one', async (_, field) => {
    const { declarations } = await importOf(documentOf({ '/v1/things': list(resourceOf({ field })) }));
    expect(declarations).toContain("field: z.optional(openEnum(['open', 'shipped']))");
  });

  test('known values beside a string with a format stay a union', async () => {
    const field = { anyOf: [{ enum: known }, { type: 'string', format: 'date' }] };
    const { declarations } = await importOf(documentOf({ '/v1/things': list(resourceOf({ field })) }));
    expect(declarations).toContain("z.union([z.enum(['open', 'shipped']), z.iso.date()])");
  });
});

test('the doctor reports values that are not listed, without the values', async () => {
  const rows = ['open', 'archived', 'archived'].map((status) => ({ status, tags: ['a', 'x'] }));
  const mock = createMock(api, { data: { orders: rows } });
  const login = { username: 'ada', password: 'lovelace' };
  const { findings } = await diagnose(api, { baseUrl: 'https://a.test', ...login, fetch: mock.fetch });
  expect(findings.find(({ rule }) => rule === '§2.1 specific fields')).toMatchObject({
    outcome: 'notDeclared',
    reason: 'records with values that their openEnum does not list: status (2), tags (3)',
  });
});
