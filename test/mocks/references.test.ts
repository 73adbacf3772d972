import { collection, defineApi, InvalidRequestError, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { send } from './calls.ts';

const Item = resource({
  sku: z.string(),
  size: z.object({ width: z.number() }),
  parts: z.array(resource({ count: z.int() })),
});
const docs = 'https://docs.example.com';
const api = defineApi({
  name: 'stock',
  version: 1,
  auth: 'custom',
  collections: {
    items: collection('items', Item, {
      bulk: {},
      references: { 'size.width': `${docs}/width`, 'parts.count': `${docs}/count` },
    }),
  },
});

const errorsOf = async (body: unknown) => {
  const { status, json } = await send(createMock(api), '/v1/items', { method: 'POST', body });
  return [
    status,
    json.errors.map(({ field, reference }: { field: string; reference?: string }) => [field, reference]),
  ];
};

test('§2.3 the errors of a field have its declared reference', async () => {
  const wrong = { size: { width: 'wide' }, parts: [{ count: 1 }, { count: 1.5 }] };
  const errors = [
    ['sku', undefined],
    ['size.width', `${docs}/width`],
    ['parts.1.count', `${docs}/count`],
  ];
  expect(await errorsOf(wrong)).toEqual([400, errors]);
  const missing = await send(createMock(api), '/v1/items', {
    method: 'POST',
    body: { sku: 'a', size: {}, parts: [] },
  });
  expect(missing.json.errors).toEqual([
    { field: 'size.width', code: 'missingField', reference: `${docs}/width` },
  ]);
});

test('§8 in a bulk request as well', async () => {
  const good = { sku: 'a', size: { width: 1 }, parts: [] };
  expect(await errorsOf([good, { ...good, size: { width: 'wide' } }])).toEqual([
    400,
    [['1.size.width', `${docs}/width`]],
  ]);
});

test('§2.3 an unknown field that is named like a member of every object has none', async () => {
  const Sku = z.strictObject({ sku: z.string() });
  const items = collection('items', Item, { references: { sku: docs }, bodies: { create: Sku } });
  const mock = createMock(defineApi({ ...api, collections: { items } }));
  const { json } = await send(mock, '/v1/items', { method: 'POST', body: '{"sku":"a","__proto__":{}}' });
  expect(json.errors).toEqual([{ field: '__proto__', code: 'invalid', message: expect.any(String) }]);
});

test('a reference of a field that the resource does not have is refused', () => {
  const references = { height: docs };
  // @ts-expect-error the compiler knows the fields
  const declare = () => collection('items', Item, { references });
  expect(() => defineApi({ ...api, collections: { items: declare() } })).toThrow(InvalidRequestError);
});
