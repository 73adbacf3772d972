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

  test.each([
    [true, ['POST', 'PUT', 'PATCH', 'DELETE'], []],
    [['PUT', 'DELETE'] as const, ['PUT', 'DELETE'], ['POST', 'PATCH']],
  ])('§4.2 with accepted: %j the methods %j answer 202 and are applied', async (accepted, late, now) => {
    const call = await signedIn(createOrdering({ accepted }));
    const answers = {
      POST: await call('/v1/companies', { method: 'POST', body: { name: 'N', city: 'C' } }),
      PUT: await call('/v1/companies/1', { method: 'PUT', body: { name: 'P', city: 'C' } }),
      PATCH: await call('/v1/companies/2', { method: 'PATCH', body: { name: 'Q' } }),
      DELETE: await call('/v1/companies/3', { method: 'DELETE' }),
    };
    const statusOf = (method: string) => answers[method as keyof typeof answers].status;
    expect(late.map(statusOf)).toEqual(late.map(() => 202));
    expect(now.map(statusOf)).toEqual(now.map((method) => (method === 'POST' ? 201 : 204)));
    // A 202 has no created resource; a 201 has it.
    expect(answers.POST.text === '').toBe(late.includes('POST'));
    const names = (await call('/v1/companies')).json.map((company: { name: string }) => company.name);
    expect(names).toEqual(['P', 'Q', 'N']);
  });
});

describe('content negotiation', () => {
  test.each([
    '*/*',
    'application/*',
    json,
    'text/html, application/json;q=0.5',
    'APPLICATION/JSON; charset=utf-8',
    'application/json;note="a;q=0;b"',
  ])('§4.3.2 Accept: %s gets JSON', async (accept) => {
    const call = await signedIn(createOrdering());
    const { status, headers } = await call('/v1/orders', { headers: { accept } });
    expect([status, headers.get('content-type')]).toEqual([200, json]);
  });

  test.each([
    'text/csv',
    'application/xml, text/*',
    'application/json;q=0, */*',
    'text/csv;note=",application/json;"',
    'application/json;note="\\"";q=0',
  ])('§7.1 a GET that does not accept JSON gets 406: %s', async (accept) => {
    const call = await signedIn(createOrdering());
    const { status, json } = await call('/v1/orders', { headers: { accept } });
    expect([status, typeof json.message]).toEqual([406, 'string']);
  });

  test('§7.1 a body of an unsupported content type gets 415', async () => {
    const call = await signedIn(createOrdering());
    const post = (type: string) =>
      call('/v1/companies', {
        method: 'POST',
        body: '{"name":"a","city":"b"}',
        headers: { 'content-type': type },
      });
    expect((await post('text/plain')).status).toBe(415);
    expect((await post('application/merge-patch+json; charset=utf-8')).status).toBe(201);
  });

  test.each([
    ['content-encoding', 'gzip', 415],
    ['content-encoding', 'identity', 201],
    ['content-type', 'application/json; charset=iso-8859-1', 415],
    ['content-type', 'application/json; charset="UTF-8"', 201],
  ])('§7.1 a request body with %s: %s gets %i', async (name, value, status) => {
    const call = await signedIn(createOrdering());
    const options = { method: 'POST', body: { name: 'a', city: 'b' }, headers: { [name]: value } };
    expect((await call('/v1/companies', options)).status).toBe(status);
  });
});

describe('paths', () => {
  test('malformed percent-encoding gets 400', async () => {
    expect((await (await signedIn(createOrdering()))('/v1/orders/%E0%A4')).status).toBe(400);
  });
});
