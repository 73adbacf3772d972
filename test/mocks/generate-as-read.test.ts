// Inside a union, a record, a tuple, a lazy schema or a codec, values are stored as a client reads them.
import { collection, createClient, customAuth, defineApi, expandable, family, resource } from 'restkin';
import * as presets from 'restkin/families';
import { createMock, type Mock, type MockOptions } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';

const baseUrl = 'https://api.example.com';
const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
const clientOf = ({ fetch }: Mock) => createClient({ baseUrl, auth, fetch });

/** What declares an API of the conventions, or of a family. */
interface Declare {
  readonly resource: typeof resource;
  readonly expandable: (target: never) => $ZodType;
  readonly collection: typeof collection;
  readonly defineApi: typeof defineApi;
}

/** The values of a field in what a client reads: of orders, and of the orders that shipments expand to. */
const readField = async (
  declare: Declare,
  fieldOf: Place,
  generate: MockOptions['generate'] = 12,
): Promise<readonly unknown[]> => {
  const Company = declare.resource({ name: z.string() });
  const Person = declare.resource({ email: z.email() });
  const field = fieldOf(declare.expandable(Company as never), declare.expandable(Person as never));
  const Order = declare.resource({ field });
  const Shipment = declare.resource({ order: declare.expandable(Order as never) });
  const api = declare.defineApi({
    name: 'shop',
    version: 1,
    auth: 'custom',
    collections: {
      companies: declare.collection('companies', Company),
      people: declare.collection('people', Person),
      orders: declare.collection('orders', Order, { paging: true }),
      shipments: declare.collection('shipments', Shipment, { expand: ['order'] as never, paging: true }),
    },
  });
  const client = clientOf(createMock(api, { generate })).api(api);
  const orders = await client.orders.list().toArray();
  const shipments = await client.shipments.list({ expand: ['order'] as never }).toArray();
  const shipped = shipments.map((shipment) => (shipment as { readonly order: object }).order);
  return [...orders, ...shipped].map((order) => (order as { readonly field?: unknown }).field);
};

const conventions = { resource, expandable, collection, defineApi } as unknown as Declare;
const byId = family({
  ...presets.directus,
  item: '',
  query: { ...presets.directus.query, expand: 'deep' },
}) as unknown as Declare;
const leftOut = family(presets.jsonServer) as unknown as Declare;
const withoutSelf = family({ ...presets.jsonServer, unexpanded: 'reference' }) as unknown as Declare;

type Place = (company: $ZodType, person: $ZodType) => $ZodType;

const places: Readonly<Record<string, Place>> = {
  'a union of relations': (company, person) => z.union([company, person]),
  'a union with null': (company) => z.union([company, z.null()]),
  'a union in an optional field': (company, person) => z.optional(z.union([company, person])),
  'an object in a union': (company) => z.union([z.object({ company }), z.literal('none')]),
  'a list in a union': (company) => z.union([z.array(company), z.literal('none')]),
  'a tuple': (company) => z.tuple([z.int(), z.nullable(company)]),
  'a record': (company) => z.record(z.string(), company),
  'a record of objects': (company) => z.record(z.string(), z.object({ companies: z.array(company) })),
  'a list of records': (company) => z.array(z.record(z.string(), company)),
  'a lazy schema': (company) => z.lazy(() => z.nullable(company)),
  'a codec': (company) =>
    z.codec(z.object({ company }), z.unknown(), { decode: (one) => one, encode: (one) => one as never }),
};

/** Those that have no value without a relation. */
const requiring: ReadonlySet<string> = new Set(['a union of relations', 'a codec']);

/** The ids in values, whatever they are in. */
const idsIn = (value: unknown): readonly unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'id' in value && 'self' in value ? [value.id] : [];
  return [...own, ...Object.values(value).flatMap(idsIn)];
};

const rowIds = new Set(Array.from({ length: 12 }, (_, index) => index + 1));

