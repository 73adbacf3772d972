import { collection, createClient, customAuth, endpoint, expandable, NotFoundError, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { declare, origin, send } from './calls.ts';

const Issue = resource({ number: z.int(), title: z.string() });
const User = resource({ login: z.string(), name: z.string() });
const Comment = resource({ text: z.string() });
const Title = z.object({ title: z.string() });

const api = declare({
  issues: collection('repos/:owner/:repo/issues', Issue, {
    key: 'number',
    bodies: { create: Title, update: Title },
    actions: { close: endpoint('POST', 'close', { response: Issue }) },
  }),
  comments: collection('repos/:owner/:repo/issues/:number/comments', Comment),
  users: collection('users', User, { key: 'login', bulk: {} }),
  repos: collection('users/:login/repos', resource({ name: z.string() })),
});
const ada = { id: 71, login: 'ada', name: 'Ada' };
const bob = { id: 72, login: 'bob', name: 'Bob' };
const users = [ada, bob];
const issues = [
  { id: 901, number: 5, title: 'five' },
  { id: 902, number: 6, title: 'six' },
];

const start = () => {
  const mock = createMock(api, { data: { users, issues } });
  const auth = { open: customAuth(() => ({})) };
  const client = createClient({ baseUrl: origin, auth, fetch: mock.fetch }).api(api);
  return { mock, client, issues: client.issues({ owner: 'ada', repo: 'engine' }) };
};

describe('the `key` of a collection', () => {
  test('addresses one resource in place of its id', async () => {
    const { client, issues: all, mock } = start();
    expect((await all.get(5)).title).toBe('five');
    await all.update(5, { title: 'changed' });
    expect(mock.state.row('issues', 5)).toEqual({ id: 901, number: 5, title: 'changed' });
    expect((await all.close(6)).title).toBe('six');
    await client.users.delete('bob');
    expect(mock.state.rows('users')).toEqual([ada]);
    expect(mock.state.row('users', 71)).toBeUndefined();
    await expect(client.users.get('71')).rejects.toThrow(NotFoundError);
    await expect(client.users.get('71')).rejects.toThrow('There is no users resource with the login');
  });

  test('is in the message about an invalid one', async () => {
    const { client, issues: all } = start();
    await expect(client.users.get('..')).rejects.toThrow('"users": login must not be ".."');
    await expect(all.close(1.5)).rejects.toThrow(
      'issues.close: number must be a string or an integer, not 1.5',
    );
  });

  test('is in `self` and in Location', async () => {
    const { client, issues: all } = start();
    const issue = await all.get(5);
    expect(issue.self).toBe(`${origin}/v1/repos/ada/engine/issues/5`);
    expect(await client.users.get('ada')).toMatchObject({ self: `${origin}/v1/users/ada` });
    const { data, response } = await all.create({ title: 'seven' }).withResponse();
    expect(data.number).toBe(7);
    expect(response.headers.get('location')).toBe(`${origin}/v1/repos/ada/engine/issues/7`);
    expect((await all.get(7)).title).toBe('seven');
  });

  test('of a new resource differs from those of the others below the same path', async () => {
    const { client } = start();
    const taken = { login: 'ada', name: 'Ada' };
    await expect(client.users.create(taken)).rejects.toThrow(': login (invalid)');
    await expect(client.users.update('bob', { login: 'ada' })).rejects.toThrow(': login (invalid)');
    await expect(client.users.replace('bob', taken)).rejects.toThrow(': login (invalid)');
    const twice = { login: 'eve', name: 'Eve' };
    await expect(client.users.createMany([twice, twice])).rejects.toThrow(': 1.login (invalid)');
    await client.users.update('bob', { login: 'rob' });
    expect((await client.users.get('rob')).name).toBe('Bob');
  });

  test('of given rows differs', () => {
    const rows = [ada, { ...bob, login: 'ada' }];
    expect(() => createMock(api, { data: { users: rows } })).toThrow('users[1] does not fit');
    expect(() => createMock(api, { data: { users: rows } })).toThrow('login: ada is a duplicate');
    const { mock } = start();
    expect(() => mock.state.setRows('users', rows)).toThrow('login: ada is a duplicate');
    const generate = { users: { count: 1, row: () => ({ login: 'ada' }) } };
    expect(() => createMock(api, { data: { users }, generate })).toThrow(
      'generate.users.row: the login ada is a duplicate',
    );
  });

  test('of a generated row is none that a later row is given', () => {
    const row = (index: number) => (index === 1 ? { number: 1 } : {});
    const { state } = createMock(api, { generate: { issues: { count: 3, row } } });
    expect(state.rows('issues').map(({ number }) => number)).toEqual([2, 1, 3]);
  });

  test('given for each row needs no generated one', () => {
    const State = resource({ state: z.enum(['a', 'b']) });
    const api = declare({ states: collection('states', State, { key: 'state' }) });
    const row = (index: number) => ({ state: ['a', 'b'][index] });
    const { state } = createMock(api, { generate: { states: { count: 2, row: row as never } } });
    expect(state.rows('states').map((one) => one.state)).toEqual(['a', 'b']);
  });

  test('of a new row is the number after the highest one', async () => {
    const { client, mock } = start();
    const numbered = [
      { id: 1, number: 1000, title: 'thousand' },
      { id: 2, number: 1, title: 'one' },
    ];
    mock.state.setRows('issues', numbered);
    const created = await client.issues({ owner: 'ada', repo: 'engine' }).create({ title: 'next' });
    expect(created.number).toBe(1001);
  });

  test('that is generated is a part of a path', () => {
    const Part = resource({ name: z.enum(['', '.', '..', 'a']) });
    const api = declare({ parts: collection('parts', Part, { key: 'name' }) });
    const { state } = createMock(api, { generate: 1 });
    expect(state.rows('parts').map(({ name }) => name)).toEqual(['a']);
    expect(() => createMock(api, { generate: 2 })).toThrow('no other value can be generated');
  });

  test('of a collection that shows the rows of another one differs in all of them', () => {
    const Order = resource({ number: z.int(), company: expandable(resource({ name: z.string() })) });
    const orders = collection('orders', Order);
    const companyOrders = collection('companies/:companyId/orders', Order, { key: 'number' });
    const { state } = createMock(declare({ orders, companyOrders }), { generate: { orders: 20 } });
    expect(state.rows('orders').map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  test('is in the Location of a resource that cannot be fetched', async () => {
    const issues = collection('issues', Issue, { key: 'number', operations: ['create'] });
    const body = { number: 7, title: 'seven' };
    const { headers } = await send(createMock(declare({ issues })), '/v1/issues', { method: 'POST', body });
    expect(headers.get('location')).toBe(`${origin}/v1/issues/7`);
  });

  test('that is null is no part of a path', async () => {
    const Seat = resource({ number: z.nullable(z.int()) });
    const seats = collection('seats', Seat, { key: 'number' });
    const mock = createMock(declare({ seats }), { data: { seats: [{ number: null }, { number: null }] } });
    expect((await send(mock, '/v1/seats')).json).toEqual([
      { id: 1, number: null },
      { id: 2, number: null },
    ]);
    expect((await send(mock, '/v1/seats/undefined')).status).toBe(404);
    expect((await send(mock, '/v1/seats/null')).status).toBe(404);
  });

  test('may be null in several items of a bulk request', async () => {
    const Seat = resource({ number: z.nullable(z.int()) });
    const mock = createMock(declare({ seats: collection('seats', Seat, { key: 'number', bulk: {} }) }));
    const body = [{ number: null }, { number: null }];
    expect((await send(mock, '/v1/seats', { method: 'POST', body })).status).toBe(201);
  });

  test('may be the same below different parents', async () => {
    const Task = resource({ number: z.int(), project: z.string() });
    const tasks = collection('projects/:project/tasks', Task, { key: 'number' });
    const data = [
      { id: 1, number: 1, project: 'a' },
      { id: 2, number: 1, project: 'b' },
    ];
    const mock = createMock(declare({ tasks }), { data: { tasks: data } });
    expect((await send(mock, '/v1/projects/b/tasks/1')).json.id).toBe(2);
    const projects = collection('projects', resource({ name: z.string() }));
    const below = collection('projects/:projectId/tasks', resource({ number: z.int() }), { key: 'number' });
    const generate = { projects: 2, below: { count: 2, row: () => ({ number: 1 }) } };
    expect(createMock(declare({ projects, below }), { generate }).state.rows('below')).toHaveLength(2);
    const { status } = await send(mock, '/v1/projects/c/tasks', {
      method: 'POST',
      body: { number: 1, project: 'c' },
    });
    expect(status).toBe(201);
  });

  test('is generated, unique, for rows and for what a body lacks', async () => {
    const Post = resource({
      slug: z.string(),
      code: z.optional(z.nullable(z.string().max(2))),
      state: z.enum(['a', 'b']),
    });
    const generated = declare({
      posts: collection('posts', Post, { key: 'slug' }),
      coded: collection('coded', Post, { key: 'code' }),
      issues: collection('issues', Issue, { key: 'number' }),
      states: collection('states', Post, { key: 'state' }),
    });
    const { state } = createMock(generated, { generate: { posts: 300, coded: 30, issues: 30, states: 2 } });
    const differing = (values: readonly unknown[]) => new Set(values).size;
    expect(differing(state.rows('posts').map(({ slug }) => slug))).toBe(300);
    expect(differing(state.rows('coded').map(({ code }) => code))).toBe(30);
    expect(state.rows('coded').every(({ code }) => typeof code === 'string' && code !== '')).toBe(true);
    expect(state.rows('issues').map(({ number }) => number)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    );
    expect(differing(state.rows('states').map((row) => row.state))).toBe(2);
    expect(() => createMock(generated, { generate: { states: 3 } })).toThrow(
      'no other value can be generated for the `key`',
    );
  });

  test('is in the path of generated rows below it', async () => {
    const mock = createMock(api, { data: { users }, generate: { repos: 4 } });
    expect((await send(mock, '/v1/users/bob/repos')).json).toHaveLength(2);
  });

  test('of a parent is no id of a relation: its rows are where they were created', async () => {
    const Firm = resource({ slug: z.string() });
    const Order = resource({ total: z.int(), firm: expandable(Firm) });
    const mock = createMock(
      declare({
        firms: collection('firms', Firm, { key: 'slug' }),
        orders: collection('firms/:firm/orders', Order),
      }),
      {
        data: {
          firms: [
            { id: 1, slug: 'acme' },
            { id: 2, slug: 'bolt' },
          ],
        },
      },
    );
    const body = { total: 5, firm: { id: 1 } };
    const { status, json } = await send(mock, '/v1/firms/acme/orders', { method: 'POST', body });
    expect([status, json.self, json.firm]).toEqual([
      201,
      `${origin}/v1/firms/acme/orders/1`,
      { id: 1, self: `${origin}/v1/firms/acme` },
    ]);
    expect((await send(mock, '/v1/firms/acme/orders')).json).toHaveLength(1);
    expect((await send(mock, '/v1/firms/bolt/orders')).json).toEqual([]);
  });

  test('must be a string or a number, also in JavaScript', () => {
    const keyed = (key: string) =>
      declare({
        orders: collection(
          'orders',
          resource({ device: z.object({ model: z.string() }), tags: z.array(z.string()) }),
          { key } as never,
        ),
      });
    expect(() => createMock(keyed('device'))).toThrow(
      'the `key` "device" of "orders" must be a string or a number',
    );
    expect(() => createMock(keyed('tags'))).toThrow('the `key` "tags" of "orders" must be');
    expect(() => createMock(keyed('device.model'))).toThrow('must be a string or a number');
  });
});
