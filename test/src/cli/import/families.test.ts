import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, json, list, query, response, type Schema } from '../../../support/odd-document.ts';

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
const pathKey = (name: string, schema: Schema) => ({ in: 'path', name, required: true, schema });

describe('the family of a document', () => {
  test.each<[string, string, Schema]>([
    ['github', '`page` and `per_page` of 1 list', list(issue, { parameters: github })],
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
                meta: { allOf: [{ properties: { total: integer, current_page: integer } }] },
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
          responses: { 200: { ...response({ type: 'array', items: issue }), headers: { 'X-Total': {} } } },
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

  test('says which headers its lists must have, and the document does not name', async () => {
    const path = list(issue, { parameters: [query('page', integer), query('limit', integer)] });
    const { family } = await importOf(documentOf({ '/api/v1/issues': path }), [], 'gitea');
    expect(family).toBe(
      'Family: gitea, as --family says. Each list must have the header X-Total-Count, which the document does not name; declare one without it with `paging: { totals: false }`',
    );
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

  test('with a name that no preset has is refused', async () => {
    const named = importOf(documentOf({ '/issues': list(issue) }), [], 'toString');
    await expect(named).rejects.toThrow('--family must be the name of a preset: conventions, yii2, github');
  });
});

describe('a document of GitHub', () => {
  test('keeps `sort` and `direction` as parameters where they name no fields', async () => {
    const parameters = [
      query('sort', { enum: ['created', 'title'] }),
      query('direction', { enum: ['asc'] }),
      ...pages,
    ];
    const { declarations, unfit } = await importOf(documentOf({ '/issues': list(issue, { parameters }) }));
    expect(declarations.replace(/\s+/g, ' ')).toContain(
      "paging: { maxPerPage: 100 }, operations: ['list'], params: z.object({ sort: z.optional(z.enum(['created', 'title'])), direction: z.optional(z.enum(['asc'])) })",
    );
    expect(unfit).toEqual([]);
  });

  test('sorts by fields, and lists the records of a page where a call for one has more fields', async () => {
    const parameters = [query('sort', { ...string, enum: ['title'] }), query('direction', string), ...pages];
    const whole = item({ number: integer, title: string, body: string }, ['title', 'body']);
    const get = { operationId: 'getIssue', responses: { 200: response(whole) } };
    const { declarations } = await importOf(
      documentOf({ '/issues': list(issue, { parameters }), '/issues/{id}': { get } }),
    );
    expect(declarations.replace(/\s+/g, ' ')).toContain(
      "collection('issues', Issues, { sort: ['title'], paging: { maxPerPage: 100 }, operations: ['list'] })",
    );
    expect(declarations).toContain("getIssue: endpoint('GET', 'issues/:id', { response: GetIssueResponse })");
  });

  test('names the field that a key of a path is', async () => {
    const one = {
      parameters: [pathKey('issue_number', integer)],
      get: { responses: { 200: response(issue), 301: { description: '' } } },
      patch: { requestBody: json({ properties: { title: string } }), responses: { 200: response(issue) } },
    };
    const { declarations, unfit } = await importOf(
      documentOf({ '/issues': list(issue, { parameters: github }), '/issues/{issue_number}': one }),
    );
    expect(declarations).toContain("operations: ['list', 'get', 'update']");
    expect(unfit).toEqual([
      'shopAPI.issues: `{issue_number}` is the `number` of the resource: pass it as the id',
      'shopAPI.issues: get: a redirect (301), which the client refuses',
    ]);
  });

  test('has resources only where an `id` is required', async () => {
    const schemas = { User: item({ login: string }), Label: { properties: { id: integer, name: string } } };
    const nested = item({
      user: { $ref: '#/components/schemas/User' },
      label: { $ref: '#/components/schemas/Label' },
      inline: item({}),
    });
    const { declarations } = await importOf(
      documentOf({ '/issues': list(nested, { parameters: github }) }, schemas),
    );
    expect(declarations).toContain('User = resource({ login');
    expect(declarations).toContain('Label = z.object({ id: z.optional(z.int())');
    expect(declarations).toContain('inline: z.optional(z.object({ id: z.int() }))');
  });
});
