import { describe, expect, test } from 'vitest';
import { createOrdering, order, origin, send, signedIn } from './calls.ts';

const json = 'application/json';

describe('methods', () => {
  test('§4.2 POST responds with 201, the URI of the new resource and the resource', async () => {
    const call = await signedIn(createOrdering());
    const body = { name: 'Nova', city: 'Rome' };
    const { status, headers, json } = await call('/v1/companies', { method: 'POST', body });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${origin}/v1/companies/4`);
    expect(json).toEqual({ id: 4, self: `${origin}/v1/companies/4`, ...body });
    expect((await call('/v1/companies/4')).json).toEqual(json);
  });

  test('§4.2 PUT replaces the entire resource and responds with 204', async () => {
    const call = await signedIn(createOrdering());
    await call('/v1/orders/2', { method: 'PATCH', body: { note: 'soon' } });
    const { status, text } = await call('/v1/orders/2', { method: 'PUT', body: order(5) });
    expect([status, text]).toEqual([204, '']);
    const after = (await call('/v1/orders/2')).json;
    expect(after).toMatchObject({ id: 2, status: 'cancelled', device: { serial: 'S5' }, company: { id: 3 } });
    expect(after).not.toHaveProperty('note');
  });

  test('§4.2 PUT without a required field gets 400', async () => {
    const call = await signedIn(createOrdering());
    const answer = await call('/v1/companies/1', { method: 'PUT', body: { name: 'Nova' } });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toEqual([{ field: 'city', code: 'missingField' }]);
  });

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

  test('§4.2 DELETE responds with 204, and the resource is gone', async () => {
    const call = await signedIn(createOrdering());
    expect((await call('/v1/orders/1', { method: 'DELETE' })).status).toBe(204);
    expect((await call('/v1/orders/1')).status).toBe(404);
    expect((await call('/v1/orders')).headers.get('x-pagination-total-count')).toBe('6');
  });

  test('§4.2 OPTIONS lists the available methods in Accept, without a body', async () => {
    const call = await signedIn(createOrdering());
    const at = async (path: string) => {
      const { status, text, headers } = await call(path, { method: 'OPTIONS' });
      return [status, text, headers.get('accept')];
    };
    expect(await at('/v1/orders')).toEqual([200, '', 'GET, POST, OPTIONS']);
    expect(await at('/v1/orders/1')).toEqual([200, '', 'GET, PUT, PATCH, DELETE, OPTIONS']);
    expect(await at('/v1/feed')).toEqual([200, '', 'GET, OPTIONS']);
  });

  test('§7.1 HEAD always gets 405, even without a token', async () => {
    const mock = createOrdering();
    const call = await signedIn(mock);
    expect((await call('/v1/orders', { method: 'HEAD' })).status).toBe(405);
    const { status, text } = await send(mock, '/v1/orders', { method: 'HEAD' });
    expect([status, text]).toEqual([405, '']);
  });

  test.each([
    ['POST', '/v1/feed'],
    ['DELETE', '/v1/orders'],
    ['POST', '/v1/orders/1'],
    ['GET', '/v1/feed/1'],
    ['patch', '/v1/orders/1'],
  ])('§7.1 a method that the resource does not support gets 405: %s %s', async (method, path) => {
    const call = await signedIn(createOrdering());
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const { status, headers, json } = await call(path, { method, body });
    expect([status, typeof json.message]).toEqual([405, 'string']);
    expect(headers.get('allow')).toContain('OPTIONS');
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

  test('§4.3.4 a method other than GET that accepts no supported type gets 415', async () => {
    const call = await signedIn(createOrdering());
    const headers = { accept: 'text/csv' };
    expect((await call('/v1/orders/1', { method: 'DELETE', headers })).status).toBe(415);
    expect((await call('/v1/orders/1')).status).toBe(200);
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

  test('§7.1 a token request with a content coding or another charset gets 415', async () => {
    const mock = createOrdering();
    const body = 'grant_type=password&username=a&password=b';
    const type = 'application/x-www-form-urlencoded';
    const post = async (headers: Readonly<Record<string, string>>) =>
      (await send(mock, '/auth/token', { method: 'POST', body, headers })).status;
    expect(await post({ 'content-type': type, 'content-encoding': 'gzip' })).toBe(415);
    expect(await post({ 'content-type': `${type}; charset=utf-16` })).toBe(415);
    expect(await post({ 'content-type': `${type}; charset=utf-8` })).toBe(200);
  });
});

describe('paths', () => {
  test.each(['/v2/orders', '/orders', '/v1/nothing', '/v1/orders/', '/v1/orders/1/lines', '/v1'])(
    '§9.3 an unknown path gets 404 with a message: %s',
    async (path) => {
      const { status, json } = await (await signedIn(createOrdering()))(path);
      expect(status).toBe(404);
      expect(Object.keys(json)).toEqual(['message']);
      expect((await send(createOrdering(), path)).status).toBe(404);
    },
  );

  test('§7.1 an unknown id gets 404, for every method', async () => {
    const call = await signedIn(createOrdering());
    const statuses = [
      (await call('/v1/orders/99')).status,
      (await call('/v1/orders/99', { method: 'PUT', body: order(1) })).status,
      (await call('/v1/orders/99', { method: 'PATCH', body: {} })).status,
      (await call('/v1/orders/99', { method: 'DELETE' })).status,
    ];
    expect(statuses).toEqual([404, 404, 404, 404]);
  });

  test('malformed percent-encoding gets 400', async () => {
    expect((await (await signedIn(createOrdering()))('/v1/orders/%E0%A4')).status).toBe(400);
  });
});
