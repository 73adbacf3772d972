import { InvalidRequestError } from 'restkin';
import { createMock, type MockOptions, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { createOrdering } from './calls.ts';

// A JavaScript user has no compiler.
const create = (options: object) => () => createMock(ordering, options as MockOptions<typeof ordering>);

describe('invalid options are refused by name', () => {
  test.each<[object, string]>([
    [{ genrate: 10 }, 'createMock has no option "genrate"'],
    [{ tokens: { accessLifetime: 60 } }, 'tokens has no option "accessLifetime"'],
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
  ])('createMock: %j', (options, message) => {
    expect(create(options)).toThrow(InvalidRequestError);
    expect(create(options)).toThrow(message);
  });

  test('an unknown collection, of createMock too', () => {
    for (const name of ['data', 'generate', 'filter']) {
      const value = { data: [], generate: 1, filter: () => true }[name];
      expect(create({ [name]: { invoices: value } })).toThrow(`${name}.invoices: there is no collection`);
    }
  });

  test('of serve and the clock', async () => {
    const mock = createOrdering();
    await expect(serve(mock, { port: -1 })).rejects.toThrow('port must be an integer from 0 to 65535');
    expect(() => mock.clock.advance({ minutes: Number.NaN })).toThrow('minutes must be a finite number');
  });
});
