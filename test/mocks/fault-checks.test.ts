import type { Fault, MockFaults } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { createOrdering, signedIn } from './calls.ts';

const faults = (): MockFaults => createOrdering().faults;

// What the compiler refuses, JavaScript gives all the same.
const next = (fault: object) => () => faults().next(fault as Fault);

describe('a fault that no request can meet is refused', () => {
  test.each<[() => void, string]>([
    [next({ collection: 'compnies', status: 503 }), 'collection must be one of the collections '],
    [next({ method: 'GTE', status: 503 }), 'method must be one of GET, POST, '],
    [next({ stauts: 503 }), 'mock.faults.next has no option "stauts"'],
    [next({ status: 600 }), 'status must be an integer from 200 to 599'],
    [next({ status: 503, times: 0 }), 'times must be an integer from 1'],
  ])('%# %s', (give, message) => {
    expect(give).toThrow(message);
  });
});

test('faults.waiting has the faults that no request has met, with the times that are left', async () => {
  const mock = createOrdering();
  const call = await signedIn(mock);
  mock.faults.next({ status: 503, times: 2, method: 'GET', collection: 'orders' });
  mock.faults.next({ cut: 'response', token: true });
  await call('/v1/orders');
  expect(mock.faults.waiting).toMatchObject([
    { status: 503, times: 1 },
    { cut: 'response', times: 1 },
  ]);
  mock.reset();
  expect(mock.faults.waiting).toEqual([]);
});
