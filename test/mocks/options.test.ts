import { createMock, type MockOptions, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { createOrdering } from './calls.ts';

/** What the compiler refuses, JavaScript gives all the same. */
const create = (options: object) => () => createMock(ordering, options as MockOptions<typeof ordering>);

describe('createMock knows its options by name', () => {
  test.each([
    [{ genrate: 10 }, 'genrate'],
    [{ user: [] }, 'user'],
    [{ tokens: { accessLifetime: 60 } }, 'tokens.accessLifetime'],
    [{ rateLimit: { requests: 2, perS: 1 } }, 'rateLimit.perS'],
    [{ deprecated: { sunest: new Date() } }, 'deprecated.sunest'],
    [{ users: [{ username: 'ada', password: 'x', permission: () => false }] }, 'users[0].permission'],
  ])('%o', (options, name) => {
    expect(create(options)).toThrow(TypeError);
    expect(create(options)).toThrow(`createMock does not know the option ${JSON.stringify(name)}`);
  });

  test('and the collections that filter names', () => {
    expect(create({ filter: { compnies: () => true } })).toThrow(
      'filter.compnies: there is no collection "compnies"',
    );
  });

  test('an option that is undefined is not given', () => {
    const names = [
      'data',
      'generate',
      'users',
      'accepted',
      'tokens',
      'filter',
      'defaultPerPage',
      'deprecated',
    ];
    expect(create(Object.fromEntries(names.map((name) => [name, undefined])))).not.toThrow();
  });
});

describe('createMock refuses what an option cannot be', () => {
  test.each([
    ['generate is a number of rows', { generate: true }],
    ['generate is a number of rows', { generate: null }],
    ['data is an object', { data: [] }],
    ['data.orders is a list of rows', { data: { orders: {} } }],
    ['users is a list', { users: { username: 'ada', password: 'x' } }],
    [
      'users[1] needs a username and a password',
      { users: [{ username: 'a', password: 'b' }, { username: 'c' }] },
    ],
    ['users[0] takes an object', { users: ['ada'] }],
    [
      'users[1] has a username that another user has',
      {
        users: [
          { username: 'a', password: 'b' },
          { username: 'a', password: 'c' },
        ],
      },
    ],
    ['users[0].permissions is a function', { users: [{ username: 'a', password: 'b', permissions: false }] }],
    ['accepted is true, false or a list of POST, PUT, PATCH, DELETE', { accepted: 'DELETE' }],
    ['accepted is true, false or a list of POST, PUT, PATCH, DELETE', { accepted: ['delete'] }],
    ['accepted is true, false or a list of POST, PUT, PATCH, DELETE', { accepted: ['GET'] }],
    ['finishesAfterMs needs accepted', { finishesAfterMs: 5 }],
    ['finishesAfterMs is a number from 0', { accepted: true, finishesAfterMs: '5000' }],
    ['filter.companies is a function', { filter: { companies: 'x' } }],
    ['authorize is a function', { authorize: false }],
    ['tokens takes an object', { tokens: 60 }],
    ['tokens.singleSession is true or false', { tokens: { singleSession: 'yes' } }],
    ['deprecated.sunset is a Date', { deprecated: { sunset: '2031-01-01' } }],
    ['seed is a number', { seed: 'x' }],
    ['createMock takes an object', []],
  ])('%s: %o', (message, options) => {
    expect(create(options)).toThrow(message);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, '60', -1, 0.5])(
    'a token that lives for %j seconds',
    (lifetime) => {
      for (const name of ['accessLifetimeS', 'refreshLifetimeS']) {
        expect(create({ tokens: { [name]: lifetime } })).toThrow(RangeError);
        expect(create({ tokens: { [name]: lifetime } })).toThrow(
          `tokens.${name} is a whole number of seconds`,
        );
      }
    },
  );

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5'])(
    '%j records per page',
    (defaultPerPage) => {
      expect(create({ defaultPerPage })).toThrow(RangeError);
      expect(create({ defaultPerPage })).toThrow('defaultPerPage is a whole number from 1');
    },
  );

  test.each([-1, 1.5, Number.NaN, 'x'])('%j kept requests', (keepRequests) => {
    expect(create({ keepRequests })).toThrow('keepRequests is a whole number from 0');
    expect(create({ keepRequests: Number.POSITIVE_INFINITY })).not.toThrow();
  });
});

describe('serve knows its options', () => {
  test.each([
    [{ prot: 1 }, 'serve does not know the option "prot"'],
    [{ port: -1 }, 'port is a whole number from 0'],
    [{ host: 1 }, 'host is a text'],
    [{ cors: 'yes' }, 'cors is true or false'],
  ])('%o is refused', async (options, message) => {
    await expect(serve(createOrdering(), options as object)).rejects.toThrow(message);
  });
});
