import { collection, expandable, openEnum, resource } from 'restkin';
import { createMock, type Mock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import { ordering } from '../support/ordering.ts';
import { companies, declare, generateField, origin } from './calls.ts';

const rowsOf = ({ state }: Mock) => state.rows('things');

const Firm = resource({ name: z.string() });
const Part = resource({ id: z.string(), name: z.string() });

describe('generated rows', () => {
  const ordersOf = (count: number, seed = 1) =>
    createMock(ordering, { generate: { orders: count, companies: 5 }, seed }).state.rows('orders');

  test('are as many as requested, with ids from 1 and relations to rows that exist', () => {
    const orders = ordersOf(30);
    expect(orders.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    const related = new Set(orders.map(({ company }) => company.id));
    expect([...related].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    const lines = orders.flatMap((row) => row.lines);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  });

  test('have in a plain string what a parameter of that name lists, but for `all`', () => {
    const params = z.object({
      state: z.optional(z.enum(['open', 'closed', 'all'])),
      tags: z.optional(z.array(z.enum(['red', 'blue']))),
      code: z.optional(z.enum(['x', 'long'])),
      kind: z.optional(z.enum(['a', 'b'])),
      level: z.optional(openEnum(['low', 'high'])),
      mode: z.optional(z.enum(['on', 'off'])),
    });
    const shape = {
      state: z.optional(z.nullable(z.string())),
      tags: z.array(z.string()),
      code: z.string().min(4),
      kind: z.enum(['b', 'c']),
      level: z.string(),
      mode: z.unknown(),
    };
    const things = collection('things', resource(shape), { params });
    const others = collection('others', resource({ state: z.string() }), {
      params: z.object({ state: z.enum(['new', 'old']) }),
    });
    const rows = rowsOf(createMock(declare({ things, others }), { generate: { things: 60 } }));
    const valuesIn = (name: string) => new Set(rows.flatMap((row) => row[name]));
    expect(valuesIn('state')).toEqual(new Set(['open', 'closed', null, undefined]));
    expect(valuesIn('tags')).toEqual(new Set(['red', 'blue']));
    expect(valuesIn('code')).toEqual(new Set(['long']));
    expect(valuesIn('kind')).toEqual(new Set(['b', 'c']));
    expect(valuesIn('level')).toEqual(new Set(['low', 'high']));
    expect(valuesIn('mode')).toEqual(new Set(['on', 'off']));
  });

  test('are the same for the same seed, whatever else is generated', () => {
    const orders = ordersOf(30);
    expect(ordersOf(30)).toEqual(orders);
    expect(ordersOf(30, 2)).not.toEqual(orders);
    const statusesOf = (rows: typeof orders) => rows.map(({ status }) => status);
    expect(statusesOf(ordersOf(10))).toEqual(statusesOf(orders.slice(0, 10)));
  });

  test('a single number applies to every collection without data', () => {
    const { state } = createMock(ordering, { data: { companies }, generate: 2 });
    const counts = (['companies', 'orders', 'feed'] as const).map((key) => state.rows(key).length);
    expect(counts).toEqual([3, 2, 2]);
  });

  test('fit a check of the whole row', () => {
    const Range = resource({ from: z.int().max(9), to: z.int().max(9) });
    Range._zod.def.checks = [z.refine<{ from: number; to: number }>(({ from, to }) => from <= to)];
    const api = declare({ things: collection('ranges', Range) });
    const rows = rowsOf(createMock(api, { generate: 20 }));
    expect(rows.every(({ from, to }) => Number(from) <= Number(to))).toBe(true);
  });
});

describe('nested collections', () => {
  const Device = resource({ model: z.string() });
  const Reading = resource({ value: z.number(), deviceId: z.number() });
  const api = declare({
    readings: collection('firms/:firmId/devices/:deviceId/readings', Reading),
    devices: collection('firms/:firmId/devices', Device),
    firms: collection('firms', Firm),
    alarms: collection('alarms', resource({ device: expandable(Device) })),
  });
  const get = async (mock: Mock, path: string) => (await mock.fetch(`${origin}/v1/${path}`)).json();

  test('a single number fills each of them below the rows of its parent in turn', async () => {
    const mock = createMock(api, { generate: 4 });
    const device = { id: 2, self: `${origin}/v1/firms/2/devices/2`, model: expect.any(String) };
    expect(await get(mock, 'firms/2/devices')).toEqual([device]);
    expect(await get(mock, 'firms/3/devices/3/readings')).toMatchObject([{ id: 3, deviceId: 3 }]);
    expect(await get(mock, 'firms/3/devices/2/readings')).toEqual([]);
  });

  test('a link to a resource that only a nested collection serves leads there', async () => {
    const mock = createMock(api, { generate: 4 });
    for (const { device } of await get(mock, 'alarms')) {
      expect(device.self).toBe(`${origin}/v1/firms/${device.id}/devices/${device.id}`);
    }
  });

  test('a parameter with the name of an object selects no `id`, unless a parent or its name says so', async () => {
    const Owner = resource({ login: z.string() });
    const Fork = resource({ owner: Owner });
    const mock = createMock(
      declare({
        forks: collection('repos/:owner/:repo/forks', Fork),
        ownForks: collection('users/:ownerId/forks', Fork),
        teams: collection('teams', resource({ name: z.string() })),
        members: collection('teams/:team/members', resource({ team: resource({ name: z.string() }) })),
      }),
      { generate: 2 },
    );
    expect(await get(mock, 'repos/ada/engine/forks')).toHaveLength(2);
    expect(await get(mock, 'users/none/forks')).toEqual([]);
    expect(await get(mock, 'teams/2/members')).toMatchObject([{ team: { id: 2 } }]);
  });

  test('rows below one that belongs to any path are below any path, too', async () => {
    const mock = createMock(
      declare({
        issues: collection('repos/:owner/issues', resource({ title: z.string() })),
        comments: collection('repos/:owner/issues/:issue/comments', resource({ text: z.string() })),
      }),
      { generate: 2 },
    );
    expect(await get(mock, 'repos/ada/issues')).toHaveLength(2);
    expect(await get(mock, 'repos/ada/issues/2/comments')).toMatchObject([{ id: 2 }]);
  });

  test('rows without a parent are an error that names the collection that lacks them', () => {
    const create = () => createMock(api, { generate: { devices: 3 } });
    expect(create).toThrow('the collection "firms" above it has no rows');
  });
});

describe('a function for the rows of a collection', () => {
  const Phone = resource({ cli: z.string().regex(/^(\d)\1{3}$/), firm: expandable(Firm) });
  const api = declare({ things: collection('numbers', Phone) });

  test('gives fields and ids, and the schema the others', () => {
    const row = (index: number) => ({ cli: String(index).repeat(4), ...(index === 1 && { id: 1 }) });
    const rows = rowsOf(createMock(api, { generate: { things: { count: 3, row } } }));
    expect(rows).toMatchObject([
      { id: 2, cli: '0000' },
      { id: 1, cli: '1111' },
      { id: 3, cli: '2222', firm: { name: expect.any(String) } },
    ]);
  });

  test('gives each row an id of its own', () => {
    const create = (row: (index: number) => { id: number; cli: string }) =>
      createMock(api, {
        data: { things: [{ id: 8, cli: '8888', firm: { id: 1, name: 'a' } }] },
        generate: { things: { count: 3, row } },
      });
    const cli = '1111';
    expect(() => create(() => ({ id: 7, cli }))).toThrow('generate.things.row: the id 7 is a duplicate');
    expect(() => create((index) => ({ id: 6 + index, cli }))).toThrow('the id 8 is a duplicate');
  });

  test('may give half of the ids: the others are above the highest', () => {
    const ids = (row: (index: number) => object, id: $ZodType = z.int()) => {
      const declared = declare({ things: collection('things', resource({ id })) });
      return rowsOf(createMock(declared, { generate: { things: { count: 400, row } } })).map((one) => one.id);
    };
    const numbers = ids((index) => (index < 200 ? { id: 201 + index } : {}));
    expect(numbers.slice(200)).toEqual(Array.from({ length: 200 }, (_, index) => 401 + index));
    const prefixed = ids((index) => (index < 1 ? { id: 'ord_9' } : {}), z.string().startsWith('ord_'));
    expect(prefixed.slice(0, 3)).toEqual(['ord_9', 'ord_10', 'ord_11']);
  });

  test('may give a field that only some generated values fit', () => {
    const Range = resource({ from: z.int().max(9), to: z.int().max(9) });
    Range._zod.def.checks = [
      z.refine<{ from: number; to: number }>(({ from, to }) => from <= to, { path: ['to'], error: 'is low' }),
    ];
    const ranges = declare({ things: collection('ranges', Range) });
    const create = (row: (index: number) => object, count = 8) =>
      createMock(ranges, { generate: { things: { count, row } } });
    const rows = rowsOf(create((index) => ({ to: index })));
    expect(rows.map(({ to }) => to)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(rows.every(({ from, to }) => Number(from) <= Number(to))).toBe(true);
    expect(() => create(() => ({ to: 10 }))).toThrow('generate.things.row gives an invalid "to": ');
    expect(() => create(() => ({ from: 2, to: 1 }))).toThrow(
      'the field "to" of the collection "things": the given value fits with no generated ones: is low; ',
    );
  });

  test('is what the error of a field that cannot be generated asks for', () => {
    expect(() => createMock(api, { generate: 1 })).toThrow('or the field in generate.things.row');
  });
});

describe('relations and ids', () => {
  test('a resource that contains itself relates to rows of its own collection', () => {
    const Person = resource({
      name: z.string(),
      get boss(): $ZodType {
        return z.optional(expandable(Person));
      },
    });
    const api = declare({ things: collection('people', Person, { expand: ['boss'] }) });
    const rows = rowsOf(createMock(api, { generate: 20 }));
    const bosses = rows.flatMap(({ boss }) => (boss === undefined ? [] : [(boss as { id: number }).id]));
    expect(bosses.length).toBeGreaterThan(5);
    expect(bosses.every((id) => id >= 1 && id <= 20)).toBe(true);
  });

  test('a nested resource that contains itself ends, unless it must contain itself', () => {
    const Node = resource({
      get parts(): $ZodType {
        return z.array(Node);
      },
      get next(): $ZodType {
        return z.nullable(Node);
      },
    });
    const rows = rowsOf(createMock(declare({ things: collection('nodes', Node) }), { generate: 3 }));
    expect(JSON.stringify(rows)).toContain('"parts":[]');
    const Endless = resource({
      get next(): $ZodType {
        return Endless;
      },
    });
    const create = () => createMock(declare({ things: collection('nodes', Endless) }), { generate: 1 });
    expect(create).toThrow('its schema contains itself without an end');
  });

  test('a union that contains itself ends with an option that does not', () => {
    const tree: $ZodType = z.lazy(() =>
      z.union([z.object({ left: tree }), z.object({ right: tree }), z.literal('leaf')]),
    );
    const depths = generateField(tree, 200).map((value) => JSON.stringify(value).split('{').length);
    expect(Math.max(...depths)).toBeLessThan(6);
  });

  test('an id that is not a number differs for each row', () => {
    const ids = (id: $ZodType) =>
      rowsOf(createMock(declare({ things: collection('firms', resource({ id })) }), { generate: 12 })).map(
        (row) => row.id,
      );
    expect(ids(z.string())).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
    const uuids = ids(z.uuid());
    expect(new Set(uuids).size).toBe(12);
    expect(ids(z.uuid())).toEqual(uuids);
    expect(() => ids(z.enum(['a', 'b']))).toThrow('no 12 different ids can be generated');
  });

  test.each<[string, (part: typeof Part) => $ZodType]>([
    ['a record', (part) => z.record(z.string(), part)],
    ['a union', (part) => z.union([part, z.object({ other: z.string() })])],
    ['a field that may be expanded, of a resource without a collection', expandable],
  ])('a nested resource has an id of its type in %s', (_name, hold) => {
    const schema = hold(Part);
    for (const value of generateField(schema, 20)) expect(safeParse(schema, value).error).toBeUndefined();
  });

  test('an optional relation to an empty collection is left out, a required one is an error', () => {
    const create = (firm: $ZodType) =>
      createMock(
        declare({ firms: collection('firms', Firm), things: collection('orders', resource({ firm })) }),
        { generate: { things: 5 } },
      );
    expect(rowsOf(create(z.optional(expandable(Firm)))).every(({ firm }) => firm === undefined)).toBe(true);
    expect(() => create(expandable(Firm))).toThrow('the collection "firms" has no rows');
  });

  test('a list of relations to an empty collection is empty, unless it may not be', () => {
    const create = (firms: $ZodType) =>
      createMock(
        declare({ firms: collection('firms', Firm), things: collection('orders', resource({ firms })) }),
        { generate: { things: 5 } },
      );
    const rows = rowsOf(create(z.array(expandable(Firm))));
    expect(rows.map(({ firms }) => firms)).toEqual([[], [], [], [], []]);
    expect(() => create(z.array(expandable(Firm)).min(1))).toThrow('the collection "firms" has no rows');
  });
});
