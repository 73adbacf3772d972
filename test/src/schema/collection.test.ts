import { collection } from 'restkin';
import { expect, test } from 'vitest';
import { operationsOf } from '../../../src/schema/collection.ts';
import { Company } from '../../support/ordering.ts';

test('a collection is the three things it was given', () => {
  const options = { sort: ['name'], paging: { maxPerPage: 10 } } as const;
  expect(collection('a/:b', Company, options)).toEqual({ path: 'a/:b', resource: Company, options });
});

test('without options it has every operation and nothing of §4.4', () => {
  const plain = collection('a', Company);
  expect(plain.options).toEqual({});
  expect(operationsOf(plain)).toEqual(['list', 'get', 'create', 'replace', 'update', 'delete']);
});

test('operations narrow it', () => {
  expect(operationsOf(collection('a', Company, { operations: ['get'] }))).toEqual(['get']);
  expect(operationsOf(collection('a', Company, { operations: [] }))).toEqual([]);
});
