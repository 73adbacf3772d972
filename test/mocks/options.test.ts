import { createMock, type MockOptions, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { createOrdering } from './calls.ts';

/** What the compiler refuses, JavaScript gives all the same. */
const create = (options: object) => () => createMock(ordering, options as MockOptions<typeof ordering>);

describe('createMock refuses unknown options', () => {
  test.each([
    [{ genrate: 10 }, 'genrate'],
    [{ user: [] }, 'user'],
    [{ tokens: { accessLifetime: 60 } }, 'tokens.accessLifetime'],
    [{ rateLimit: { requests: 2, perS: 1 } }, 'rateLimit.perS'],
    [{ deprecated: { sunest: new Date() } }, 'deprecated.sunest'],
    [{ users: [{ username: 'ada', password: 'x', permission: () => false }] }, 'users[0].permission'],
  ])('%o', (options, name) => {
    expect(create(options)).toThrow(TypeError);
    expect(create(options)).toThrow(`createMock: unknown option ${JSON.stringify(name)}`);
  });

  test('and unknown collections in filter', () => {
    expect(create({ filter: { compnies: () => true } })).toThrow(
      'filter.compnies: there is no collection "compnies"',
    );
  });

  test('an option that is undefined counts as missing', () => {
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

describe('createMock refuses invalid options', () => {
  test.each([
    ['generate must be a number of rows', { generate: true }],
    ['generate must be a number of rows', { generate: null }],
    ['data must be an object', { data: [] }],
    ['data.orders must be an array', { data: { orders: {} } }],
    ['users must be an array', { users: { username: 'ada', password: 'x' } }],
    ['users[1].password must be a string', { users: [{ username: 'a', password: 'b' }, { username: 'c' }] }],
    ['users[0] must be an object', { users: ['ada'] }],
    [
      'users must have different usernames',
      {
        users: [
          { username: 'a', password: 'b' },
          { username: 'a', password: 'c' },
        ],
      },
    ],
    [
      'users[0].permissions must be a function',
      { users: [{ username: 'a', password: 'b', permissions: false }] },
    ],
    ['accepted must be true, false or an array of POST, PUT, PATCH, DELETE', { accepted: 'DELETE' }],
    ['accepted must be true, false or an array of POST, PUT, PATCH, DELETE', { accepted: ['delete'] }],
    ['accepted must be true, false or an array of POST, PUT, PATCH, DELETE', { accepted: ['GET'] }],
    ['finishesAfterMs must be combined with `accepted`', { finishesAfterMs: 5 }],
    ['finishesAfterMs must be a number from 0', { accepted: true, finishesAfterMs: '5000' }],
    ['filter.companies must be a function', { filter: { companies: 'x' } }],
    ['authorize must be a function', { authorize: false }],
    ['tokens must be an object', { tokens: 60 }],
    ['tokens.singleSession must be true or false', { tokens: { singleSession: 'yes' } }],
    ['deprecated.sunset must be a Date', { deprecated: { sunset: '2031-01-01' } }],
    ['seed must be a number', { seed: 'x' }],
    ['rateLimit.requests must be a number from 1', { rateLimit: { requests: '5', perMs: 1 } }],
    ['rateLimit.requests must be a number from 1', { rateLimit: { requests: 0.5, perMs: 1 } }],
    ['createMock: the argument must be an object', []],
  ])('%s: %o', (message, options) => {
    expect(create(options)).toThrow(message);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, '60', -1, 0.5])(
    'a token that lives for %j seconds',
    (lifetime) => {
      for (const name of ['accessLifetimeS', 'refreshLifetimeS']) {
        expect(create({ tokens: { [name]: lifetime } })).toThrow(RangeError);
        expect(create({ tokens: { [name]: lifetime } })).toThrow(
          `tokens.${name} must be an integer of seconds`,
        );
      }
    },
  );

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5'])(
    '%j records per page',
    (defaultPerPage) => {
      expect(create({ defaultPerPage })).toThrow(RangeError);
      expect(create({ defaultPerPage })).toThrow('defaultPerPage must be an integer from 1');
    },
  );

  test.each([-1, 1.5, Number.NaN, 'x'])('%j kept requests', (keepRequests) => {
    expect(create({ keepRequests })).toThrow('keepRequests must be an integer from 0, or Infinity');
    expect(create({ keepRequests: Number.POSITIVE_INFINITY })).not.toThrow();
  });
});

describe('serve refuses unknown and invalid options', () => {
  test.each([
    [{ prot: 1 }, 'serve: unknown option "prot"'],
    [{ port: -1 }, 'port must be an integer from 0 to 65535'],
    [{ host: 1 }, 'host must be a string'],
    [{ cors: 'yes' }, 'cors must be true or false'],
  ])('%o is refused', async (options, message) => {
    await expect(serve(createOrdering(), options as object)).rejects.toThrow(message);
  });
});
