import { createClient, customAuth, family } from 'restkin';
import { type Family, jsonServer, yii2 } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { documentInspector } from '../../support/documented.ts';
import { apisOf, importOf } from '../../support/import-document.ts';
import { declarePreset, otherPresets, presetNames } from '../../support/preset-apis.ts';

const headers = { authorization: `Basic ${btoa('a:b')}`, 'content-type': 'application/json' };
const companies = [{ id: 1, name: 'Acme' }];
const rows = [1, 2, 3].map((id) => ({ id, title: `Order ${id}`, pages: id, lines: [{ note: 'n' }] }));

describe.each(presetNames)('the document of an API of the family %s', (name) => {
  const api = declarePreset(name);
  const document = toOpenApi(api);
  const { wire } = api;
  const end = wire?.family.trailingSlash ? '/' : '';
  const base = `https://api.test/${(wire?.family.path ?? '').replace('{version}', '1')}`.replace(
    /(?<!\/)$/,
    '/',
  );

  test('has what its mock sends', async () => {
    const inspect = documentInspector(document);
    const { query = {} }: Family = wire?.family ?? {};
    const orders = rows.map((row) => (query.expand === undefined ? row : { ...row, company: 1 }));
    const mock = createMock(api, { data: { companies, orders: orders as never } });
    const pages = `?${query.page}=1&${query.perPage}=2`;
    const expanded = query.expand === undefined ? [] : [`${pages}&${query.expand}=company`];
    const limited = query.fields === undefined ? [] : [`${pages}&${query.fields}=title`];
    const body = JSON.stringify({ title: 'New', pages: 1, lines: [] });
    const calls: readonly (readonly [string, string, string?])[] = [
      ...[pages, ...expanded, ...limited].map((search) => ['GET', `orders${end}${search}`] as const),
      ['GET', `orders/1${end}`],
      ['GET', `orders/99${end}`],
      ['POST', `orders${end}`, body],
      ['POST', `orders${end}`, '{"title":"x"}'],
      ['PATCH', `orders/1${end}`, '{"pages":9}'],
      ['PUT', `orders/1${end}`, body],
      ['DELETE', `orders/1${end}`],
      ['GET', `latest${end}`],
      ['GET', `summary${end}`],
    ];
    for (const [method, path, sent] of calls) {
      const init = { method, headers, ...(sent !== undefined && { body: sent }) };
      const request = new Request(base + path, init);
      const response = await mock.respond(request.clone());
      expect([method, path, await inspect(request, response)]).toEqual([method, path, []]);
    }
  });

  test('has its parameters by the names of the family', () => {
    const list = document.paths[Object.keys(document.paths).find((path) => path.includes('orders')) ?? ''];
    const names = list?.get?.parameters?.map((parameter) => parameter.name);
    const { page, perPage, sort } = otherPresets[name].query;
    expect(names).toEqual(expect.arrayContaining([page, perPage, sort]));
  });
});

test('the values of `sort` are those of the family', () => {
  const sortOf = (name: 'drf' | 'nestjsPaginate' | 'spring' | 'github' | 'jsonServer') => {
    const { paths } = toOpenApi(declarePreset(name));
    const [, list] = Object.entries(paths).find(([path]) => /orders\/?$/.test(path)) ?? [];
    const { sort } = otherPresets[name].query;
    return list?.get?.parameters?.find((parameter) => parameter.name === sort);
  };
  expect(sortOf('drf')?.schema).toMatchObject({ items: { enum: ['title', '-title', 'pages', '-pages'] } });
  expect(sortOf('spring')).toMatchObject({
    explode: true,
    schema: { items: { enum: ['title,asc', 'title,desc', 'pages,asc', 'pages,desc'] } },
  });
  expect(sortOf('nestjsPaginate')?.schema).toMatchObject({
    items: { enum: ['title:ASC', 'title:DESC', 'pages:ASC', 'pages:DESC'] },
  });
  expect(sortOf('github')?.schema).toEqual({ type: 'string', enum: ['title', 'pages'] });
  expect(sortOf('jsonServer')).toMatchObject({
    explode: false,
    schema: { type: 'array', items: { enum: ['title', 'pages'] } },
  });
});

test('the values of `fields` are those that the client sends', async () => {
  const { resource, collection, defineApi } = family({ ...yii2, idField: 'uuid' });
  const Order = resource({ status: z.string(), lines: z.array(resource({ sku: z.string() })) });
  const orders = collection('orders', Order, { fields: ['status', 'lines.sku'] });
  const api = defineApi({ name: 'shop', auth: 'custom', collections: { orders } });
  const [parameter] =
    toOpenApi(api, { securitySchemes: { custom: {} } }).paths['/orders']?.get?.parameters ?? [];
  const allowed = ['uuid', 'status', 'lines.uuid', 'lines.sku'];
  expect(parameter?.schema).toEqual({ type: 'array', items: { type: 'string', enum: allowed } });
  const { fetch, requests } = createMock(api);
  const client = createClient({ baseUrl: 'https://api.test', auth: customAuth(() => ({})), fetch });
  await client.api(api).orders.list({ fields: ['status', 'lines.sku'] });
  expect(requests[0]?.search.get('fields')?.split(',')).toEqual(allowed);
});

test('a list without pages asks for the first one, where its family pages only on request', async () => {
  const { resource, collection, defineApi } = family(jsonServer);
  const tags = collection('tags', resource({ name: z.string() }));
  const api = defineApi({ name: 'blog', auth: 'custom', collections: { tags } });
  const document = toOpenApi(api, { securitySchemes: { custom: { type: 'http', scheme: 'basic' } } });
  expect(document.paths['/tags']?.get?.parameters).toEqual([
    {
      name: '_page',
      in: 'query',
      description: 'What each list sends.',
      required: true,
      schema: { type: 'integer', const: 1 },
    },
  ]);
  const imported = await importOf(document);
  expect(imported.unfit).toEqual([]);
  const [again] = apisOf(imported);
  expect(again?.collections.tags?.options).not.toHaveProperty('paging');
});

test('what a relation is before it is expanded is what the family sends', () => {
  const schemaOf = (given: { readonly unexpanded: 'reference' | 'id' | 'absent' }) => {
    const { resource, expandable, collection, defineApi } = family({ identity: ['id'], ...given });
    const Company = resource({ name: z.string() });
    const Order = resource({ company: expandable(Company) });
    const orders = collection('orders', Order, { expand: ['company'] });
    const { schemas } = toOpenApi(
      defineApi({ name: 'a', version: 1, auth: 'token', collections: { orders } }),
    ).components;
    return [schemas.Order, schemas.OrderBody].map((schema) => schema?.properties);
  };
  const whole = { $ref: '#/components/schemas/Company' };
  const id = { type: 'number' };
  expect(schemaOf({ unexpanded: 'id' })).toMatchObject([
    { company: { anyOf: [whole, id] } },
    { company: id },
  ]);
  expect(schemaOf({ unexpanded: 'absent' })).toMatchObject([{ company: { ...whole, readOnly: true } }, {}]);
  expect(schemaOf({ unexpanded: 'absent' })[1]).toEqual({});
  expect(schemaOf({ unexpanded: 'reference' })).toMatchObject([
    { company: { anyOf: [whole, { $ref: '#/components/schemas/CompanyReference' }] } },
    { company: { properties: { id: {} } } },
  ]);
});
