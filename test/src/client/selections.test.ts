import { type Client, createClient, tokenAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import fc from '../../support/random.ts';
import {
  anyFields,
  declareApi,
  expectedValue,
  type Field,
  isExpandable,
  pathsOf,
  rowsOf,
} from '../../support/random-model.ts';
import { isFullRun } from '../../support/runs.ts';

const baseUrl = 'https://api.test';
const users = [{ username: 'ada', password: 'lovelace' }];

/** A value without `self` and `id`: the server makes self links, which are tested apart. */
const withoutSelf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSelf);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'self')
      .map(([name, inner]) => [name, withoutSelf(inner)]),
  );
};

/** A resource, a query of it and a seed for its rows. */
const anyCase = anyFields.chain((fields) => {
  const expandable = pathsOf(fields, isExpandable);
  return fc.record({
    fields: fc.constant(fields),
    only: fc.option(fc.subarray(pathsOf(fields), { minLength: 1 }), { nil: undefined }),
    expand: fc.subarray(expandable),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  });
});

test('§4.4 for any query of any resource the response passes the derived schema, and has its fields', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ fields, only, expand, seed }) => {
      const { api, targets } = declareApi(fields);
      const data = rowsOf(fields, { targets }, seed);
      const mock = createMock(api, { data, users, baseUrl, authUrl: baseUrl } as never);
      const auth = tokenAuth({ authUrl: baseUrl, username: 'ada', password: 'lovelace' });
      const client: Client = createClient({ baseUrl, auth, fetch: mock.fetch });
      const { roots } = client.api(api);
      // What can be expanded is made up too, so that the compiler knows of none.
      const query: { fields: typeof only } = Object.assign({ fields: only }, { expand });
      const find = (field: Field, id: unknown) =>
        data[targets.get(field)?.name ?? '']?.find((row) => row.id === id) ?? {};

      const expected = (data.roots ?? []).map((row) => ({
        id: row.id,
        ...expectedValue(fields, row, { fields: only, expand }, find),
      }));
      const one = await roots.get(1, query);
      const all = await roots.list(query).toArray();
      const followed = await client.follow(api.collections.roots.resource, one, query);
      expect(withoutSelf(one)).toEqual(expected[0]);
      expect(withoutSelf(followed)).toEqual(expected[0]);
      expect(all.map(withoutSelf)).toEqual(expected);
      expect(one).toHaveProperty('self', `${baseUrl}/v1/roots/1`);
    }),
    { numRuns: isFullRun ? 150 : 75 },
  );
}, 60_000);
