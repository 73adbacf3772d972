import { assertFaultsMet, type Fault, type MockFaults, type Outage, type RandomFault } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { createOrdering, requestTokens, signedIn } from './calls.ts';

const faults = (): MockFaults => createOrdering().faults;

// What the compiler refuses, JavaScript gives all the same.
const next = (fault: object) => () => faults().next(fault as Fault);
const random = (fault: object) => () => faults().random(fault as RandomFault);
const outage = (given: object) => () => faults().outage(given as Outage);

describe('a fault that no request can meet is refused', () => {
  test.each<[() => void, string]>([
    [next({ collection: 'compnies', status: 503 }), 'collection must be one of the collections '],
    [next({ method: 'GTE', status: 503 }), 'method must be one of GET, POST, '],
    [next({ stauts: 503 }), 'mock.faults.next has no option "stauts"'],
    [next({ status: 600 }), 'status must be an integer from 200 to 599'],
    [next({ status: 503, retryAfterS: 0.5 }), 'retryAfterS must be an integer from 0'],
    [random({ status: 500, rate: 2 }), 'rate must be a number from 0 to 1'],
    [outage({ forMs: 0 }), 'forMs must be a number above 0'],
  ])('%# %s', (give, message) => {
    expect(give).toThrow(message);
  });
});

describe('assertFaultsMet', () => {
  test('fails while a fault of next waits, and names it', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ status: 503, times: 2, method: 'GET', collection: 'orders' });
    mock.faults.next({ cut: 'response', token: true });
    expect(mock.faults.waiting).toMatchObject([
      { status: 503, times: 2 },
      { cut: 'response', times: 1 },
    ]);
    await call('/v1/orders');
    expect(() => assertFaultsMet(mock)).toThrow(
      expect.objectContaining({
        name: 'AssertionError',
        message:
          'Faults that wait for a request: 2\n' +
          '  503 for GET of orders, 1 left\n' +
          '  response for any method of the token endpoint, 1 left',
      }),
    );
    await call('/v1/orders');
    await requestTokens(mock).catch(() => undefined);
    expect(() => assertFaultsMet(mock)).not.toThrow();
  });

  test('ignores random faults and outages that nothing met', () => {
    const mock = createOrdering();
    mock.faults.random({ rate: 0, status: 500 });
    mock.faults.outage({ forMs: 5 });
    expect(() => assertFaultsMet(mock)).not.toThrow();
  });

  test('holds after clear and reset', () => {
    const mock = createOrdering();
    mock.faults.next({ delayMs: 5 });
    mock.reset();
    expect(mock.faults.waiting).toEqual([]);
  });
});