describe('a client reads what is generated with relations in', () => {
  test.each(Object.entries(places))('%s', async (_name, place) => {
    const values = await readField(conventions, place);
    expect(values).toHaveLength(24);
    const ids = values.flatMap(idsIn);
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.filter((id) => !rowIds.has(id as number))).toEqual([]);
  });

  test.each(Object.entries(places))('%s, in a family that sends their ids', async (_name, place) => {
    expect(await readField(byId, place)).toHaveLength(24);
  });

  test.each(Object.entries(places).filter(([name]) => !requiring.has(name)))(
    '%s, in a family that leaves them out',
    async (_name, place) => {
      expect(await readField(leftOut, place)).toHaveLength(24);
    },
  );

  test.each([...requiring])('%s, which a family that leaves them out cannot send', async (name) => {
    const reason = 'the family leaves this relation out, and the schema requires a value';
    await expect(readField(leftOut, places[name] as Place)).rejects.toThrow(reason);
  });

  test.each(Object.entries(places))('%s, in a family without self', async (_name, place) => {
    const values = await readField(withoutSelf, place);
    expect(values).toHaveLength(24);
    expect(JSON.stringify(values)).not.toContain('self');
  });
});

test('both options of a union of relations occur', async () => {
  const values = await readField(conventions, (company) => z.union([company, z.null()]));
  expect(values).toContain(null);
  expect(values).toContainEqual({ id: expect.any(Number), self: expect.any(String) });
});

test('a relation that is sent as its id is the id of a row', async () => {
  const values = await readField(byId, (company) => z.record(z.string(), company), {
    companies: { count: 2, row: (index) => ({ id: 5001 + index }) },
    orders: 20,
  });
  const ids = values.flatMap((value) => Object.values(value as object) as number[]);
  expect(new Set(ids)).toEqual(new Set([5001, 5002]));
});

test('without rows to lead to, a field takes what it may have instead', async () => {
  const read = (place: Place) => readField(conventions, place, { orders: 8, people: 3 });
  const toPeople = { id: expect.any(Number), self: expect.stringMatching('urn:field:') };
  const either = await read((company, person) => z.union([company, person]));
  expect(either).toEqual(either.map(() => toPeople));
  const records = await read((company) => z.record(z.string(), company));
  expect(records).toEqual(records.map(() => ({})));
  const missing = Array.from({ length: 8 }, () => undefined);
  expect(await read((company) => z.optional(z.union([company, z.array(company).min(1)])))).toEqual(missing);
  expect(await read((company) => z.union([z.optional(company), z.date()]))).toEqual(missing);
  await expect(read((company) => z.union([company]))).rejects.toThrow(
    'the collection "companies" has no rows',
  );
});

describe('a resource', () => {
  const Line = resource({ self: z.url(), sku: z.string() });

  test.each<[string, $ZodType]>([
    ['a union', z.union([Line, z.literal('none')])],
    ['a record', z.record(z.string(), Line)],
    ['a lazy schema', z.lazy(() => Line)],
  ])('with a required self has one in %s', async (_name, field) => {
    const values = await readField(conventions, () => field);
    expect(values).toHaveLength(24);
    expect(values.flatMap(idsIn).length).toBeGreaterThan(3);
  });

  test('has an id inside a relation to a resource without a collection', async () => {
    const Company = resource({ branches: z.array(resource({ city: z.string() })) });
    const Order = resource({ company: expandable(Company) });
    const orders = collection('orders', Order, { expand: ['company'] });
    const api = defineApi({ name: 'shop', version: 1, auth: 'custom', collections: { orders } });
    const read = clientOf(createMock(api, { generate: 9 })).api(api).orders;
    const branches = (await read.list({ expand: ['company'] }).toArray()).flatMap(
      ({ company }) => company.branches,
    );
    expect(branches.length).toBeGreaterThan(3);
    for (const branch of branches) expect(branch.id).toEqual(expect.any(Number));
  });
});

describe('a resource without a collection that relates to itself', () => {
  const Node = resource({
    name: z.string(),
    get parent(): $ZodType {
      return expandable(Node);
    },
    get parts(): $ZodType {
      return z.array(expandable(Node));
    },
  });
  const Order = resource({ node: expandable(Node) });
  const expand = ['node', 'node.parent', 'node.parent.parent'];
  const orders = collection('orders', Order, { expand: expand as never });
  const api = defineApi({ name: 'shop', version: 1, auth: 'custom', collections: { orders } });
  const read = clientOf(createMock(api, { generate: 3 })).api(api).orders;

  test('is generated in full as deep as it is expanded', async () => {
    const [order] = await read.list({ expand: expand as never }).toArray();
    const { parent } = Object(order).node;
    expect([parent.name, parent.parent.name]).toEqual([expect.any(String), expect.any(String)]);
    expect(Object.keys(parent.parent.parent)).toEqual(['id', 'self']);
  });

  test('is a reference until it is expanded', async () => {
    const [order] = await read.list().toArray();
    expect(Object.keys(Object(order).node)).toEqual(['id', 'self']);
  });
});
