// Families whose servers have another name for `id`, as MongoDB's have `_id`: the client against a server that
// was written for the test, the mock, the doctor, the OpenAPI document and its import.
import {
  type ApiDeclaration,
  createClient,
  customAuth,
  endpoint,
  family,
  InvalidRequestError,
  isValidationError,
  type Resource,
  UnexpectedResponseError,
} from 'restkin';
import { diagnose } from 'restkin/doctor';
import type { Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { readIds, writeIds } from '../../../src/schema/ids.ts';
import { apisOf, importOf } from '../../support/import-document.ts';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf } from '../../support/shop.ts';

/** As an application of Express and Mongoose has it. */
const mongo = {
  path: 'api',
  query: { page: 'page', perPage: 'limit', sort: 'sort', fields: 'select', expand: 'populate' },
  list: { items: 'docs', next: 'number', totalCount: { body: 'totalDocs' } },
  identity: ['id'],
  idField: '_id',
  impliesIdentity: false,
  unexpanded: 'id',
  written: 'resource',
  invalid: { statuses: [422], items: 'errors' },
} as const satisfies Family;

const { resource, expandable, collection, defineApi } = family(mongo);

const Author = resource({ id: z.string(), name: z.string() });
const Post = resource({
  id: z.string(),
  title: z.string().check(z.minLength(1)),
  author: expandable(Author),
  // No resource: its id is declared as it is sent.
  tags: z.array(z.object({ _id: z.string(), id: z.number() })),
});
/** The application chooses the id. */
const NewPost = z.object({
  id: z.string(),
  title: z.string().check(z.minLength(1)),
  author: z.string(),
  tags: z.array(z.object({ _id: z.string(), id: z.number() })),
});
const posts = collection('posts', Post, {
  sort: ['id', 'title'],
  fields: ['id', 'title', 'author.id', 'author.name'],
  expand: ['author'],
  paging: true,
  bodies: { create: NewPost },
});
const authors = collection('authors', Author, { sort: true });
const api = defineApi({ name: 'blog', auth: 'custom', collections: { posts, authors } });

const headers = { 'x-api-key': 'k-12345678' };
const auth = customAuth(() => headers);
const connect = (baseUrl: string) => createClient({ baseUrl, auth, retry: false }).api(api);

const tags = [{ _id: 't1', id: 5 }];
const sent = { _id: 'p1', title: 'One', author: 'a1', tags };
const read = { id: 'p1', title: 'One', author: 'a1', tags };

