import { createMock, type MockRow } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { anyText, connect, rows, segment, Thing, thing, things } from '../support/conformance-round-trip.ts';
import fc from '../support/random.ts';

const byNumber = ['size', 'device.rank', '-size', '-device.rank'] as const;
const paths = ['size', 'label', 'device', 'device.model', 'device.rank', 'shelf', 'id'] as const;

const read = (row: MockRow, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as MockRow)[name], row);

/** What `sort` means (§4.4), as a comparison; rows that are equal stay in their order. */
const inOrderOf =
  (sort: readonly string[]) =>
  (a: MockRow, b: MockRow): number => {
    for (const field of sort) {
      const path = field.replace(/^-/, '');
      const difference = Number(read(a, path)) - Number(read(b, path));
      if (difference !== 0) return field === path ? difference : -difference;
    }
    return 0;
  };

const namesOf = (search: URLSearchParams, name: string): readonly string[] =>
  search.get(name)?.split(',') ?? [];

describe('what the client sends is what the mock reads', () => {
  test('§4.4 sort, fields, page and perPage', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.uniqueArray(fc.constantFrom(...byNumber), { maxLength: 3 }),
        fc.uniqueArray(fc.constantFrom(...paths), { maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        async (data, sort, fields, page, perPage) => {
          const mock = createMock(things, { data: { things: data } });
          const query = { sort, fields, page, perPage };
          const { items } = await connect(mock).api(things).things.list(query);
          const search = mock.requests[0]?.search ?? new URLSearchParams();
          expect(namesOf(search, 'sort')).toEqual(sort);
          expect(namesOf(search, 'fields')).toEqual(fields);
          expect([search.get('page'), search.get('perPage')]).toEqual([String(page), String(perPage)]);
          const expected = data.toSorted(inOrderOf(sort)).slice((page - 1) * perPage, page * perPage);
          expect(items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          for (const [index, item] of items.entries()) {
            for (const path of fields) expect(read(item, path)).toEqual(read(expected[index] ?? {}, path));
          }
        },
      ),
    );
  });

  test("§4.4 an endpoint's own parameters", async () => {
    const params = fc.record(
      {
        q: anyText,
        size: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        sold: fc.boolean(),
        kinds: fc.array(
          anyText.filter((kind) => kind !== '' && !kind.includes(',')),
          { minLength: 1 },
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(params, async (asked) => {
        const seen: MockRow[] = [];
        const mock = createMock(things, {
          data: {
            things: [{ id: 'a', shelf: 's', size: 1, label: '', device: { model: '', rank: 1 }, content: 0 }],
          },
          filter: {
            things: (_row, params) => {
              seen.push(params);
              return true;
            },
          },
        });
        const { items } = await connect(mock).api(things).things.list({ params: asked });
        expect(items).toHaveLength(1);
        expect(seen).toEqual([asked]);
      }),
    );
  });

  test('§2.1 ids and path parameters of any characters, in paths, self and Location', async () => {
    await fc.assert(
      fc.asyncProperty(thing, segment, async (row, other) => {
        fc.pre(row.shelf !== other);
        const mock = createMock(things, { data: { things: [] } });
        const client = connect(mock);
        const api = client.api(things);
        const { shelf, ...body } = row;
        const result = await api
          .onShelf({ shelf })
          .create({ ...body, shelf: other })
          .withResponse();
        expect(result.data).toMatchObject({ id: row.id, shelf });
        expect((await api.things.get(row.id)).shelf).toBe(shelf);
        expect((await api.onShelf({ shelf }).list()).items.map(({ id }) => id)).toEqual([row.id]);
        expect((await api.onShelf({ shelf: other }).list()).items).toEqual([]);
        expect((await client.follow(Thing, result.response.location ?? '')).id).toBe(row.id);
        expect((await client.follow(Thing, result.data)).id).toBe(row.id);
        await api.things.delete(row.id);
        expect(mock.requests.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 204]);
      }),
    );
  });
});
