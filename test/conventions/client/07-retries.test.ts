import { InternalServerError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { inOrder, json, record } from '../../support/recording-server.ts';
import { companyRow, connect, rejectionOf, shopAt } from '../../support/shop.ts';

describe('§7.1 what comes after a failure', () => {
  test('§7.1 each page of a list has attempts of its own', async () => {
    const page = json([companyRow(1)], 200, { link: '</v1/companies?page=2>; rel="next"' });
    const [busy, last] = [json({}, 500), json([companyRow(2)])];
    await using server = await record(inOrder(busy, busy, page, busy, busy, last));
    expect(await shopAt(server).companies.list().toArray()).toHaveLength(2);
    expect(server.requests).toHaveLength(6);
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