describe('the client', () => {
  test('reads the id of each resource as `id`, and any other field as it is sent', async () => {
    await using server = await record(({ url }) =>
      json(url.includes('/p1') ? sent : { docs: [sent, { ...sent, _id: 'p2' }], totalDocs: 2 }),
    );
    const blog = connect(server.url);
    expect(await blog.posts.get('p1')).toEqual(read);
    expect(await blog.posts.list({ perPage: 10 }).toArray()).toEqual([read, { ...read, id: 'p2' }]);
  });

  test('reads the id of an expanded resource', async () => {
    const author = { _id: 'a1', name: 'Ada' };
    await using server = await record(() => json({ ...sent, author }));
    const post = await connect(server.url).posts.get('p1', { expand: ['author'] });
    expect(post.author).toEqual({ id: 'a1', name: 'Ada' });
    expect(server.requests[0]?.url).toBe('/api/posts/p1?populate=author');
  });

  test('reads options that contain their union in a time that does not double with each level', async () => {
    const children = () => z.array(z.lazy(() => z.union([Text, Group])));
    const Group: $ZodType = resource({ id: z.string(), children: z.lazy(children) });
    const Text: $ZodType = resource({ id: z.string(), text: z.string(), children: z.lazy(children) });
    const Page = resource({ id: z.string(), children: children() });
    const tree = (name: string, depth: number): unknown => {
      const below = depth === 0 ? [] : [tree(name, depth - 1)];
      return { [name]: `n${depth}`, text: 't', children: below };
    };
    await using server = await record(() => json(tree('_id', 100)));
    const pages = collection('pages', Page);
    const cms = defineApi({ name: 'cms', auth: 'custom', collections: { pages } });
    const client = createClient({ baseUrl: server.url, auth, retry: false }).api(cms);
    expect(await client.pages.get('p1')).toEqual(tree('id', 100));
  });

  test('refuses lists in lists where a resource must be', async () => {
    await using server = await record(() => json(JSON.parse('['.repeat(3_000) + ']'.repeat(3_000))));
    const error = await rejectionOf(connect(server.url).posts.get('p1'));
    expect(error).toMatchObject({ code: 'unexpected_response' });
  });

  test('drops another field that the server calls `id`', async () => {
    await using server = await record(() => json({ ...sent, id: 17 }));
    expect(await connect(server.url).posts.get('p1')).toEqual(read);
  });

  test('sends the name of the server in `sort` and `fields`', async () => {
    await using server = await record(() => json({ docs: [{ _id: 'p1' }], totalDocs: 1 }));
    const { posts: all } = connect(server.url);
    await all.list({ sort: ['-id', 'title'], fields: ['id'], perPage: 5 }).toArray();
    await all.list({ fields: ['author.id'], expand: ['author'], perPage: 5 }).catch(() => undefined);
    await all.list({ fields: ['author.name'], expand: ['author'], perPage: 5 }).catch(() => undefined);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/posts?sort=-_id%2Ctitle&select=_id&limit=5',
      '/api/posts?select=_id%2Cauthor._id&populate=author&limit=5',
      '/api/posts?select=_id%2Cauthor._id%2Cauthor.name&populate=author&limit=5',
    ]);
  });

  test('sends an id that the application chose, and reads the resource in the response to a write', async () => {
    await using server = await record(({ method }) => json(sent, method === 'POST' ? 201 : 200));
    const { posts: all } = connect(server.url);
    const { id: _id, ...body } = read;
    expect(await all.create(read)).toEqual(read);
    expect(await all.update('p1', { title: 'One' })).toEqual(read);
    expect(await all.replace('p1', body)).toEqual(read);
    const bodies = server.requests.map((one) => JSON.parse(one.body) as unknown);
    expect(bodies).toEqual([sent, { title: 'One' }, body]);
  });

  test('names a field of an error as the declaration has it', async () => {
    const errors = [{ field: '_id', code: 'invalid', message: 'is taken' }];
    await using server = await record(() => json({ message: 'Invalid', errors }, 422));
    const error = await rejectionOf(connect(server.url).posts.create(read));
    expect(isValidationError(error) && error.fieldErrors).toEqual({ id: [{ ...errors[0], field: 'id' }] });
  });

  test('says which record lacks its id', async () => {
    await using server = await record(() => json({ docs: [{ ...sent, _id: undefined }], totalDocs: 1 }));
    await expect(connect(server.url).posts.list()).rejects.toThrow(
      /at `0\.id`: .*; the family has it in `_id`: correct its idField$/,
    );
  });

  test('continues a list from the id of its last record', async () => {
    const list = { items: 'docs', next: { lastId: 'after' } } as const;
    const made = family({ ...mongo, query: { perPage: 'limit' }, list });
    const things = made.collection('things', made.resource({ id: z.string() }), { paging: true });
    const small = made.defineApi({ name: 'small', auth: 'custom', collections: { things } });
    await using server = await record(({ url }) =>
      json({ docs: url.includes('after') ? [] : [{ _id: 'x' }] }),
    );
    const { things: all } = createClient({ baseUrl: server.url, auth, retry: false }).api(small);
    expect(await all.list({ perPage: 1 }).toArray()).toEqual([{ id: 'x' }]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/things?limit=1',
      '/api/things?limit=1&after=x',
    ]);
  });
});

