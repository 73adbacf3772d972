import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, objectOf, query, response, type Schema } from '../../../support/odd-document.ts';

// What all paths of a document start with, in front of their collections.

const integer = { type: 'integer' };
const record = objectOf({ id: integer, name: { type: 'string' } }, ['id']);
const pages = [query('page', integer), query('per_page', integer)];

const importPaths = async (paths: readonly string[], body: Schema = { type: 'array', items: record }) => {
  const list = { get: { parameters: pages, responses: { 200: response(body) } } };
  const imported = await importOf(documentOf(Object.fromEntries(paths.map((path) => [path, list]))));
  const [api] = apisOf(imported);
  const code = imported.declarations.replace(/\s+/g, ' ');
  return { code, names: [...Object.keys(api?.collections ?? {}), ...Object.keys(api?.endpoints ?? {})] };
};

describe('the path of a family', () => {
  test.each<[string, readonly string[], string, readonly string[]]>([
    ['a version', ['/v2/droplets', '/v2/account/keys'], "path: 'v{version}'", ['droplets', 'accountKeys']],
    [
      'more than a version',
      ['/api/v2/users', '/api/v2/orders'],
      "path: 'api/v{version}'",
      ['users', 'orders'],
    ],
    ['no version', ['/api/users', '/api/orders'], "path: 'api'", ['users', 'orders']],
    ['another version', ['/api/1.1/users', '/api/1.1/orders'], "path: 'api/1.1'", ['users', 'orders']],
  ])('is what all paths start with: %s', async (_, paths, code, names) => {
    const imported = await importPaths(paths);
    expect(imported.code).toContain(code);
    expect(imported.names).toEqual(names);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['a path of another start', ['/api/users', '/health'], ['apiUsers', 'health']],
    ['a collection', ['/users', '/users/active'], ['users', 'userActive']],
    ['a collection called api', ['/api'], ['api']],
  ])('is empty beside %s', async (_, paths, names) => {
    const imported = await importPaths(paths);
    expect(imported.code).not.toContain('path:');
    expect(imported.names).toEqual(names);
  });
});

test('a version behind the path of a preset is no part of a name', async () => {
  const meta = objectOf({ total: integer, last_page: integer, current_page: integer, per_page: integer });
  const body = objectOf({ data: { type: 'array', items: record }, meta });
  const { code, names } = await importPaths(['/api/v2/users', '/api/v2/orders'], body);
  expect(code).toContain("...laravel, path: 'api/v{version}'");
  expect(code).toContain('version: 2');
  expect(names).toEqual(['users', 'orders']);
});

test('a list that may be null, counted from an index, is a collection', async () => {
  const parameters = [query('startIndex', integer), query('limit', integer)];
  const rows = { type: ['array', 'null'], items: objectOf({ Id: integer, Name: { type: 'string' } }) };
  const body = objectOf({ Items: rows, TotalRecordCount: integer });
  const paths = { '/Artists': { get: { parameters, responses: { 200: response(body) } } } };
  const { declarations } = await importOf(documentOf(paths));
  const code = declarations.replace(/\s+/g, ' ');
  expect(code).toContain(
    "list: { items: 'Items', next: { offset: 'startIndex' }, totalCount: { body: 'TotalRecordCount' }",
  );
  expect(code).toContain("artists: collection('Artists', Artist, { paging: true,");
});

test('the end of paths in `.json` is in no name', async () => {
  const { code, names } = await importPaths(['/issues.json', '/projects.json']);
  expect(names).toEqual(['issues', 'projects']);
  expect(code).toContain("projects: collection('projects.json', Project, {");
});

test('a next page behind parts and options is found', async () => {
  const url = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  const options = [{ allOf: [url('last'), url('next')] }, { allOf: [url('first'), url('prev')] }, {}];
  const { code } = await importPaths(['/orders'], {
    allOf: [
      objectOf({ orders: { type: 'array', items: record } }),
      objectOf({ links: objectOf({ pages: { anyOf: options } }) }),
      objectOf({ meta: { allOf: [objectOf({ total: integer }), { required: ['total'] }] } }),
    ],
  });
  expect(code).toContain(
    "next: { body: 'links.pages.next', optional: true }, totalCount: { body: 'meta.total' }",
  );
});
