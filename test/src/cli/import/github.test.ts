import { describe, expect, test } from 'vitest';
import { importOf } from '../../../support/import-document.ts';
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

  test('has issues by their `number`', async () => {
    const one = {
      parameters: [pathKey('issue_number', integer)],
      get: { responses: { 200: response(issue), 301: { description: '' } } },
      patch: { requestBody: json({ properties: { title: string } }), responses: { 200: response(issue) } },
    };
    const { declarations, unfit } = await importOf(
      documentOf({ '/issues': list(issue, { parameters: github }), '/issues/{issue_number}': one }),
    );
    expect(declarations).toContain("key: 'number'");
    expect(declarations).toContain("operations: ['list', 'get', 'update']");
    expect(unfit).toEqual(['shopAPI.issues.get: a redirect (301), which the client refuses']);
  });

  test.each([
    ['a schema whose `id` is required is a resource', 'User = resource({ login'],
    ['a schema whose `id` may be missing is an object', 'Label = z.object({ id: z.optional(z.int())'],
    ['a schema inside another one is an object', 'inline: z.optional(z.object({ id: z.int() }))'],
  ])('%s', async (_, code) => {
    const schemas = { User: item({ login: string }), Label: { properties: { id: integer, name: string } } };
    const nested = item({
      user: { $ref: '#/components/schemas/User' },
      label: { $ref: '#/components/schemas/Label' },
      inline: item({}),
    });
    const { declarations } = await importOf(
      documentOf({ '/issues': list(nested, { parameters: github }) }, schemas),
    );
    expect(declarations).toContain(code);
  });

  const listed = async (record: Schema, others: Schema = {}) => {
    const paths = { '/issues': list(record, { parameters: github }), ...others };
    return (await importOf(documentOf(paths))).declarations;
  };

  test('has records with an `id` where it requires none, as documents that are made from code do', async () => {
    const record = { type: 'object', required: ['title'], properties: { id: integer, title: string } };
    const declarations = await listed(record);
    expect(declarations).toContain('Issues = resource({ title: z.string() });');
    expect(declarations).toContain("issues: collection('issues', Issues, {");
  });

  test('has records with an `id` where it requires that of few schemas', async () => {
    const record = { type: 'object', required: ['title'], properties: { id: integer, title: string } };
    const others = { '/labels': list({ properties: { id: integer } }), '/users': list(item({})) };
    const declarations = await listed(record, others);
    expect(declarations).toContain("issues: collection('issues', Issues, {");
    expect(declarations).toContain("users: collection('users', User, {");
  });

  test.each<[string, Schema, string]>([
    [
      'need not have its `id`',
      { type: 'object', required: ['title'], properties: { id: integer, title: string } },
      'what it returns need not have an `id` that is a string or a number (§2.1)',
    ],
    [
      'has another `id`',
      { type: 'object', required: ['id'], properties: { id: { type: 'object', properties: {} } } },
      'what it returns need not have an `id` that is a string or a number (§2.1)',
    ],
    ['has no `id`', { type: 'object', properties: { title: string } }, 'what it returns lacks `id` (§2.1)'],
  ])('says why a record is none: it %s', async (_, record, reason) => {
    const others = { '/users': list(item({})) };
    expect(await listed(record, others)).toContain(`// Not part of a collection: ${reason}.`);
  });
});
