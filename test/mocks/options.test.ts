import { collection, defineApi, endpoint, InvalidRequestError, resource } from 'restkin';
import { createMock, type MockOptions, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ordering } from '../support/ordering.ts';
import { createOrdering, send } from './calls.ts';

// A JavaScript user has no compiler.
const create = (options: object) => () => createMock(ordering, options as MockOptions<typeof ordering>);

describe('invalid options are refused by name', () => {
  test.each<[object, string]>([
    [{ genrate: 10 }, 'createMock has no option "genrate"'],
    [{ tokens: { accessLifetime: 60 } }, 'tokens has no option "accessLifetime"'],
    [{ tokens: { path: '' } }, 'createMock: tokens.path must be a string that is not empty'],
    [{ users: [{ username: 'ada', pasword: 'x' }] }, 'createMock: users[0] has no option "pasword"'],
    [{ deprecated: { sunset: '2030-01-01' } }, 'sunset must be a valid Date'],
    [{ generate: true }, 'generate must be a number of rows'],
    [{ generate: { orders: -1 } }, 'generate.orders must be an integer from 0'],
    [{ generate: { orders: { row: () => ({}) } } }, 'createMock: generate.orders.count is missing'],
    [{ users: [{ username: 'ada' }] }, 'createMock: users[0].password is missing'],
    [{ generate: { orders: { cuont: 3 } } }, 'generate.orders has no option "cuont"'],
    [{ baseUrl: '/rest' }, 'baseUrl must be a URL of http: or https:'],
    [{ authUrl: 'https://auth.example.com?x=1' }, 'authUrl must be a URL of http: or https:'],
    [{ filter: 'x' }, 'filter must be an object'],
    [
      { filter: { feed: 'since' } },
      'filter.feed must be a function, or an object with one for each parameter',
    ],
    [{ filter: { feed: { since: 'name' } } }, 'filter.feed.since must be a function'],
    [{ data: { orders: {} } }, 'createMock: data.orders must be an array of rows'],
    [{ data: { companies: [{ nme: 'a' }] } }, 'createMock: data.companies[0] does not fit the collection'],
    [
      { generate: { companies: { count: 1, row: () => ({ name: 5 }) } } },
      'createMock: generate.companies.row',
    ],
    [{ endpoints: { nope: () => new Response() } }, 'createMock: endpoints: "nope" is not the name of'],
  ])('createMock: %j', (options, message) => {
    expect(create(options)).toThrow(InvalidRequestError);
    expect(create(options)).toThrow(message);
  });

  test('an unknown collection, of createMock too', () => {
    for (const name of ['data', 'generate', 'filter']) {
      const value = { data: [], generate: 1, filter: () => true }[name];
      const refused = create({ [name]: { invoices: value } });
      expect(refused).toThrow(InvalidRequestError);
      expect(refused).toThrow(`createMock: ${name}.invoices: there is no collection`);
    }
  });

  test('a misspelt collection', () => {
    expect(create({ generate: { oders: 5 } })).toThrow(
      'there is no collection "oders"; did you mean "orders"?',
    );
  });

  test('a filter of a parameter that is not declared', () => {
    expect(create({ filter: { feed: { sinze: () => true } } })).toThrow(
      'filter.feed.sinze: "feed" declares no parameter "sinze"',
    );
  });

  test('a filter of a parameter that another collection declares', () => {
    expect(create({ filter: { orders: { since: () => true } } })).toThrow(
      'filter.orders.since: "orders" declares no parameter "since"',
    );
  });

  test('a schema of which no row and no id can be made', () => {
    const id = z.string().regex(/^(a)\1$/);
    const of = (fields: Readonly<Record<string, z.ZodType>>) => {
      const collections = { things: collection('things', resource(fields)) };
      return defineApi({ name: 'things', version: 1, auth: 'custom', collections });
    };
    const generated = () => createMock(of({ code: id }), { generate: 1 });
    expect(generated).toThrow(InvalidRequestError);
    expect(generated).toThrow('createMock: generate.things: the field "code" of the collection "things"');
    expect(() => createMock(of({ id }), { data: { things: [{}] } })).toThrow(InvalidRequestError);
  });

  test('of serve and the clock', async () => {
    const mock = createOrdering();
    await expect(serve(mock, { port: -1 })).rejects.toThrow('port must be an integer from 0 to 65535');
    expect(() => mock.clock.advance({ minutes: Number.NaN })).toThrow('minutes must be a finite number');
  });
});

describe('a function of the options that throws is named in the response', () => {
  const Thing = resource({ name: z.string() });
  const apiOf = (auth: string) =>
    defineApi({
      name: 'things',
      version: 1,
      auth,
      collections: { things: collection('things', Thing) },
      endpoints: { info: endpoint('GET', 'info', { response: Thing }) },
    });
  const fail = (): never => {
    throw new TypeError('boom');
  };
  const users = [{ username: 'ann', password: 'secret', permissions: fail }];

  test.each<[string, string, string, MockOptions<ReturnType<typeof apiOf>>]>([
    ['filter.things', 'custom', 'things', { filter: { things: fail } }],
    ['authorize', 'custom', 'things', { authorize: fail }],
    ['permissions of a user', 'basic', 'things', { users }],
    ['the handler of info', 'custom', 'info', { endpoints: { info: fail } }],
    ['the handler of v1/own', 'custom', 'own', { endpoints: { 'v1/own': fail } }],
  ])('%s', async (name, auth, path, options) => {
    const mock = createMock(apiOf(auth), { generate: 1, ...options });
    const headers = { authorization: `Basic ${btoa('ann:secret')}` };
    const { status, json } = await send(mock, `/v1/${path}`, { headers });
    expect(status).toBe(500);
    expect(json.message).toBe(`The mock failed: ${name} threw TypeError: boom`);
  });
});
