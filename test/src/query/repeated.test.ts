import { collection, createClient, customAuth, defineApi, InvalidRequestError, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { queries } from 'restkin/query';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { apisOf, importOf } from '../../support/import-document.ts';
import { rejectionOf } from '../../support/shop.ts';

const Thing = resource({ status: z.string(), size: z.number() });
const params = z.object({
  status: z.optional(z.array(z.string()).min(1)),
  size: z.optional(z.array(z.number())),
});
const api = defineApi({
  name: 'things',
  version: 1,
  auth: 'custom',
  collections: { things: collection('things', Thing, { params, repeated: ['status'] }) },
});

const start = () => {
  const rows = ['open', 'a, b', 'shipped'].map((status, index) => ({ status, size: index }));
  const mock = createMock(api, { data: { things: rows }, authorize: () => true });
  const auth = customAuth(() => undefined);
  const client = createClient({ baseUrl: 'https://api.example.com', auth, fetch: mock.fetch });
  const search = () => mock.requests.at(-1)?.url.split('?')[1];
  return { mock, client, things: client.api(api).things, search };
};

describe('a list that a declaration calls repeated', () => {
  test('is sent as one parameter for each item, which may have a comma; the others have commas', async () => {
    const { things, search } = start();
    const found = await things.list({ params: { status: ['open', 'a, b'], size: [0, 1, 2] } }).toArray();
    expect(search()).toBe('status=open&status=a%2C+b&size=0%2C1%2C2');
    expect(found.map(({ status }) => status)).toEqual(['open', 'a, b']);
  });

  test('with one item is a list of one for the mock', async () => {
    const { things, search } = start();
    expect(await things.list({ params: { status: ['a, b'] } }).toArray()).toHaveLength(1);
    expect(search()).toBe('status=a%2C+b');
  });

  test('that is empty is refused: without it the list would return more', async () => {
    const open = z.object({ status: z.array(z.string()) });
    const { empty } = start().client.api(
      defineApi({
        ...api,
        collections: { empty: collection('things', Thing, { params: open, repeated: ['status'] }) },
      }),
    );
    const error = await rejectionOf(empty.list({ params: { status: [] } }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toHaveProperty('message', expect.stringContaining('params.status is an empty array'));
  });

  test('is in the query string of a builder', () => {
    const query = start()
      .things.query()
      .params({ status: ['x', 'y'] });
    expect(query.toString()).toBe('status=x&status=y');
  });

  test('continues from a page, and the query of its link is compared value by value', async () => {
    const paged = defineApi({
      ...api,
      collections: { things: collection('things', Thing, { params, repeated: ['status'], paging: true }) },
    });
    const mock = createMock(paged, { generate: 3, authorize: () => true });
    const own = createClient({
      baseUrl: 'https://api.example.com',
      auth: customAuth(() => undefined),
      fetch: mock.fetch,
    });
    const from = 'https://api.example.com/v1/things?status=x&status=y&page=2';
    const wrong = own.api(paged).things.list({ from, params: { status: ['x', 'z'] } });
    expect(await rejectionOf(wrong)).toHaveProperty('message', expect.stringContaining('another `status`'));
    await expect(own.api(paged).things.list({ from, params: { status: ['x', 'y'] } })).resolves.toBeDefined();
  });

  test('has a key of its own in a query cache', () => {
    const { things } = queries(start().client, api);
    const [one, both] = [['y'], ['x', 'y']].map((status) => things.list({ params: { status } }).queryKey);
    expect(JSON.stringify(both)).toContain('"status":["x","y"]');
    expect(one).not.toEqual(both);
  });
});

describe('the mock', () => {
  const get = async (search: string) =>
    (await start().mock.fetch(`https://api.example.com/v1/things?${search}`)).status;

  test('takes a repeated parameter where it is declared', async () => {
    expect(await get('status=open&status=shipped')).toBe(200);
  });

  test('refuses it where the declaration joins a list with commas', async () => {
    expect(await get('size=1&size=2')).toBe(400);
  });
});

describe('OpenAPI', () => {
  test('has it as `explode: true`, also where other lists are plain strings', () => {
    for (const plainLists of [false, true]) {
      const [status] =
        toOpenApi(api, { plainLists, securitySchemes: { custom: {} } }).paths['/v1/things']?.get
          ?.parameters ?? [];
      expect(status).toMatchObject({
        name: 'status',
        style: 'form',
        explode: true,
        schema: { type: 'array' },
      });
    }
  });

  test('gives the declaration back', async () => {
    const document = toOpenApi({ ...api, auth: 'token' });
    const imported = await importOf(document);
    expect(imported.unfit).toEqual([]);
    expect(imported.declarations).toContain("repeated: ['status']");
    expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
  });
});

describe('a declaration', () => {
  test.each(['other', 'status', 'toString'])('refuses `repeated` of %s, which is not a list', (name) => {
    const options = { params: z.object({ status: z.string() }), repeated: [name] } as object;
    const declare = () =>
      defineApi({ ...api, collections: { things: collection('things', Thing, options) } });
    expect(declare).toThrow(`\`repeated\` names "${name}", which is not a list in \`params\``);
  });
});

test('client.request repeats the lists that it is told to', async () => {
  const { client, mock } = start();
  const request = {
    method: 'GET',
    path: 'v1/things',
    query: { status: ['x', 'y'] },
    repeated: ['status'],
  } as const;
  await client.request(request);
  expect(mock.requests.at(-1)?.url).toContain('?status=x&status=y');
});
