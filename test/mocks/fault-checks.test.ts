import {
  assertFaultsMet,
  createMock,
  type Fault,
  type MockFaults,
  type Outage,
  type RandomFault,
} from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { createOrdering, requestTokens, signedIn } from './calls.ts';

const faults = (): MockFaults => createOrdering().faults;

/** What the compiler refuses, JavaScript gives all the same. */
const next = (fault: object) => () => faults().next(fault as Fault);
const random = (fault: object) => () => faults().random(fault as RandomFault);
const outage = (given: object) => () => faults().outage(given as Outage);

describe('a fault that no request can meet is refused', () => {
  const scopes: readonly (readonly [object, string])[] = [
    [{ collection: 'compnies' }, 'there is no collection "compnies"'],
    [{ method: 'GTE' }, 'method must be one of GET, POST, PUT, PATCH, DELETE, OPTIONS, HEAD, TRACE, TRACK'],
    [{ method: ['GET'] }, 'method must be a string'],
    [{ token: true, collection: 'companies' }, 'token must not be combined with `collection`'],
    [{ token: 'yes' }, 'token must be true or false'],
  ];

  test.each(scopes)('%o', (scope, message) => {
    expect(next({ status: 503, ...scope })).toThrow(message);
    expect(random({ status: 503, rate: 1, ...scope })).toThrow(message);
    expect(outage({ forMs: 1, ...scope })).toThrow(message);
  });

  test('by the compiler as well', () => {
    const mock = createMock(ordering);
    // @ts-expect-error the compiler knows the keys
    expect(() => mock.faults.next({ status: 503, collection: 'compnies' })).toThrow(RangeError);
    // @ts-expect-error the compiler knows the keys
    expect(() => mock.faults.outage({ forMs: 5, collection: 'compnies' })).toThrow(RangeError);
  });
});

describe('a fault that no request would notice is refused', () => {
  test.each([{}, { method: 'GET' }, { badJson: false }, { status: undefined }, { contentType: 'text/csv' }])(
    '%o',
    (fault) => {
      expect(next(fault)).toThrow('must change the response');
      expect(random({ rate: 1, ...fault })).toThrow('must change the response');
    },
  );
});

describe('a fault that ends the connection takes no options of a response', () => {
  test.each([
    { status: 503 },
    { headers: { 'retry-after': '1' } },
    { retryAfterS: 1 },
    { body: '{}' },
    { badJson: true },
    { wrongShape: true },
    { without: ['link'] },
  ])('%o', (response) => {
    for (const cut of ['request', 'response']) {
      expect(next({ cut, ...response })).toThrow(
        'cut must be "body" when combined with one of status, headers,',
      );
      expect(random({ cut, rate: 1, ...response })).toThrow(RangeError);
      expect(next({ cut, delayMs: 5, times: 2, badJson: false, status: undefined })).not.toThrow();
    }
    expect(next({ cut: 'body', ...response })).not.toThrow();
  });
});

describe('an unknown option of a fault is refused', () => {
  test.each([
    [{ stauts: 503 }, 'mock.faults.next: unknown option "stauts"'],
    [{ status: 503, retryAfter: 5 }, 'mock.faults.next: unknown option "retryAfter"'],
    [{ status: 503, rate: 0.5 }, 'mock.faults.next: unknown option "rate"'],
    [{ cut: 'respose' }, 'cut must be "request" or "response" or "body"'],
    [{ without: 'link' }, 'without must be an array'],
    [{ without: [1] }, 'without[0] must be a string'],
    [{ body: { message: 'x' } }, 'body must be a string'],
    [{ status: '503' }, 'status must be an integer'],
    [{ status: 503, times: '2' }, 'times must be an integer'],
    [{ status: 503, times: 1.5 }, 'times must be an integer'],
    [{ delayMs: '10' }, 'delayMs must be a number from 0'],
    [{ delayMs: Number.NaN }, 'delayMs must be a number from 0'],
    [{ headers: { 'bad name': 'x' } }, 'headers must be an object of valid header fields'],
    [{ headers: [['x', 'y']] }, 'headers must be an object'],
    [{ headers: new Headers({ x: 'y' }) }, 'headers must be an object'],
    [{ headers: new Map([['x', 'y']]) }, 'headers must be an object'],
    [{ wrongShape: 'yes' }, 'wrongShape must be true, false or a function'],
    [{ badJson: 'yes' }, 'badJson must be true or false'],
  ])('%o', (fault, message) => {
    expect(next(fault)).toThrow(message);
  });

  test.each([0.5, -1, Number.POSITIVE_INFINITY, Number.NaN, '5'])(
    'Retry-After (RFC 9110 §10.2.3) has whole seconds, and not %j',
    (retryAfterS) => {
      expect(next({ status: 503, retryAfterS })).toThrow('retryAfterS must be an integer of seconds from 0');
    },
  );

  test.each([
    [{ status: 500 }, 'rate must be a number from 0 to 1'],
    [{ rate: '0.5', status: 500 }, 'rate must be a number from 0 to 1'],
    [{ rate: 0.5, status: 500, seeds: 2 }, 'mock.faults.random: unknown option "seeds"'],
  ])('random %o', (fault, message) => {
    expect(random(fault)).toThrow(message);
  });
});

describe('an outage must have an end in the future', () => {
  test.each([
    [{}, 'must have an end: either `forMs` or `until`'],
    [{ forMs: 5, until: new Date(8.64e15) }, 'must have an end: either `forMs` or `until`'],
    [{ forMs: -5 }, 'forMs must be a number above 0'],
    [{ forMs: 0 }, 'forMs must be a number above 0'],
    [{ forMs: 'x' }, 'forMs must be a number above 0'],
    [{ until: new Date(0) }, 'until must be after the time of mock.clock'],
    [{ until: new Date(Number.NaN) }, 'until must be a valid date'],
    [{ until: '2090-01-01' }, 'until must be a Date'],
    [
      { forMs: Number.POSITIVE_INFINITY, retryAfter: true },
      'retryAfter must be combined with an outage that ends',
    ],
    [{ forMs: 5, retryAfter: 30 }, 'retryAfter must be true or false'],
    [{ forMs: 5, status: 500 }, 'mock.faults.outage: unknown option "status"'],
  ])('%o', (given, message) => {
    expect(outage(given)).toThrow(message);
  });

  test('by the clock of the mock', () => {
    const mock = createOrdering();
    const until = new Date(mock.clock.now() + 60_000);
    mock.faults.outage({ until });
    mock.clock.advance({ minutes: 2 });
    expect(() => mock.faults.outage({ until })).toThrow('until must be after the time of mock.clock');
  });
});

describe('assertFaultsMet', () => {
  test('fails while a fault of next waits, and names it', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    mock.faults.next({ status: 503, times: 2, method: 'get', collection: 'orders' });
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
          '  cut: response for any method of the token endpoint, 1 left',
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
