import {
  AmbiguousOutcomeError,
  ConnectionError,
  InternalServerError,
  type RetryPolicy,
  ServiceUnavailableError,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { inOrder, json, record } from '../../support/recording-server.ts';
import { companyRow, connect, rejectionOf, shopAt } from '../../support/shop.ts';

const company = { name: 'a', city: 'b' };

type Companies = ReturnType<typeof shopAt>['companies'];

const calls = {
  GET: (companies: Companies, retry?: RetryPolicy) => companies.get(1, { retry }),
  OPTIONS: (companies: Companies, retry?: RetryPolicy) => companies.allowedMethods(undefined, { retry }),
  PUT: (companies: Companies, retry?: RetryPolicy) => companies.replace(1, company, { retry }),
  DELETE: (companies: Companies, retry?: RetryPolicy) => companies.delete(1, { retry }),
  POST: (companies: Companies, retry?: RetryPolicy) => companies.create(company, { retry }),
  PATCH: (companies: Companies, retry?: RetryPolicy) => companies.update(1, company, { retry }),
} as const;

const idempotent = { idempotentWrites: true };
const afterUnavailable = { writesAfterUnavailable: true };

const table: readonly (readonly [keyof typeof calls, number | 'drop', number, RetryPolicy])[] = [
  ['GET', 500, 4, {}],
  ['GET', 503, 4, {}],
  ['GET', 'drop', 4, {}],
  ['GET', 502, 4, {}],
  ['GET', 504, 4, {}],
  ['GET', 501, 1, {}],
  ['GET', 404, 1, {}],
  ['GET', 400, 1, {}],
  ['GET', 403, 1, {}],
  ['GET', 405, 1, {}],
  ['OPTIONS', 500, 4, {}],
  ['OPTIONS', 503, 4, {}],
  ['OPTIONS', 'drop', 4, {}],
  ['PUT', 503, 4, {}],
  ['PUT', 500, 1, {}],
  ['PUT', 500, 4, idempotent],
  ['PUT', 502, 1, {}],
  ['PUT', 504, 4, idempotent],
  ['PUT', 'drop', 1, {}],
  ['PUT', 'drop', 4, idempotent],
  ['DELETE', 503, 4, {}],
  ['DELETE', 500, 1, {}],
  ['DELETE', 500, 4, idempotent],
  ['DELETE', 'drop', 1, {}],
  ['DELETE', 'drop', 4, idempotent],
  ['POST', 503, 1, {}],
  ['POST', 503, 4, afterUnavailable],
  ['POST', 500, 1, {}],
  ['POST', 500, 1, { ...idempotent, ...afterUnavailable }],
  ['POST', 'drop', 1, {}],
  ['POST', 'drop', 1, { ...idempotent, ...afterUnavailable }],
  ['POST', 504, 1, { ...idempotent, ...afterUnavailable }],
  ['POST', 400, 1, {}],
  ['PATCH', 503, 1, {}],
  ['PATCH', 503, 4, afterUnavailable],
  ['PATCH', 500, 1, {}],
  ['PATCH', 'drop', 1, {}],
  ['PATCH', 'drop', 1, { ...idempotent, ...afterUnavailable }],
];

test.each(table)('§7.1 %s met with %s makes %i request(s), %j', async (method, outcome, count, policy) => {
  await using server = await record(() => (outcome === 'drop' ? 'drop' : json({ message: 'no' }, outcome)));
  const error = await rejectionOf(calls[method](shopAt(server).companies, policy));
  expect(server.requests.map((request) => request.method)).toEqual(
    Array.from({ length: count }, () => method),
  );
  expect(error).toMatchObject({ attempts: { length: count } });
});

describe('§7.1 lost connections', () => {
  test.each(['POST', 'PATCH', 'PUT', 'DELETE'] as const)(
    '§7.1 %s that was lost may have been done',
    async (method) => {
      await using server = await record(() => 'drop');
      const error = await rejectionOf(calls[method](shopAt(server).companies));
      expect(error).toBeInstanceOf(AmbiguousOutcomeError);
      expect(error).toMatchObject({ code: 'ambiguous_outcome', method, sent: true });
      expect(server.requests).toHaveLength(1);
    },
  );

  test('§7.1 GET that was lost is a ConnectionError, and nothing is ambiguous', async () => {
    await using server = await record(() => 'drop');
    const error = await rejectionOf(shopAt(server).companies.get(1));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).not.toBeInstanceOf(AmbiguousOutcomeError);
  });

  test('§7.1 a request that was never sent is retried, whatever its method', async () => {
    const server = await record(() => 'drop');
    await server.close();
    const error = await rejectionOf(shopAt(server).companies.create(company));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).not.toBeInstanceOf(AmbiguousOutcomeError);
    expect(error).toMatchObject({ sent: false, reason: 'ECONNREFUSED', attempts: { length: 4 } });
  });
});

describe('§7.1 what comes after a failure', () => {
  test('§7.1 the result of a retried request has its earlier attempts', async () => {
    await using server = await record(inOrder(json({}, 503), 'drop', json(companyRow(1))));
    const { data, response } = await shopAt(server).companies.get(1).withResponse();
    expect(data).toEqual(companyRow(1));
    expect(response.attempts.map(({ status, error }) => status ?? error)).toEqual([
      503,
      'connection_failed',
      200,
    ]);
  });

  test('§7.1 the last failure is the error', async () => {
    await using server = await record(inOrder(json({}, 503), json({}, 500), json({ message: 'third' }, 503)));
    const error = await rejectionOf(shopAt(server).companies.get(1));
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ detail: 'third' });
  });

  test('§7.1 each page of a list has attempts of its own', async () => {
    const page = json([companyRow(1)], 200, { link: '</v1/companies?page=2>; rel="next"' });
    const [busy, last] = [json({}, 500), json([companyRow(2)])];
    await using server = await record(inOrder(busy, busy, page, busy, busy, last));
    expect(await shopAt(server).companies.list().toArray()).toHaveLength(2);
    expect(server.requests).toHaveLength(6);
  });

  test('§7.1 a response that does not match is not retried', async () => {
    await using server = await record(() => json({ id: 'x' }));
    expect(await rejectionOf(shopAt(server).companies.get(1))).toBeInstanceOf(UnexpectedResponseError);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['of the client', { retry: false } as const, {}],
    ['of a call', {}, { retry: false } as const],
  ])('§7.1 retry: false %s makes one attempt', async (_whose, options, call) => {
    await using server = await record(() => json({}, 500));
    const error = await rejectionOf(connect(server, options).request({ method: 'GET', path: 'x', ...call }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(server.requests).toHaveLength(1);
  });
});
