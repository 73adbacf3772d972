import { describe, expect, test } from 'vitest';
import { isObject } from '../../../../src/options.ts';
import { apisOf, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  objectOf,
  reference,
  response,
  type Schema,
} from '../../../support/odd-document.ts';

// Lists of which a document shows no pages.

const user = objectOf({ id: { type: 'integer' }, name: { type: 'string' } }, ['id', 'name']);
const users = { type: 'array', items: reference('User') };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

const pathsOf = (list: Schema) => ({
  '/users': {
    get: { responses: { 200: response(list) } },
    post: { requestBody: json(reference('User')), responses: { 200: response(reference('User')) } },
  },
  '/users/{id}': {
    get: { parameters: [id], responses: { 200: response(reference('User')) } },
    put: {
      parameters: [id],
      requestBody: json(reference('User')),
      responses: { 200: response(reference('User')) },
    },
    delete: { parameters: [id], responses: { 204: { description: '' } } },
  },
});

const importUsers = async (list: Schema, item: Schema = user, paths: Schema = pathsOf(list)) => {
  const imported = await importOf(documentOf(paths, { User: item }));
  return {
    ...imported,
    code: imported.declarations.replace(/\s+/g, ' ').replaceAll(', }', ' }'),
    apis: apisOf(imported),
  };
};

describe('a document without pages', () => {
  test('has collections where its records have an `id` and can be read by it', async () => {
    const { code, family, lists, apis } = await importUsers(users);
    expect(code).toContain(
      "family({ path: '', created: [200, 201], written: 'resource', identity: ['id'] })",
    );
    expect(code).toContain(
      "collections: { users: collection('users', User, { operations: ['list', 'get', 'create', 'replace', 'delete'] }) }",
    );
    expect(family).toMatch(/, by 1 list without pages: one response is read as the whole list$/);
    expect([lists, Object.keys(apis[0]?.endpoints ?? {})]).toEqual(['', []]);
  });

  test.each(['text/json', 'application/hal+json; charset=utf-8', 'Application/JSON;charset=utf-8'])(
    'has the same collections where it responds with %s',
    async (type) => {
      const inType = (_: string, value: unknown): unknown =>
        isObject(value) && 'description' in value && isObject(value.content)
          ? { ...value, content: { [type]: Object.values(value.content)[0] } }
          : value;
      const paths = JSON.parse(JSON.stringify(pathsOf(users), inType));
      expect(await importUsers(users, user, paths)).toMatchObject({ code: (await importUsers(users)).code });
    },
  );

  test('has the collections of application/json where other JSON comes first', async () => {
    const [of, other] = [response(users), objectOf({ links: objectOf({}) })];
    const both = { ...of, content: { 'application/hal+json': { schema: other }, ...of.content } };
    const paths = pathsOf(users);
    const { code, unfit } = await importUsers(users, user, {
      ...paths,
      '/users': { ...paths['/users'], get: { responses: { 200: both } } },
    });
    const note = '// Not declared in `list`: its response as application/hal+json. ';
    expect(code.replace(note, '')).toBe((await importUsers(users)).code);
    expect(unfit).toEqual([expect.stringMatching(/its response as application\/hal\+json$/)]);
  });

  test('has collections where `2XX` stands for each success', async () => {
    const success = (of: Schema) => ({ '2XX': response(of) });
    const paths = pathsOf(users);
    const { code, apis } = await importUsers(users, user, {
      '/users': {
        get: { responses: success(users) },
        post: { ...paths['/users'].post, responses: success(reference('User')) },
      },
      '/users/{id}': {
        get: { parameters: [id], responses: success(reference('User')) },
        patch: { ...paths['/users/{id}'].put, responses: success(reference('User')) },
        delete: { parameters: [id], responses: { '2XX': { description: '' } } },
      },
    });
    expect(code).toContain("created: [200, 201], written: 'resource'");
    expect(code).toContain("operations: ['list', 'get', 'create', 'update', 'delete']");
    expect(Object.keys(apis[0]?.endpoints ?? {})).toEqual([]);
  });

  test('has its records in an object', async () => {
    const { code, family } = await importUsers(objectOf({ data: users }));
    expect(code).toContain("list: { items: 'data', next: 'number' }, ");
    expect(code).toContain("users: collection('users', User,");
    expect(family).toMatch(
      /, by 1 list without pages, with the records in `data`: one response is read as the whole list$/,
    );
  });

  test('has endpoints where its records lack an `id`, and says so', async () => {
    const { code, lists } = await importUsers(users, objectOf({ slug: { type: 'string' } }));
    expect(code).toContain('collections: {}, endpoints: {');
    expect(lists).toBe('No list is a collection: what it returns lacks `id` and `self` (§2.1)');
  });
});

test('a list without pages does not decide where another one has pages', async () => {
  const paged = {
    parameters: ['page', 'limit'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
    responses: { 200: response(objectOf({ items: users, total: { type: 'integer' } })) },
  };
  const { code } = await importUsers(users, user, { ...pathsOf(users), '/members': { get: paged } });
  expect(code).toContain("list: { items: 'items', next: 'number', totalCount: { body: 'total' } }");
  expect(code).toContain("members: collection('members', User, { paging: true");
});

describe('a DELETE with 200', () => {
  const importDelete = (body: Schema) => {
    const paths = pathsOf(users);
    const one = paths['/users/{id}'];
    const responses = { 200: body };
    return importUsers(users, user, {
      ...paths,
      '/users/{id}': { ...one, delete: { ...one.delete, responses } },
    });
  };
  const all =
    "users: collection('users', User, { operations: ['list', 'get', 'create', 'replace', 'delete'] })";

  test.each<[string, Schema, readonly string[]]>([
    ['without content', { description: '' }, []],
    ['with an object of no fields', response({ type: 'object' }), []],
    [
      'with the id',
      response(objectOf({ id: { type: 'integer' }, deleted: { type: 'boolean' } })),
      ['shopAPI.users.delete: the body of its response'],
    ],
    ['with the resource', response(reference('User')), ['shopAPI.users.delete: the body of its response']],
  ])('%s is the `delete` of its collection', async (_, body, unfit) => {
    const imported = await importDelete(body);
    expect(imported.code).toContain(all);
    expect(imported.unfit).toEqual(unfit);
  });

  test('with a job to wait for is an endpoint', async () => {
    const { code } = await importDelete(response(objectOf({ job: objectOf({ id: { type: 'integer' } }) })));
    expect(code).toContain('its response has `job`, which `delete` does not return.');
    expect(code).toContain(all.replace(", 'delete'", ''));
  });
});
