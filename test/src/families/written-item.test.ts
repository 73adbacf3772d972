// A family whose writes respond with the resource elsewhere than its reads: the client and the mock, the
// doctor and the OpenAPI document.
import { createClient, customAuth, family, isValidationError } from 'restkin';
import { diagnose } from 'restkin/doctor';
import type { Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { json, record } from '../../support/recording-server.ts';

/** As Payload has it. */
const payload = {
  path: 'api',
  query: { page: 'page', perPage: 'limit', sort: 'sort' },
  list: { items: 'docs', next: 'number', totalCount: { body: 'totalDocs' } },
  item: { read: '', written: 'doc' },
  identity: ['id'],
  written: 'resource',
} as const satisfies Family;

const { resource, collection, defineApi } = family(payload);
const posts = collection('posts', resource({ title: z.string().check(z.minLength(1)) }), { paging: true });
const api = defineApi({ name: 'payload', auth: 'custom', collections: { posts } });
const headers = { 'x-api-key': 'k-12345678' };
const auth = customAuth(() => headers);

test('the client reads the resource in the body, and a written one at its path', async () => {
  await using server = await record(({ method }) => {
    const post = { id: 7, title: method };
    return json(method === 'GET' ? post : { message: 'Done.', doc: post }, method === 'POST' ? 201 : 200);
  });
  const client = createClient({ baseUrl: server.url, auth, retry: false }).api(api);
  expect(await client.posts.get(7)).toEqual({ id: 7, title: 'GET' });
  expect(await client.posts.create({ title: 'a' })).toEqual({ id: 7, title: 'POST' });
  expect(await client.posts.update(7, { title: 'a' })).toEqual({ id: 7, title: 'PATCH' });
  expect(await client.posts.replace(7, { title: 'a' })).toEqual({ id: 7, title: 'PUT' });
});

const serveMock = () => createMock(api, { data: { posts: [{ id: 1, title: 'One' }] } }).fetch;

test('the mock has it there, and the client reads it', async () => {
  const fetch = serveMock();
  const sent = await fetch('https://api.test/api/posts', {
    method: 'POST',
    body: '{"title":"Two"}',
    headers: { ...headers, 'content-type': 'application/json' },
  });
  expect(await sent.json()).toEqual({ doc: { id: 2, title: 'Two' } });
  const read = await fetch('https://api.test/api/posts/2', { headers });
  expect(await read.json()).toEqual({ id: 2, title: 'Two' });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch }).api(api);
  expect(await client.posts.update(2, { title: 'Three' })).toEqual({ id: 2, title: 'Three' });
  const error = await client.posts.create({ title: '' }).catch((thrown: unknown) => thrown);
  expect(isValidationError(error)).toBe(true);
});

test('the doctor is satisfied with the mock', async () => {
  const fetch = serveMock();
  const options = { baseUrl: 'https://api.test', fetch, headers, allowWrites: true };
  const { findings } = await diagnose(api, options);
  expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
});

test('the OpenAPI document has both', () => {
  const { paths } = toOpenApi(api, {
    securitySchemes: { custom: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
  });
  const responses = JSON.stringify(paths['/api/posts']?.post?.responses[201]);
  expect(responses).toContain('"doc":{"$ref"');
  expect(JSON.stringify(paths['/api/posts/{id}']?.get?.responses[200])).not.toContain('"doc"');
  expect(JSON.stringify(paths['/api/posts/{id}']?.patch?.responses[200])).toContain('"doc":{"$ref"');
});

test('a record in a list of one is read by its index', async () => {
  const blog = family({ ...payload, item: 'posts.0' });
  const collections = { posts: blog.collection('posts', blog.resource({ title: z.string() })) };
  const declared = blog.defineApi({ name: 'blog', auth: 'custom', collections });
  const fetch = async () => Response.json({ posts: [{ id: 1, title: 'One' }] });
  const client = createClient({ baseUrl: 'https://blog.example', auth, fetch });
  expect(await client.api(declared).posts.get(1)).toEqual({ id: 1, title: 'One' });
});
