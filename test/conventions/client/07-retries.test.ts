import { InternalServerError, ServiceUnavailableError, UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { inOrder, json, record } from '../../support/recording-server.ts';
import { companyRow, connect, rejectionOf, shopAt } from '../../support/shop.ts';

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
