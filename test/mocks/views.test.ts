import { collection, defineApi, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ordering } from '../support/ordering.ts';
import { companies, order, origin, send, signedIn } from './calls.ts';

const created = (body: object) => ({ method: 'POST', body });

describe('rows that are given for a collection below a path parameter', () => {
  const start = () =>
    createMock(ordering, {
      data: {
        companies,
        orders: [order(0)],
        companyOrders: [order(1, { company: 1 }), order(2, { id: 7, company: 2 })],
      },
    });

  test('are rows of the collection that it shows', async () => {
    const mock = start();
    const call = await signedIn(mock);
    expect(mock.state.rows('orders').map(({ id }) => id)).toEqual([8, 9, 7]);
    const { json } = await call('/v1/companies/1/orders');
    expect(json.map(({ self }: { self: string }) => self)).toEqual([
      `${origin}/v1/orders/8`,
      `${origin}/v1/orders/9`,
    ]);
    for (const { self, id } of json) {
      expect((await call(new URL(self).pathname)).json).toMatchObject({ id, company: { id: 1 } });
    }
  });

  test('cannot have the id of a row of that collection', () => {
    const data = { companies, orders: [order(0, { id: 3 })], companyOrders: [order(1, { id: 3 })] };
    expect(() => createMock(ordering, { data })).toThrow('data.companyOrders[0]');
    expect(() => createMock(ordering, { data })).toThrow('id: 3 is a duplicate');
  });
});

describe('§2.1 self of rows that only a path with parameters reaches is below that path', () => {
  const Member = resource({ name: z.string() });
  const declare = (operations: readonly ('list' | 'get' | 'create')[]) =>
    defineApi({
      name: 'clubs',
      version: 1,
      auth: 'open',
      collections: {
        members: collection('members', Member),
        clubMembers: collection('clubs/:clubId/members', Member, { operations }),
      },
    });
  const data = { members: [{ name: 'Ada' }], clubMembers: [{ name: 'Grace' }] };

  test('if the rows do not have the parameter of the path', async () => {
    const mock = createMock(declare(['list', 'get', 'create']), { data });
    for (const club of ['7', 'a%20b', '7']) {
      const self = `${origin}/v1/clubs/${club}/members/1`;
      const grace = { id: 1, self, name: 'Grace' };
      expect((await send(mock, `/v1/clubs/${club}/members`)).json).toEqual([grace]);
      expect((await send(mock, new URL(self).pathname)).json).toEqual(grace);
    }
    expect((await send(mock, '/v1/members/1')).json.name).toBe('Ada');
    const made = await send(mock, '/v1/clubs/7/members', created({ name: 'Joan' }));
    expect([made.headers.get('location'), made.json.self]).toEqual(
      Array(2).fill(`${origin}/v1/clubs/7/members/2`),
    );
  });

  test('and is not there without get', async () => {
    const mock = createMock(declare(['list']), { data });
    expect((await send(mock, '/v1/clubs/7/members')).json).toEqual([{ id: 1, name: 'Grace' }]);
  });

  test('as does that of a view on a collection that can only be listed', async () => {
    const Club = resource({ name: z.string() });
    const Note = resource({ text: z.string(), club: expandable(Club) });
    const api = defineApi({
      name: 'notes',
      version: 1,
      auth: 'open',
      collections: {
        clubs: collection('clubs', Club),
        notes: collection('notes', Note, { operations: ['list'] }),
        clubNotes: collection('clubs/:clubId/notes', Note),
      },
    });
    const mock = createMock(api, { data: { clubs: [{ name: 'a' }], notes: [{ text: 'x', club: 1 }] } });
    const { json } = await send(mock, '/v1/clubs/1/notes');
    expect(json[0].self).toBe(`${origin}/v1/clubs/1/notes/1`);
    expect((await send(mock, '/v1/clubs/1/notes/1')).status).toBe(200);
    expect((await send(mock, '/v1/notes')).json[0]).not.toHaveProperty('self');
  });
});
