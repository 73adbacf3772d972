import { ForbiddenError, InvalidRequestError, NotFoundError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { company, connect, failureOf, order } from '../../support/basic-ordering.ts';
import { startRawServer } from '../../support/raw-server.ts';

const orderJson = JSON.stringify(order(7));

describe('a call', () => {
  test('is sent once, however often it is awaited', async () => {
    const server = await startRawServer(() => ({ headers: { etag: '"v1"' }, body: orderJson }));
    const call = connect(server.url).orders.get(7);
    const [data, again, { data: third, response }] = await Promise.all([call, call, call.withResponse()]);
    expect([again, third]).toEqual([data, data]);
    expect(response).toMatchObject({ status: 200, etag: '"v1"', deprecation: undefined });
    expect(response.attempts).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  test('is a promise to the language', async () => {
    const server = await startRawServer(() => ({ status: 404, body: '{"message":"no"}' }));
    const { orders } = connect(server.url);
    let ended = 0;
    const call = orders.get(7);
    await expect(call.finally(() => ended++)).rejects.toBeInstanceOf(NotFoundError);
    expect(await orders.get(7).catch(() => 'caught')).toBe('caught');
    const settled = await Promise.allSettled([orders.get(7)]);
    expect(settled).toEqual([{ status: 'rejected', reason: expect.any(NotFoundError) }]);
    expect([ended, call instanceof Promise]).toEqual([1, true]);
  });

  test('withResponse fails with the same error as the call', async () => {
    const server = await startRawServer(() => ({ status: 404 }));
    const call = connect(server.url).orders.get(7);
    const error = await failureOf(call, NotFoundError);
    expect(await call.withResponse().catch((thrown: unknown) => thrown)).toBe(error);
  });
});

describe('a list', () => {
  test('continues from a link that is relative', async () => {
    const server = await startRawServer(({ url }) => {
      const first = url.endsWith('page=1');
      const headers = { link: first ? '</v1/companies?page=2>; rel="next"' : '' };
      return {
        headers: { ...headers, 'x-pagination-page-size': '1' },
        body: JSON.stringify([company(first ? 1 : 2)]),
      };
    });
    const { companies } = connect(server.url);
    const ids = (await companies.list({ from: 'v1/companies?page=1' }).toArray()).map(({ id }) => id);
    expect(ids).toEqual([1, 2]);
  });

  test('is a promise to the language', async () => {
    const server = await startRawServer(() => ({ status: 403, body: '{"message":"no"}' }));
    const { companies } = connect(server.url);
    let ended = 0;
    await expect(companies.list().finally(() => ended++)).rejects.toBeInstanceOf(ForbiddenError);
    expect(ended).toBe(1);
    expect(await companies.list().catch((error: unknown) => error)).toBeInstanceOf(ForbiddenError);
    expect(await companies.list().then(undefined, () => 'rejected')).toBe('rejected');
  });

  test.each([5, '', 'garbage', '/auth/token', 'v1/orders?page=2'])(
    'does not continue from %j, which is not a link of it',
    async (from) => {
      const server = await startRawServer(() => undefined);
      const { companies } = connect(server.url);
      await failureOf(companies.list({ from: from as string }), InvalidRequestError);
      expect(server.requests).toEqual([]);
    },
  );
});

test('a call that was aborted before sends nothing, and gives the reason of the signal', async () => {
  const server = await startRawServer(() => undefined);
  const { orders } = connect(server.url);
  await expect(orders.get(7, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
  await expect(orders.create({} as never, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
  expect(server.requests).toHaveLength(0);
});