describe('a resource anywhere in a declaration', () => {
  const Tag = z.object({ _id: z.string() });
  const Node = resource({ id: z.string(), parent: z.optional(z.lazy(() => Author)) });
  type Json = string | readonly Json[] | { readonly [name: string]: Json };
  const Any: z.ZodType<Json> = z.lazy(() => z.union([z.string(), z.array(Any), z.record(z.string(), Any)]));
  const Found = z.object({
    one: z.optional(z.union([Post, Node])),
    by: z.record(z.string(), z.nullable(Author)),
    pair: z.tuple([Author, z.array(Tag)]),
    free: Any,
  });
  const things = defineApi({
    name: 'things',
    auth: 'custom',
    collections: {
      nodes: collection('nodes', resource({ id: z.string(), data: z.unknown() }), {
        actions: {
          own: endpoint('PUT', 'own', { body: z.object({ by: z.array(Author) }), response: Author }),
        },
      }),
    },
    endpoints: {
      find: endpoint('GET', 'find', { response: Found }),
      add: endpoint('POST', 'add', { body: Author, response: z.array(Author) }),
    },
  });
  const ada = { id: 'a1', name: 'Ada' };
  const sentAda = { _id: 'a1', name: 'Ada' };
  const found = <One, By>(one: One, author: By) => ({
    one,
    by: { first: author, second: null },
    pair: [author, [{ _id: 't1' }]] satisfies readonly unknown[] as [By, { _id: string }[]],
    free: { _id: 'x', of: [{ id: 'y' }] },
  });
  const connectTo = (baseUrl: string, fetch = globalThis.fetch) =>
    createClient({ baseUrl, auth, fetch, retry: false }).api(things);

  test.each([
    ['of a union', sent, read],
    ['of a union, with one of a lazy schema', { _id: 'n', parent: sentAda }, { id: 'n', parent: ada }],
  ])('is read %s, of a record and of a tuple', async (_name, one, expected) => {
    await using server = await record(() => json(found(one, sentAda)));
    expect(await connectTo(server.url).find()).toEqual(found(expected, ada));
  });

  test('is read and sent in the rest of a tuple', () => {
    const schema = z.tuple([z.string()], Author);
    expect(readIds(['first', sentAda], schema, '_id')).toEqual(['first', ada]);
    expect(writeIds(['first', ada], schema, '_id')).toEqual(['first', sentAda]);
  });

  test('is read and sent in each side of an intersection', () => {
    const schema = z.intersection(z.object({ by: Author }), z.object({ for: Author }));
    expect(readIds({ by: sentAda, for: sentAda }, schema, '_id')).toEqual({ by: ada, for: ada });
    expect(writeIds({ by: ada, for: ada }, schema, '_id')).toEqual({ by: sentAda, for: sentAda });
  });

  test('that is missing leaves the others as they are', () => {
    expect(readIds({ id: 5, name: 'Ada' }, Author, '_id')).toEqual({ id: 5, name: 'Ada' });
  });

  test('is sent in the body of an endpoint and of an action', async () => {
    await using server = await record(({ url }) => json(url.endsWith('add') ? [sentAda] : sentAda));
    const client = connectTo(server.url);
    expect(await client.add({ body: ada })).toEqual([ada]);
    expect(await client.nodes.own('n', { by: [ada] })).toEqual(ada);
    const bodies = server.requests.map((one) => JSON.parse(one.body) as unknown);
    expect(bodies).toEqual([sentAda, { by: [sentAda] }]);
  });

  test('leaves a value alone of which the declaration says nothing', async () => {
    await using server = await record(() => json({ _id: 'n', data: '' }));
    const when = new Date(0);
    await connectTo(server.url).nodes.update('n', { data: when });
    expect(server.requests[0]?.body).toBe(JSON.stringify({ data: when }));
  });

  test('in itself, too deeply or in a cycle, is refused as without another name', async () => {
    const Node: Resource = resource({
      id: z.string(),
      name: z.string(),
      children: z.lazy(() => z.array(Node)),
    });
    const trees = defineApi({
      name: 'blog',
      auth: 'custom',
      collections: { nodes: collection('nodes', Node) },
    });
    const depth = 10_000;
    const body = `${'{"_id":"n","name":"","children":['.repeat(depth)}${']}'.repeat(depth)}`;
    await using server = await record(() => ({ body, headers: { 'content-type': 'application/json' } }));
    const { nodes } = createClient({ baseUrl: server.url, auth, retry: false }).api(trees);
    expect(await rejectionOf(nodes.get('n' as never))).toBeInstanceOf(UnexpectedResponseError);
    const children: unknown[] = [];
    const cycle = { name: '', children };
    children.push(cycle);
    expect(await rejectionOf(nodes.create(cycle as never))).toBeInstanceOf(InvalidRequestError);
  });

  test('is read and sent by the mock', async () => {
    const bodies: unknown[] = [];
    const mock = createMock(things, {
      endpoints: {
        find: () => found({ id: 'n', parent: ada }, ada),
        add: ({ body }) => {
          bodies.push(body);
          return [ada];
        },
      },
    });
    const client = connectTo('https://blog.test', mock.fetch as typeof fetch);
    expect(await client.find()).toEqual(found({ id: 'n', parent: ada }, ada));
    const raw = await mock.fetch('https://blog.test/api/find', { headers });
    expect(await raw.json()).toEqual(found({ _id: 'n', parent: sentAda }, sentAda));
    expect(await client.add({ body: ada })).toEqual([ada]);
    expect(bodies).toEqual([ada]);
  });
});

