import { type ApiDeclaration, collection, defineApi, endpoint, InvalidRequestError } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Order } from '../../support/ordering.ts';

describe('a declaration', () => {
  const orders = collection('orders', Order, { paging: true });
  const get = (path: string) => endpoint('GET', path);
  const declare = (changes: object) => () =>
    defineApi({
      name: 'x',
      version: 1,
      auth: 'basic',
      collections: { orders },
      ...changes,
    } as ApiDeclaration);
  const withAction = (name: string, path: string) =>
    declare({ collections: { orders: collection('orders', Order, { actions: { [name]: get(path) } }) } });

  test.each([
    ['a collection has the same name', declare({ endpoints: { orders: get('other') } })],
    ['GET orders is what the collection "orders" has', declare({ endpoints: { all: get('orders') } })],
    [
      'GET orders/:key is what the collection "orders" has',
      declare({ endpoints: { one: get('orders/:key') } }),
    ],
    [
      'GET x/:two is what the endpoint "a" has',
      declare({ endpoints: { a: get('x/:one'), b: get('x/:two') } }),
    ],
    ['its path cannot have a parameter ":query"', declare({ endpoints: { a: get('x/:query') } })],
    ['its path cannot have a parameter ":signal"', declare({ endpoints: { a: get('x/:signal') } })],
    ['the parameter ":one" twice', declare({ endpoints: { a: get('x/:one/:one') } })],
    [
      'endpoints must be an object of endpoint()',
      declare({ endpoints: { a: { method: 'GET', path: 'a' } } }),
    ],
    ['endpoints must be an object of endpoint()', declare({ endpoints: [] })],
    ['action "orders.update": a collection has something else of this name', withAction('update', 'x')],
    ['a collection has something else of this name', withAction('query', 'x')],
    ['its path cannot have a parameter ":id"', withAction('history', 'x/:id')],
    ['the path must be like settings', () => endpoint('GET', '/settings')],
    ['the path must be like settings', () => endpoint('GET', 'a//b')],
    ['the method must be one of', () => endpoint('HEAD' as 'GET', 'a')],
    ['GET has no request body', () => endpoint('GET', 'a', { body: z.string() } as object)],
    [
      'DELETE has no request body (§4.2); client.fetch sends one',
      () => endpoint('DELETE', 'a', { body: z.string() } as object),
    ],
    ['leave out `as`', () => endpoint('GET', 'a', { response: z.string(), as: 'text' } as object)],
    ['as must be one of text, bytes, response', () => endpoint('GET', 'a', { as: 'json' } as object)],
    ['accepts must be true', () => endpoint('GET', 'a', { accepts: false } as object)],
    ['made by resource()', () => endpoint('GET', 'a', { response: z.string(), fields: true } as object)],
    ['unknown field "nope"', () => endpoint('GET', 'a', { response: Order, fields: ['nope'] } as object)],
    ['query must be an object schema', () => endpoint('GET', 'a', { query: z.string() } as object)],
    ['has no option "nope"', () => endpoint('GET', 'a', { nope: 1 } as object)],
  ])('is refused: %s', (problem, make) => {
    expect(make).toThrow(InvalidRequestError);
    expect(make).toThrow(problem);
  });

  test('may have a literal path where a collection has an id, and another method at the path of one', () => {
    const api = declare({ endpoints: { search: get('orders/search'), clear: endpoint('DELETE', 'orders') } });
    expect(api).not.toThrow();
  });
});
