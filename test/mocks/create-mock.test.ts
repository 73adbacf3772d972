import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createMock } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { describe, expect, test } from 'vitest';
import { ordering } from '../support/ordering.ts';
import { createOrdering, order, origin, signedIn } from './calls.ts';

describe('data', () => {
  test.each([
    [{ status: 'lost' }, /data\.orders\[1\].*status/],
    [{ device: { model: 'x' } }, /data\.orders\[1\].*device\.serial/],
    [{ company: 'x' }, /data\.orders\[1\].*company\.id/],
  ])('a row that does not fit is an error with collection, index and path: %j', (changes, message) => {
    const orders = [order(0), order(1, changes)];
    expect(() => createMock(ordering, { data: { orders } })).toThrow(message);
  });

  test('a duplicate id is an error', () => {
    const rows = [
      { id: 1, name: 'a', city: 'b' },
      { id: 1, name: 'c', city: 'd' },
    ];
    expect(() => createMock(ordering, { data: { companies: rows } })).toThrow(
      /data\.companies\[1\].*duplicate/,
    );
  });

  test('several APIs share tokens, and each has its rows', async () => {
    const next = { ...ordering, version: 2 };
    const mock = createMock([ordering, next], { data: { companies: [{ name: 'a', city: 'b' }] } });
    const call = await signedIn(mock);
    await call('/v1/companies/1', { method: 'DELETE' });
    expect((await call('/v1/companies')).json).toEqual([]);
    expect((await call('/v2/companies')).json).toHaveLength(1);
  });
});

describe('faults', () => {
  test('an abort ends a delay', async () => {
    const mock = createOrdering();
    mock.faults.next({ delayMs: 3_600_000 });
    const abort = new AbortController();
    const answer = mock.fetch(`${origin}/v1/orders`, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    mock.faults.next({ delayMs: 3_600_000 });
    const direct = mock.respond(new Request(`${origin}/v1/orders`, { signal: abort.signal }));
    await expect(direct).rejects.toThrow('enough');
  });
});

test('handlers serve what is declared through msw, and leave the rest to others', async () => {
  const mock = createOrdering();
  const other = http.get('*', () => HttpResponse.text('other'));
  const server = setupServer(...handlers(mock), other);
  server.listen();
  try {
    const body = new URLSearchParams({ grant_type: 'password', username: 'a', password: 'b' });
    const tokens = await (await fetch(`${origin}/auth/token`, { method: 'POST', body })).json();
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const made = await fetch(`${origin}/v1/companies`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'N', city: 'C' }),
    });
    expect(made.status).toBe(201);
    const list = await fetch(`${origin}/v1/companies?perPage=3&page=2`, { headers });
    expect(await list.json()).toEqual([await made.json()]);
    expect(list.headers.get('link')).toContain('rel="prev"');
    expect((await fetch(`${origin}/v1/orders`)).status).toBe(401);
    expect(await (await fetch(`${origin}/v1/reports`)).text()).toBe('other');
  } finally {
    server.close();
  }
  expect(mock.requests).toHaveLength(4);
});
