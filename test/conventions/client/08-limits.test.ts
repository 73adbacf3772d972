import { ServiceUnavailableError, TooManyRequestsError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { inOrder, json, type Reply, record } from '../../support/recording-server.ts';
import { companyRow, rejectionOf, shopAt } from '../../support/shop.ts';

const company = { name: 'a', city: 'b' };

const throttled = (retryAfter?: string, status = 429): Reply =>
  json({ message: 'slow down' }, status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

describe('§8 throttling', () => {
  test.each([
    ['without Retry-After', undefined],
    ['with Retry-After in seconds', '0'],
    ['with Retry-After as a date that has passed', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['with Retry-After that is neither', 'soon'],
  ])('§8 a 429 %s is sent again', async (_how, retryAfter) => {
    await using server = await record(
      inOrder(throttled(retryAfter), throttled(retryAfter), json(companyRow(1))),
    );
    const { data, response } = await shopAt(server).companies.get(1).withResponse();
    expect(data).toEqual(companyRow(1));
    expect(server.requests).toHaveLength(3);
    expect(response.attempts.map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  test('§8 writes are resent after a 429, too: nothing was done', async () => {
    const created = json(companyRow(1), 201, { location: '/v1/companies/1' });
    await using server = await record(inOrder(throttled('0'), created, throttled('0'), { status: 204 }));
    const { companies } = shopAt(server);
    expect(await companies.create(company)).toEqual(companyRow(1));
    expect(await companies.update(1, company)).toEqual({ outcome: 'done' });
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH', 'PATCH']);
  });

  test('§8 a 429 that stays is a TooManyRequestsError at the deadline', async () => {
    await using server = await record(() => throttled());
    const error = await rejectionOf(shopAt(server).companies.get(1, { deadlineMs: 1_500 }));
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(server.requests.length).toBeGreaterThan(1);
  });

  test('§8 without a retry a 429 is an error at once', async () => {
    await using server = await record(() => throttled('0'));
    const error = await rejectionOf(shopAt(server).companies.get(1, { retry: false }));
    expect(error).toMatchObject({ retryAfterMs: 0, detail: 'slow down', attempts: { length: 1 } });
  });

  test.each([
    ['3600', {}, 3_600_000],
    ['5', { deadlineMs: 2_000 }, 5_000],
    ['5', { retry: { maxRetryAfterMs: 4_999 } }, 5_000],
  ])(
    '§8 a Retry-After of %s s that is too long with %j is not waited for',
    async (seconds, options, retryAfterMs) => {
      await using server = await record(() => throttled(seconds));
      const error = await rejectionOf(shopAt(server).companies.get(1, options));
      expect(error).toBeInstanceOf(TooManyRequestsError);
      expect(error).toMatchObject({ retryAfterMs });
      expect(server.requests).toHaveLength(1);
    },
  );

  test('§8 a Retry-After far in the future says how long', async () => {
    await using server = await record(() => throttled('Fri, 01 Jan 2999 00:00:00 GMT'));
    const error = await rejectionOf(shopAt(server).companies.get(1));
    expect((error as TooManyRequestsError).retryAfterMs).toBeGreaterThan(60_000);
    expect(server.requests).toHaveLength(1);
  });

  test('§8 a Retry-After that is a date counts from the Date of its response, because clocks differ', async () => {
    const headers = { date: 'Tue, 03 Jun 2008 11:05:30 GMT', 'retry-after': 'Tue, 03 Jun 2008 12:05:30 GMT' };
    await using server = await record(() => json({ message: 'slow down' }, 429, headers));
    const error = await rejectionOf(shopAt(server).companies.get(1));
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 });
  });

  test('§8 the pause is for all requests of the client, and for none of another', async () => {
    await using server = await record(inOrder(throttled('3600'), json([])));
    const { companies, orders } = shopAt(server);
    await rejectionOf(companies.list());
    const error = await rejectionOf(orders.list());
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(server.requests).toHaveLength(1);
    expect((await shopAt(server).orders.list()).items).toEqual([]);
  });

  test('§7.1 a 503 may say when to come back too', async () => {
    await using server = await record(() => throttled('3600', 503));
    const error = await rejectionOf(shopAt(server).companies.get(1));
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 });
    expect(server.requests).toHaveLength(1);
  });
});
