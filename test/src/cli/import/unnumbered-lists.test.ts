import { createClient, customAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, query, resourceOf, response, type Schema } from '../../../support/odd-document.ts';

// Lists without numbers of pages: a cursor or an offset leads on. test/package/import-lists.test.ts reads
// such lists from servers.

const integer = { type: 'integer' };
const string = { type: 'string' };
const nullableString = { type: ['string', 'null'] };
const item = { type: 'object', required: ['id'], properties: { id: integer } };
const rows = { type: 'array', items: item };

const listOf = (names: Schema, properties: Schema, required: readonly string[] = []) => ({
  get: {
    parameters: Object.entries(names).map(([name, schema]) => query(name, schema as Schema)),
    responses: { 200: response({ type: 'object', required, properties }) },
  },
});

/** What is printed of the family of a document, and what is reported. */
const familyOf = async (paths: Schema) => {
  const imported = await importOf(documentOf(paths));
  expect(apisOf(imported)).toHaveLength(1);
  const code = imported.declarations.replace(/\s+/g, ' ').replaceAll(', }', ' }');
  const [, list] = /, list: (\{.+?\}), identity: \['id'\] \}\);/.exec(code) ?? [];
  return { list, code, family: imported.family, unfit: imported.unfit };
};

describe('a list continues', () => {
  test.each<[string, Schema, string]>([
    [
      'by `next_cursor`, which `cursor` takes',
      listOf({ cursor: string, limit: integer }, { rows, next_cursor: string }),
      "{ items: 'rows', next: { body: 'next_cursor', optional: true, parameter: 'cursor' } }",
    ],
    [
      'by a cursor that each page has, or null',
      listOf({ start_cursor: string, page_size: integer }, { rows, next_cursor: nullableString }, [
        'next_cursor',
      ]),
      "{ items: 'rows', next: { body: 'next_cursor', parameter: 'start_cursor' } }",
    ],
    [
      'by `nextPageToken` in an object, which `pageToken` takes',
      listOf(
        { pageToken: string, pageSize: integer },
        { rows, meta: { properties: { nextPageToken: string } } },
      ),
      "{ items: 'rows', next: { body: 'meta.nextPageToken', optional: true, parameter: 'pageToken' } }",
    ],
    [
      'by `cursor`, as that of Square',
      listOf({ cursor: string, limit: integer }, { rows, cursor: string }),
      "{ items: 'rows', next: { body: 'cursor', optional: true, parameter: 'cursor' } }",
    ],
    [
      'by `after` in an object, as that of HubSpot',
      listOf(
        { after: string, limit: integer },
        { rows, paging: { properties: { next: { type: 'object', properties: { after: string } } } } },
      ),
      "{ items: 'rows', next: { body: 'paging.next.after', optional: true, parameter: 'after' } }",
    ],
    [
      'by an `offset` that is a string, as that of Airtable',
      listOf({ offset: string, pageSize: integer }, { rows, offset: string }),
      "{ items: 'rows', next: { body: 'offset', optional: true, parameter: 'offset' } }",
    ],
    [
      'by `next_page`, which a `page` that is a string takes, as in a search of Stripe',
      listOf({ page: string, limit: integer }, { rows, next_page: nullableString }),
      "{ items: 'rows', next: { body: 'next_page', parameter: 'page' } }",
    ],
    [
      'by `after_cursor`, which `page[after]` takes, while the body says that more follow',
      listOf(
        { 'page[after]': string, limit: integer },
        { rows, meta: { properties: { after_cursor: string, has_more: { type: 'boolean' } } } },
        ['meta'],
      ),
      "{ items: 'rows', next: { body: 'meta.after_cursor', optional: true, parameter: 'page[after]', more: 'meta.has_more' } }",
    ],
    [
      'by the id of the last record, as of Stripe',
      listOf({ starting_after: string, limit: integer }, { rows, has_more: { type: 'boolean' } }),
      "{ items: 'rows', next: { lastId: 'starting_after', more: 'has_more' } }",
    ],
    [
      'by an offset, up to a total',
      listOf({ offset: integer, limit: integer }, { rows, total: integer }),
      "{ items: 'rows', next: { offset: 'offset' }, totalCount: { body: 'total' } }",
    ],
    [
      'by an offset, up to an empty page',
      listOf({ $skip: integer, $limit: integer }, { rows }),
      "{ items: 'rows', next: { offset: '$skip' } }",
    ],
    [
      'by a URL, which comes before an offset',
      listOf({ offset: integer, limit: integer }, { rows, next: nullableString }),
      "{ items: 'rows', next: { body: 'next' } }",
    ],
    [
      'by a URL alone',
      listOf({}, { rows, next: nullableString }),
      "{ items: 'rows', next: { body: 'next' } }",
    ],
    [
      'by `links.next` alone',
      listOf({}, { rows, links: { properties: { next: string } } }),
      "{ items: 'rows', next: { body: 'links.next', optional: true } }",
    ],
    [
      'by `next_page`, where that is a URL',
      listOf({}, { rows, next_page: { ...string, format: 'uri' } }),
      "{ items: 'rows', next: { body: 'next_page', optional: true } }",
    ],
    [
      'by a name with a dot, which each page has',
      listOf({}, { rows, '@odata.nextLink': nullableString }),
      "{ items: 'rows', next: { body: '@odata.nextLink' } }",
    ],
  ])('%s', async (_, path, list) => {
    const found = await familyOf({ '/things': path });
    expect(found.list).toBe(list);
    expect(found.code).not.toContain("page: 'page'");
    expect(found.code).toContain("collection('things', Thing, { paging: true, operations: ['list']");
    expect(found.unfit).toEqual([]);
  });

  test('by `endCursor`, which `after` takes, also without a size', async () => {
    const { list, code } = await familyOf({
      '/things': listOf({ after: string }, { rows, pageInfo: { properties: { endCursor: string } } }),
    });
    expect(list).toBe(
      "{ items: 'rows', next: { body: 'pageInfo.endCursor', optional: true, parameter: 'after' } }",
    );
    expect(code).toContain("collection('things', Thing, { paging: true, operations: ['list'] })");
  });

  test('as most lists do, and the others are reported', async () => {
    const paged = listOf({ page: integer, per_page: integer }, { rows, total: integer });
    const byOffset = listOf({ offset: integer, limit: integer }, { rows, total: integer });
    const { code, unfit } = await familyOf({ '/things': paged, '/users': paged, '/events': byOffset });
    expect(code).toContain("list: { items: 'rows', next: 'number', totalCount: { body: 'total' } }");
    expect(unfit).toEqual([
      "shopAPI.events.list: its pages: as imported, only its first page is read; declare it in a family with list: { next: { offset: 'offset' } } and without query.page",
    ]);
  });

  test('as most lists do, and the comment on another has all of what it needs', async () => {
    const paged = listOf({ page: integer, per_page: integer }, { rows, total: integer });
    const byLastId = listOf(
      { starting_after: string, limit: integer },
      { rows, has_more: { type: 'boolean' } },
    );
    const { code } = await familyOf({ '/things': paged, '/users': paged, '/events': byLastId });
    expect(code).toContain(
      "// Not declared in `list`: its pages: as imported, only its first page is read; declare it in a family with list: { next: { lastId: 'starting_after', more: 'has_more' } } and without query.page.",
    );
  });

  test('by a cursor in a family of its own, where most take a page', async () => {
    const paged = listOf({ page: integer, per_page: integer }, { rows, total: integer });
    const byCursor = listOf({ cursor: string, limit: integer }, { rows, next_cursor: string });
    const imported = await importOf(documentOf({ '/things': paged, '/users': paged, '/events': byCursor }));
    expect(imported.declarations.replace(/\s+/g, ' ').replaceAll(', }', ' }')).toContain(
      "const events = family({ ...base, list: { items: 'rows', next: { body: 'next_cursor', optional: true, parameter: 'cursor' } }, query: { perPage: 'limit', sort: 'sort' } });",
    );
    expect(imported.unfit).toEqual([]);

    const [api] = apisOf(imported);
    const fetch = async (input: RequestInfo | URL): Promise<Response> => {
      const start = Number(new URL(new Request(input).url).searchParams.get('cursor') ?? 0);
      const page = Array.from({ length: 2 }, (_, index) => ({ id: start + index }));
      return Response.json({ rows: page, ...(start < 4 && { next_cursor: String(start + 2) }) });
    };
    const auth = { token: customAuth(() => ({ authorization: 'Bearer abcdefgh' })) };
    const client = createClient({ baseUrl: 'https://shop.example', auth, fetch }).api(api as never) as {
      // What was imported has no types here.
      readonly events: { list(): { toArray(): Promise<readonly { readonly id: number }[]> } };
    };
    expect((await client.events.list().toArray()).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('as those that take a page do, and one with a URL alone is reported', async () => {
    const paged = listOf({ page: integer, per_page: integer }, { rows, total: integer });
    const linked = listOf({}, { rows, next: nullableString });
    const { code, unfit } = await familyOf({ '/things': paged, '/users': linked, '/events': linked });
    expect(code).toContain("list: { items: 'rows', next: 'number', totalCount: { body: 'total' } }");
    const reason =
      'how it continues: as imported, only its first page is read, unless the server sends `Link`';
    expect(unfit).toEqual([`shopAPI.users.list: ${reason}`, `shopAPI.events.list: ${reason}`]);
  });

  test('and the family is named by what leads on', async () => {
    const { family } = await familyOf({
      '/things': listOf({ cursor: string, limit: integer }, { rows, next_cursor: string }),
    });
    expect(family).toMatch(/, by `cursor` and `limit` of 1 list, with the records in `rows`$/);
  });

  test('and the family is named by the URL, where a list takes no parameter', async () => {
    const { family } = await familyOf({ '/things': listOf({}, { rows, next: nullableString }) });
    expect(family).toMatch(/, by `next` of 1 list, with the records in `rows`$/);
  });
});

describe('a document leaves open how a list continues', () => {
  const things = resourceOf({});
  const notesOf = async (names: Schema, properties: Schema) => {
    const { unfit, declarations } = await importOf(
      documentOf({ '/v1/things': listOf(names, { ...properties }) }),
    );
    expect(declarations).not.toContain('next:');
    return unfit;
  };

  test('where no parameter takes its cursor', async () => {
    const list = await notesOf({ token: string }, { rows, next_token: string });
    expect(list).toEqual([]);
  });

  test('where its offset is a string, as a cursor is', async () => {
    expect(await notesOf({ offset: string, limit: integer }, { rows })).toEqual([]);
  });

  test('and a list that is read up to its first page is reported', async () => {
    const get = {
      parameters: [query('starting_after', string), query('limit', integer)],
      responses: { 200: response({ type: 'array', items: things }) },
    };
    const { unfit } = await importOf(documentOf({ '/v1/things': { get } }));
    expect(unfit).toEqual([
      'shopAPI.things.list: how it continues: as imported, only its first page is read, unless the server sends `Link`',
    ]);
  });
});

test('a part of `allOf` that contains itself has no next page', async () => {
  const body = { allOf: [{ $ref: '#/components/schemas/Page' }, { properties: { rows, next: string } }] };
  const get = {
    parameters: [query('page', integer), query('per_page', integer)],
    responses: { 200: response({ $ref: '#/components/schemas/Page' }) },
  };
  const { family } = await importOf(documentOf({ '/things': { get } }, { Page: body }));
  expect(family).toContain('with the records in `rows`');
});

describe('an object with an id alone in a record', () => {
  const record = {
    type: 'object',
    required: ['id'],
    properties: { id: integer, team: { type: 'object', required: ['id'], properties: { id: string } } },
  };
  const printed = async (names: Schema) => {
    const path = listOf(names, { rows: { type: 'array', items: record }, next_cursor: string });
    return (await familyOf({ '/things': path })).code;
  };

  test('is an object where nothing expands', async () => {
    const plain = await printed({ cursor: string, limit: integer });
    expect(plain).toContain("query: { perPage: 'limit' }");
    expect(plain).toContain('team: z.optional(z.object({ id: z.string() }))');
  });

  test('is a resource that can be expanded where `expand` may name it', async () => {
    const expanding = await printed({ cursor: string, limit: integer, expand: string });
    expect(expanding).toContain("query: { perPage: 'limit', expand: 'expand' }");
    expect(expanding).toContain('team: z.optional(expandable(resource({ id: z.string() })))');
  });
});

test('a list of numbered pages continues while its body says that more follow', async () => {
  const path = listOf({ page: integer, limit: integer }, { rows, hasMore: { type: 'boolean' } });
  const { code, unfit } = await familyOf({ '/things': path });
  expect(code).toContain("list: { items: 'rows', next: { more: 'hasMore' } }");
  expect(code).toContain('{ paging: true');
  expect(unfit).toEqual([]);
});
