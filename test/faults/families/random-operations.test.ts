import { createClient, customAuth, family, isValidationError, PagingError } from 'restkin';
import type { conventions, Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import fc from '../../support/random.ts';
import { anyFamily } from '../../support/random-families.ts';
import { isFullRun } from '../../support/runs.ts';

// The client and the mock of random families agree on every operation of a collection.

const declare = (given: Family) => {
  // The parts of a made-up family are known only here: its types are those of the conventions.
  const { resource, expandable, collection, defineApi } = family(given as typeof conventions);
  const Company = resource({ name: z.string() });
  const Order = resource({ title: z.string(), pages: z.int(), company: expandable(Company) });
  const paging = { maxPerPage: 3 };
  const options = { sort: true, fields: true, expand: ['company'], paging, bulk: {} } as const;
  const Article = resource({ number: z.int(), slug: z.string(), title: z.string() });
  const collections = {
    articles: collection('articles', Article, { key: 'slug', fields: true, paging }),
    revisions: collection('articles/:slug/revisions', Article, { key: 'number' }),
    companies: collection('companies', Company),
    orders: collection('orders', Order, options),
  };
  return defineApi({ name: 'shop', version: 1, auth: 'custom', collections });
};

const companies = [
  { id: 1, name: 'Acme' },
  { id: 2, name: 'Borealis' },
];
const rows = [1, 2, 3, 4, 5].map((id) => ({
  id,
  title: `T${id}`,
  pages: 10 - id,
  company: { id: (id % 2) + 1 },
}));

const connect = (given: Family) => {
  const api = declare(given);
  const { fetch } = createMock(api, {
    data: { companies, orders: rows },
    generate: { articles: 3, revisions: 3 },
  });
  const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
  return createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false }).api(api);
};

/** The list, or undefined in a family that has no total where one is needed. */
const unlessWithoutEnd = async <T>(list: PromiseLike<T>): Promise<T | undefined> => {
  try {
    return await list;
  } catch (error) {
    if (!(error instanceof PagingError)) throw error;
    expect(error.message).toContain('nothing says where the list ends');
    return undefined;
  }
};

const numRuns = isFullRun ? 1_000 : 60;
const timeoutMs = isFullRun ? 120_000 : 20_000;

test(
  'lists are sorted, limited and expanded',
  async () => {
    const check = async (given: Family): Promise<void> => {
      const { orders } = connect(given);
      const all = await unlessWithoutEnd(orders.list({ perPage: 2 }).toArray());
      expect(all?.map(({ id }) => id) ?? [1, 2, 3, 4, 5]).toEqual([1, 2, 3, 4, 5]);
      const sorted = await unlessWithoutEnd(orders.list({ sort: ['pages'], perPage: 3 }));
      expect(sorted?.items.map(({ id }) => id) ?? [5, 4, 3]).toEqual([5, 4, 3]);
      const limited = await unlessWithoutEnd(orders.list({ fields: ['title'], perPage: 3 }));
      for (const order of limited?.items ?? []) expect(Object.keys(order)).not.toContain('pages');
      const expanded = await unlessWithoutEnd(orders.list({ expand: ['company'], perPage: 3 }));
      expect(expanded?.items[0]?.company.name ?? 'Borealis').toBe('Borealis');
    };
    await fc.assert(fc.asyncProperty(anyFamily, check), { numRuns });
  },
  timeoutMs,
);

test(
  'a relation is what its family says, and the resource where it is expanded',
  async () => {
    const check = async (given: Family): Promise<void> => {
      const { orders } = connect(given);
      const { company }: { readonly company: unknown } = await orders.get(2);
      const { unexpanded = 'reference' } = given;
      const expected = { reference: expect.objectContaining({ id: 1 }), id: 1, absent: undefined };
      expect(company).toEqual(expected[unexpanded]);
      const expanded = await orders.get(2, { expand: ['company'], fields: ['company'] });
      expect(expanded.company.name).toBe('Acme');
    };
    await fc.assert(fc.asyncProperty(anyFamily, check), { numRuns });
  },
  timeoutMs,
);

test(
  'a resource is addressed by its `key`',
  async () => {
    const check = async (given: Family): Promise<void> => {
      const { articles, revisions } = connect(given);
      const body = { number: 7, slug: 'a b/c', title: 'X' };
      const { id, slug } = await articles.create(body);
      expect(slug).toBe(body.slug);
      expect(await articles.get(slug)).toMatchObject({ id, title: 'X' });
      expect(await articles.get(slug, { fields: ['title'] })).toMatchObject({ title: 'X' });
      await articles.update(slug, { title: 'Y' });
      await articles.replace(slug, { ...body, title: 'Z' });
      expect(await articles.find(slug)).toMatchObject({ id, title: 'Z' });
      expect(await articles.find(String(id))).toBeUndefined();
      await articles.delete(slug);
      expect(await articles.find(slug)).toBeUndefined();
      const below = revisions({ slug });
      const { number } = await below.create(body);
      expect(await below.get(number)).toMatchObject({ number: 7, slug });
    };
    await fc.assert(fc.asyncProperty(anyFamily, check), { numRuns });
  },
  timeoutMs,
);

test(
  'writes change what is read, and invalid ones name their fields',
  async () => {
    const check = async (given: Family): Promise<void> => {
      const { orders } = connect(given);
      const { unexpanded, written } = given;
      const company = unexpanded === 'id' ? 1 : { id: 1 };
      // The types are those of the conventions.
      const body = { title: 'X', pages: 3, ...(unexpanded !== 'absent' && { company }) } as never as {
        readonly title: string;
        readonly pages: number;
        readonly company: { readonly id: number };
      };
      const outcomeOf = (title: string) => (written === 'resource' ? { title } : { outcome: 'done' });
      const { id } = await orders.create(body);
      expect(await orders.update(id, { title: 'Y' })).toMatchObject(outcomeOf('Y'));
      expect(await orders.get(id)).toMatchObject({ id, title: 'Y', pages: 3 });
      expect(await orders.replace(id, { ...body, title: 'Z' })).toMatchObject(outcomeOf('Z'));
      expect(await orders.createMany([body, { ...body, title: 'W' }])).toMatchObject([
        { title: 'X' },
        { title: 'W' },
      ]);
      const error = await orders.create({ ...body, title: 5 as never }).catch((thrown: unknown) => thrown);
      expect(isValidationError(error) && Object.keys(error.fieldErrors)).toEqual(['title']);
      expect(await orders.delete(id)).toEqual({ outcome: 'done' });
      expect(await orders.find(id)).toBeUndefined();
      expect(await orders.allowedMethods()).toContain('GET');
    };
    await fc.assert(fc.asyncProperty(anyFamily, check), { numRuns });
  },
  timeoutMs,
);
