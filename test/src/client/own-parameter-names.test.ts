import { basicAuth, collection, createClient, defineApi, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connect } from '../../support/connect.ts';

const Topic = resource({ subject: z.string() });
const params = z.object({
  sort: z.optional(z.enum(['subject:desc', 'subject:asc'])),
  page: z.optional(z.string()),
  fields: z.optional(z.string()),
});

// A server with a syntax of its own for sorting, pages and fields, which the collection does not declare.
const forum = defineApi({
  name: 'forum',
  version: 1,
  auth: 'basic',
  collections: { topics: collection('topics', Topic, { params }) },
});
const given = { sort: 'subject:desc', page: 'c10', fields: 'subject,id' } as const;

describe('§4.4 a name that the collection does not declare may be that of an own parameter', () => {
  test('the client sends it as it is', async () => {
    const { api, sent } = connect(forum, () => []);
    expect(await api.topics.list({ params: given }).toArray()).toEqual([]);
    const { searchParams } = new URL(sent[0]?.url ?? '');
    expect(Object.fromEntries(searchParams)).toEqual(given);
  });

  test('the mock reads it by its schema', async () => {
    const mock = createMock(forum, {
      data: { topics: [{ subject: 'a' }, { subject: 'b' }] },
      filter: { topics: (row, own) => own.sort === 'subject:desc' && row.subject === 'b' },
    });
    const auth = basicAuth({ username: 'ada', password: 'x' });
    const { topics } = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch }).api(forum);
    expect(await topics.list({ params: given }).toArray()).toMatchObject([{ id: 2, subject: 'b' }]);
    const refused = await mock.fetch('https://api.test/v1/topics?sort=subject', {
      headers: { authorization: `Basic ${btoa('ada:x')}` },
    });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ errors: [{ field: 'sort' }] });
  });

  test('the OpenAPI document has it once', () => {
    const list = toOpenApi(forum).paths['/v1/topics']?.get;
    expect(list?.parameters?.map(({ name }) => name)).toEqual(['sort', 'page', 'fields']);
  });

  test('one that the collection declares may not', () => {
    const declare = (options: object) => () =>
      defineApi({ ...forum, collections: { topics: collection('topics', Topic, { params, ...options }) } });
    expect(declare({ sort: true })).toThrow('params cannot declare "sort"');
    expect(declare({ paging: true })).toThrow(
      'params cannot declare "page", which the collection supports by §4.4; client.request sends another of that name',
    );
    expect(declare({ fields: true })).toThrow('params cannot declare "fields"');
    expect(declare({ expand: [] })).not.toThrow();
  });
});
