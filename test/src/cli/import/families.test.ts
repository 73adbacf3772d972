import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  list,
  objectOf,
  query,
  response,
  type Schema,
} from '../../../support/odd-document.ts';

const integer = { type: 'integer' };
const string = { type: 'string' };
const item = (properties: Schema, required: readonly string[] = []) => ({
  type: 'object',
  required: ['id', ...required],
  properties: { id: integer, ...properties },
});
const pages = [query('page', integer), query('per_page', { ...integer, maximum: 100 })];
const github = [query('sort', string), query('direction', string), ...pages];
const issue = item({ number: integer, title: string }, ['title']);
const numbers = { total: integer, last_page: integer, current_page: integer, per_page: integer };
const withHeaders = (headers: Schema) => ({ ...response({ type: 'array', items: issue }), headers });

describe('the family of a document', () => {
  test.each<[string, string, Schema]>([
    [
      'github',
      '`page` and `per_page` of 1 list',
      { get: { parameters: github, responses: { 200: withHeaders({ Link: {} }) } } },
    ],
    [
      'laravel',
      '`page` and `per_page` of 1 list, with the records in `data`',
      {
        get: {
          parameters: pages,
          responses: {
            200: response({
              properties: {
                data: { type: 'array', items: issue },
                meta: { allOf: [{ properties: numbers }] },
              },
            }),
          },
        },
      },
    ],
    [
      'gitlab',
      '`page` and `per_page` of 1 list',
      {
        get: {
          parameters: [query('order_by', string), query('sort', string), ...pages],
          responses: { 200: withHeaders({ Link: {}, 'X-Total': {} }) },
        },
      },
    ],
  ])('is %s by its lists', async (preset, reason, path) => {
    const base = preset === 'github' ? '' : preset === 'laravel' ? '/api' : '/api/v4';
    const { family, imports, declarations } = await importOf(documentOf({ [`${base}/issues`]: path }));
    expect(family).toBe(`Family: ${preset}, by ${reason}`);
    expect(imports).toBe(
      `import { family } from 'restkin';\nimport { ${preset} } from 'restkin/families';\nimport * as z from 'zod';`,
    );
    expect(declarations).toMatch(
      new RegExp(`^const \\{ collection, defineApi, resource \\} = family\\(${preset}\\);`),
    );
    expect(declarations).toContain("issues: collection('issues', Issues, {");
  });

  test('is that of the conventions where no list shows another', async () => {
    const { family, imports } = await importOf(documentOf({ '/v1/things': list(issue) }));
    expect(family).toBe('Family: conventions, because no list has the names and the form of another preset');
    expect(imports).not.toContain('restkin/families');
  });

  test('is the one that is named, without a path that the document does not have', async () => {
    const imported = await importOf(documentOf({ '/issues': list(issue) }), [], 'gitlab');
    expect(imported.family).toBe('Family: gitlab, without its path, as --family says');
    expect(imported.declarations).toContain("= family({ ...gitlab, path: '' });");
    expect(apisOf(imported)).toHaveLength(1);
  });

  const formOf = async (parameters: readonly Schema[], responses: Schema) => {
    const imported = await importOf(documentOf({ '/issues': { get: { parameters, responses } } }));
    const [, form] = /family\((.+?)\);\n/s.exec(imported.declarations) ?? [];
    return { family: imported.family, form: form?.replace(/\s+/g, ' '), unfit: imported.unfit };
  };

  test('has another list than its preset, where the document does', async () => {
    expect(await formOf(pages, { 200: withHeaders({ 'X-Total': {} }) })).toEqual({
      family: 'Family: github, with another `list`, by `page` and `per_page` of 1 list',
      form: "{ ...github, list: { next: 'number', totalCount: { header: 'X-Total' } } }",
      unfit: [],
    });
    const body = { items: { type: 'array', items: issue }, next: { type: 'string' }, count: integer };
    const limited = [query('page', { ...integer, default: 0 }), query('limit', integer)];
    expect((await formOf(limited, { 200: response({ properties: body }) })).form).toBe(
      "{ ...gitea, path: '', firstPage: 0, list: { items: 'items', next: { body: 'next', optional: true } }, }",
    );
  });

  test('has the records beside other lists, and the pages beside an offset', async () => {
    const errors = { type: 'array', items: { properties: { code: string } } };
    const body = { errors, orders: { type: 'array', items: issue }, total: integer };
    expect((await formOf(pages, { 200: response({ properties: body }) })).form).toBe(
      "{ ...github, list: { items: 'orders', next: 'number', totalCount: { body: 'total' } } }",
    );
    const both = [...pages, query('offset', integer)];
    expect((await formOf(both, { 200: withHeaders({ 'X-Total': {} }) })).form).toBe(
      "{ ...github, list: { next: 'number', totalCount: { header: 'X-Total' } } }",
    );
  });

  test('has one record where the document has it', async () => {
    const body = { data: { type: 'array', items: issue }, meta: { properties: numbers } };
    const imported = await importOf(
      documentOf({
        '/api/issues': { get: { parameters: pages, responses: { 200: response({ properties: body }) } } },
        '/api/issues/{id}': { get: { responses: { 200: response(issue) } } },
      }),
    );
    expect(imported.family).toMatch(/^Family: laravel, with another `item`, by /);
    expect(imported.declarations).toContain("operations: ['list', 'get']");
  });

  const strings = { type: 'array', items: string };
  const listOf = (properties: Schema) => ({ type: 'array', items: { type: 'object', properties } });
  test.each<[string, string, Schema, string | undefined, type?: string]>([
    [
      'a map',
      '422',
      { properties: { message: string, errors: { type: 'object', additionalProperties: strings } } },
      "{ statuses: [422], items: 'errors', form: 'map' }",
    ],
    [
      'a map that is the body',
      '400',
      { type: 'object', additionalProperties: strings },
      "{ statuses: [400], items: '', form: 'map' }",
    ],
    [
      'a list in an object',
      '400',
      { properties: { error: { properties: { details: listOf({ path: string, message: string }) } } } },
      "{ statuses: [400], items: 'error.details', field: 'path', message: 'message' }",
    ],
    [
      'a list of other names, as that of FastAPI',
      '422',
      { properties: { detail: listOf({ loc: strings, msg: string, type: string }) } },
      "{ statuses: [422], items: 'detail', field: 'loc', code: 'type', message: 'msg', prefix: 'body' }",
    ],
    [
      'a map of objects, as that of PocketBase',
      '400',
      {
        properties: {
          data: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { code: string, message: string } },
          },
        },
      },
      "{ statuses: [400], items: 'data', form: 'map', code: 'code', message: 'message' }",
    ],
    ['its own list', '422', { properties: { errors: listOf({ field: string, code: string }) } }, undefined],
    [
      'its own list for another status',
      '400',
      { properties: { errors: listOf({ field: string }) } },
      "{ statuses: [400], items: 'errors' }",
    ],
    ['a message alone', '422', { properties: { message: string } }, undefined],
    [
      'a list as application/problem+json',
      '422',
      { properties: { violations: listOf({ field: string, message: string }) } },
      "{ statuses: [422], items: 'violations', field: 'field', message: 'message' }",
      'application/problem+json',
    ],
    [
      'a list as application/json with a charset',
      '400',
      { properties: { violations: listOf({ field: string, message: string }) } },
      "{ statuses: [400], items: 'violations', field: 'field', message: 'message' }",
      'Application/JSON; charset=utf-8',
    ],
  ])('reads %s of invalid fields', async (_, status, error, printed, type = 'application/json') => {
    const invalid = { description: '', content: { [type]: { schema: error } } };
    const responses = { 201: response(issue), [status]: invalid };
    const { declarations } = await importOf(
      documentOf({
        '/issues': {
          get: { parameters: pages, responses: { 200: withHeaders({ Link: {} }) } },
          post: { requestBody: json({ properties: { title: string } }), responses },
        },
      }),
    );
    const code = declarations.replace(/\s+/g, ' ').replaceAll(', }', ' }');
    const expected = printed === undefined ? 'family(github)' : `family({ ...github, invalid: ${printed} })`;
    expect(code).toContain(expected);
    expect(apisOf({ imports: '', declarations, summary: '', unfit: [] })).toHaveLength(1);
  });

  test('has the totals that some of its lists have', async () => {
    const get = (headers: Schema) => ({
      get: { parameters: pages, responses: { 200: withHeaders(headers) } },
    });
    const imported = await importOf(
      documentOf({
        '/issues': get({ Link: {}, 'X-Total': {} }),
        '/events': get({ Link: {} }),
        '/users': get({}),
      }),
    );
    expect(imported.declarations).toContain("list: { next: 'link', anyPath: true, totalCount:");
    expect(imported.declarations.replace(/\s+/g, ' ')).toContain(
      "events: collection('events', Event2, { paging: { maxPerPage: 100, totals: false }",
    );
    expect(imported.unfit).toEqual([
      'shopAPI.users.list: how it continues, which the document says of other lists: compare it with the server, as it may end after its first page',
    ]);
  });

  test('reports lists of which nothing says how they continue', async () => {
    const { family } = await formOf(pages, { 200: withHeaders({}) });
    expect(family).toMatch(
      /^Family: github, by .+ of 1 list\. Nothing in the document says how a list continues:/,
    );
  });

  test('is the one that is named, with a line where the document says that lists continue in another way', async () => {
    const get = { parameters: pages, responses: { 200: withHeaders({ 'X-Total': {} }) } };
    const { family, declarations } = await importOf(documentOf({ '/issues': { get } }), [], 'github');
    expect(family).toBe(
      'Family: github, as --family says, although its lists continue in another way by the document; the import without --family reads it',
    );
    expect(declarations).toContain('= family(github);');
  });

  test('says which headers its lists must have where the document does not name them', async () => {
    const path = list(issue, { parameters: [query('page', integer), query('limit', integer)] });
    const { family } = await importOf(documentOf({ '/api/v1/issues': path }), [], 'gitea');
    expect(family).toBe(
      'Family: gitea, as --family says. Each list must have the header X-Total-Count, which the document does not name; declare one without it with `paging: { totals: false }`',
    );
  });

  test('says nothing of the headers that its lists must have where the document names them', async () => {
    const documented = {
      get: {
        parameters: [query('page', integer), query('limit', integer)],
        responses: {
          200: { ...response({ type: 'array', items: issue }), headers: { 'X-Total-Count': {} } },
        },
      },
    };
    const known = await importOf(documentOf({ '/api/v1/issues': documented }), [], 'gitea');
    expect(known.family).toBe('Family: gitea, as --family says');
  });

  test('says where the largest page is not known of a family that lowers sizes', async () => {
    const sizesOf = async (size: Schema) => {
      const pages = [query('page', integer), query('per_page', { ...integer, ...size })];
      const body = objectOf({ data: { type: 'array', items: issue }, total: integer });
      const get = { parameters: pages, responses: { 200: response(body) } };
      const { declarations, sizes } = await importOf(documentOf({ '/issues': { get } }));
      expect(declarations).toContain("next: 'number', totalCount: { body: 'total' } }");
      return sizes;
    };
    expect(await sizesOf({})).toMatch(
      /^Not in the document: the largest size of a page\. Declare it in paging: /,
    );
    expect(await sizesOf({ maximum: 100 })).toBe('');
  });

  test('with a name that no preset has is refused', async () => {
    const named = importOf(documentOf({ '/issues': list(issue) }), [], 'toString');
    await expect(named).rejects.toThrow('--family must be the name of a preset: conventions, yii2, github');
  });
});

describe('a part of the query that takes a list', () => {
  const names = { type: 'array', items: string };
  const importWith = (sort: Schema) =>
    importOf(
      documentOf({
        '/api/issues': {
          get: {
            parameters: [sort, query('include', names), ...pages],
            responses: {
              200: response({
                properties: { data: { type: 'array', items: issue }, meta: objectOf(numbers) },
              }),
            },
          },
        },
      }),
    );

  test('is repeated where the document says so', async () => {
    const { declarations, unfit } = await importWith(query('sort', names));
    expect(declarations).toContain("repeated: ['sort', 'expand']");
    expect(unfit.join()).not.toContain('sort');
  });

  test('is joined with commas where the document says so', async () => {
    const { declarations } = await importWith({ ...query('sort', names), explode: false });
    expect(declarations).toContain("repeated: ['expand']");
  });
});
