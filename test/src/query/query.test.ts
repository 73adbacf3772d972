import { InvalidRequestError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { checkQuery, formatQuery, type Query } from '../../../src/query/query.ts';
import { codePoint } from '../../support/code-point.ts';
import { Order } from '../../support/ordering.ts';
import fc from '../../support/random.ts';

const text = fc.string({ unit: codePoint, maxLength: 12 });
const name = text.filter((value) => value !== '' && !value.includes(','));
const names = fc.array(name, { minLength: 1, maxLength: 4 });
const own = text.filter(
  (value) => !['sort', 'fields', 'expand', 'page', 'perPage', '__proto__'].includes(value),
);

describe('formatQuery', () => {
  test('URLSearchParams reads back what was given, in the order of §4.4', () => {
    const parts = { sort: names, fields: names, expand: names, page: fc.nat(), perPage: fc.nat() };
    const values = fc.oneof(text, fc.integer(), fc.boolean(), fc.bigInt());
    const params = fc.dictionary(own, values, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.record(parts, { requiredKeys: [] }), params, (query, params) => {
        const expected: [string, string][] = [];
        for (const key of ['sort', 'fields', 'expand', 'page', 'perPage'] as const) {
          if (query[key] !== undefined) expected.push([key, String(query[key])]);
        }
        for (const [key, value] of Object.entries(params)) expected.push([key, String(value)]);
        expect([...new URLSearchParams(formatQuery({ ...query, params }, {}))]).toEqual(expected);
      }),
    );
  });

  test.each([
    { range: { from: '2026' } },
    { city: null },
    { colours: ['red, dark', 'blue'] },
    { ids: [{ id: 1 }] },
    { since: new Date(Number.NaN) },
    { names: ['a', null] },
  ])('%j has no form in a query, and is refused: without it a list would return more', (params) => {
    const [name = ''] = Object.keys(params);
    expect(() => formatQuery({ params }, {})).toThrow(InvalidRequestError);
    expect(() => formatQuery({ params }, {})).toThrow(`params.${name} cannot be written`);
  });

  test('what is undefined or an empty list is not written', () => {
    expect(formatQuery({ sort: [], fields: undefined, page: undefined, params: { a: undefined } }, {})).toBe(
      '',
    );
    expect(formatQuery({}, {})).toBe('');
  });
});

test.each([
  [1.5, '1.5'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [['a', 1, true], 'a,1,true'],
  [[], ''],
])('the parameter %o is written %s', (value, expected) => {
  expect([...new URLSearchParams(formatQuery({ params: { value } }, {}))]).toEqual([['value', expected]]);
});

describe('checkQuery', () => {
  const rules = {
    name: 'orders',
    resource: Order,
    sort: true,
    fields: ['status', 'device.model'],
    expand: ['company'],
    paging: { maxPerPage: 200 },
  } as const;

  test.each<Query>([
    { sort: ['-createdAt', 'device.model', 'id', 'lines.sku', 'company.name'] },
    { fields: ['status', 'device.model'], expand: ['company'], page: 1, perPage: 200 },
    { sort: [], fields: undefined, expand: [], page: undefined },
  ])('%j can be sent', (query) => {
    expect(() => checkQuery(query, rules)).not.toThrow();
  });

  test.each<[Query, string]>([
    [{ sort: ['--status'] }, 'sort'],
    [{ sort: ['-'] }, 'sort'],
    [{ sort: ['device.nope'] }, 'sort'],
    [{ sort: ['__proto__'] }, 'sort'],
    [{ sort: ['status,createdAt'] }, 'sort'],
    [{ fields: ['-status'] }, 'fields'],
    [{ fields: ['createdAt'] }, 'fields'],
    [{ expand: ['lines'] }, 'expand'],
    [{ page: 0 }, 'page'],
    [{ perPage: 201 }, 'perPage'],
  ])('%j is refused by name', (query, parameter) => {
    expect(() => checkQuery(query, rules)).toThrow(`orders: \`${parameter}\``);
  });

  test.each<[Query, string]>([
    [{ sort: [] }, 'add `sort: true`'],
    [{ expand: [] }, 'add `expand: [...]`'],
    [{ perPage: 1 }, 'add `paging: true`'],
    [{ params: {} }, 'add `params: z.object({...})`'],
  ])('%j is refused where it is not declared', (query, advice) => {
    const check = () => checkQuery(query, { name: 'orders', resource: Order });
    expect(check).toThrow(`\`${Object.keys(query)[0]}\` is not declared; ${advice} to its collection()`);
  });
});