describe('the mock', () => {
  const data = { authors: [{ id: 'a1', name: 'Ada' }], posts: [read] };
  const ask = async (path: string) => {
    const response = await createMock(api, { data }).fetch(`https://blog.test/api/${path}`, { headers });
    return (await response.json()) as unknown;
  };

  test('sends the name of the server', async () => {
    expect(await ask('posts/p1')).toEqual(sent);
    expect(await ask('posts?select=title')).toEqual({ docs: [{ title: 'One' }], totalDocs: 1 });
    expect(await ask('posts?select=_id&sort=-_id')).toEqual({ docs: [{ _id: 'p1' }], totalDocs: 1 });
    expect(await ask('posts/p1?populate=author')).toEqual({ ...sent, author: { _id: 'a1', name: 'Ada' } });
  });

  test('takes it in a body, and names it in an error', async () => {
    const { fetch } = createMock(api, { data });
    const post = (body: unknown) =>
      fetch('https://blog.test/api/posts', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const created = await post({ ...sent, _id: 'p2' });
    expect([created.status, await created.json()]).toEqual([201, { ...sent, _id: 'p2' }]);
    const refused = await post({ ...sent, _id: 'p2' });
    expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ field: '_id' }] }]);
  });

  test('satisfies the doctor', async () => {
    const { fetch } = createMock(api, { data, generate: { posts: 30, authors: 5 } });
    const options = { baseUrl: 'https://blog.test', fetch, headers, allowWrites: true };
    const { findings } = await diagnose(api, options);
    expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(findings.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(10);
  });
});

const documentOf = (declared: ApiDeclaration) =>
  toOpenApi(declared, { securitySchemes: { custom: { type: 'apiKey', in: 'header', name: 'x-api-key' } } });

describe('the OpenAPI document', () => {
  test('has the name of the server', () => {
    const document = JSON.parse(JSON.stringify(documentOf(api)));
    expect(document.components.schemas.Author).toMatchObject({
      properties: { _id: { type: 'string' }, name: { type: 'string' } },
      required: ['_id', 'name'],
    });
    const [sort] = document.paths['/api/posts'].get.parameters;
    expect(sort.schema.items.enum).toEqual(['_id', '-_id', 'title', '-title']);
  });

  test('gives the same API when it is imported', async () => {
    const document = documentOf(api);
    const imported = await importOf(document);
    expect(imported.unfit).toEqual([]);
    expect(imported.declarations).toContain("idField: '_id'");
    expect(imported.declarations).toContain('id: z.string()');
    expect(apisOf(imported).map((again) => documentOf(again))).toEqual([document]);
  });
});

test('a resource that declares the name of the server is refused', () => {
  expect(() => resource({ _id: z.string() })).toThrow(
    'resource(): declare `id` in place of `_id`, which the family "unnamed" names in idField',
  );
});
