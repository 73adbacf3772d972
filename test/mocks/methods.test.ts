import { describe, expect, test } from 'vitest';
import { createOrdering, origin, signedIn } from './calls.ts';

const json = 'application/json';

describe('methods', () => {
  test('§4.2 PATCH updates part of a resource: objects merge, lists are replaced', async () => {
    const call = await signedIn(createOrdering());
    const body = { device: { model: 'New' }, lines: [{ sku: 'b', quantity: 3 }], company: { id: 3 } };
    expect((await call('/v1/orders/1', { method: 'PATCH', body })).status).toBe(204);
    expect((await call('/v1/orders/1')).json).toEqual({
      id: 1,
      self: `${origin}/v1/orders/1`,
      status: 'open',
      createdAt: '2026-01-01T00:00:00.000Z',
      device: { model: 'New', serial: 'S0' },
      lines: [{ id: 8, sku: 'b', quantity: 3 }],
      company: { id: 3, self: `${origin}/v1/companies/3` },
    });
  });
});

describe('content negotiation', () => {
  test.each([
    '*/*',
    'application/*',
    json,
    'text/html, application/json;q=0.5',
    'APPLICATION/JSON; charset=utf-8',
  ])('§4.3.2 Accept: %s gets JSON', async (accept) => {
    const call = await signedIn(createOrdering());
    const { status, headers } = await call('/v1/orders', { headers: { accept } });
    expect([status, headers.get('content-type')]).toEqual([200, json]);
  });

  test.each(['text/csv', 'application/xml, text/*', 'application/json;q=0, */*'])(
    '§7.1 a GET that does not accept JSON gets 406: %s',
    async (accept) => {
      const call = await signedIn(createOrdering());
      const { status, json } = await call('/v1/orders', { headers: { accept } });
      expect([status, typeof json.message]).toEqual([406, 'string']);
    },
  );
});
