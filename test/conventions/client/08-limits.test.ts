import { describe, expect, test } from 'vitest';
import { inOrder, json, type Reply, record } from '../../support/recording-server.ts';
import { companyRow, rejectionOf, shopAt } from '../../support/shop.ts';

const company = { name: 'a', city: 'b' };

const throttled = (retryAfter?: string, status = 429): Reply =>
  json({ message: 'slow down' }, status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

describe('§8 throttling', () => {
  test('§8 writes are resent after a 429, too: nothing was done', async () => {
    const created = json(companyRow(1), 201, { location: '/v1/companies/1' });
    await using server = await record(inOrder(throttled('0'), created, throttled('0'), { status: 204 }));
    const { companies } = shopAt(server);
    expect(await companies.create(company)).toEqual(companyRow(1));
    expect(await companies.update(1, company)).toEqual({ outcome: 'done' });
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH', 'PATCH']);
  });

  test('§8 without a retry a 429 is an error at once', async () => {
    await using server = await record(() => throttled('0'));
    const error = await rejectionOf(shopAt(server).companies.get(1, { retry: false }));
    expect(error).toMatchObject({ retryAfterMs: 0, detail: 'slow down', attempts: { length: 1 } });
  });

  test('§8 a Retry-After that is a date counts from the Date of its response, because clocks differ', async () => {
    const headers = { date: 'Tue, 03 Jun 2008 11:05:30 GMT', 'retry-after': 'Tue, 03 Jun 2008 12:05:30 GMT' };
    await using server = await record(() => json({ message: 'slow down' }, 429, headers));
    const error = await rejectionOf(shopAt(server).companies.get(1));
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 });
  });
});
