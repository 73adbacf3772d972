import { UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { record } from '../../support/recording-server.ts';
import { connect, rejectionOf, shopAt } from '../../support/shop.ts';

const own = { method: 'GET', path: 'reports/3' } as const;

const typed = (type: string, body: string | Uint8Array) => () => ({
  status: 200,
  headers: { 'content-type': type },
  body,
});

describe('§4.3 Accept', () => {
  test('§4.3.2 an own endpoint accepts what the call says, JSON where it says nothing', async () => {
    await using server = await record(({ headers }) => typed(headers.accept ?? '', '{}')());
    const client = connect(server);
    await client.request(own);
    await client.request({ ...own, as: 'text', accept: 'text/csv' });
    expect(server.requests.map(({ headers }) => headers.accept)).toEqual(['application/json', 'text/csv']);
  });

  test('§4.3.1 every body is UTF-8', async () => {
    await using server = await record(typed('application/json; charset=iso-8859-1', '"Ærø"'));
    expect(await connect(server).request(own)).toBe('Ærø');
  });

  test('§4.3.1 other types arrive as bytes, each as it is', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await using server = await record(typed('application/pdf', bytes));
    const result = await connect(server).request({ ...own, as: 'bytes', accept: 'application/pdf' });
    expect(Array.from(result)).toEqual(Array.from(bytes));
  });

  test('§4.3.1 JSON arrives as its value, checked by the schema of the call', async () => {
    await using server = await record(typed('application/json; charset=utf-8', '{"total":3}'));
    const client = connect(server);
    expect(await client.request(own)).toEqual({ total: 3 });
    expect((await client.request({ ...own, schema: z.object({ total: z.number() }) })).total).toBe(3);
    const error = await rejectionOf(client.request({ ...own, schema: z.object({ total: z.string() }) }));
    expect(error).toMatchObject({ code: 'unexpected_response', issues: [{ path: 'total' }] });
  });

  test.each([
    ['text/html', 'application/json'],
    ['application/json', 'text/csv'],
    ['application/pdf', 'image/png, image/webp'],
    ['application/xml', 'text/*'],
  ])('§4.3.3 %s where %s was accepted is unexpected', async (type, accept) => {
    await using server = await record(typed(type, '1'));
    const error = await rejectionOf(connect(server).request({ ...own, accept }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200 });
  });

  test.each([
    ['of another type', typed('text/html', '<p>busy</p>')],
    ['that is not JSON', typed('application/json', '<p>busy</p>')],
    ['without a body', typed('application/json', '')],
  ])('§4.3.3 a resource %s is unexpected', async (_what, reply) => {
    await using server = await record(reply);
    expect(await rejectionOf(shopAt(server).companies.get(1))).toBeInstanceOf(UnexpectedResponseError);
  });
});
