import { createClient, isNotModified, isRestkinError } from 'restkin';
import { expect, test, vi } from 'vitest';
import { login, order, orderBody } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { respondRaw, startRawServer } from '../../support/raw-server.ts';

vi.resetModules();
const copy = await import('restkin');

const tokens = JSON.stringify({
  access_token: 'a',
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 600,
});
const serve = (loseTokens: boolean) =>
  startRawServer((request, response) => {
    if (request.url === '/auth/token') return loseTokens ? respondRaw(response, '') : { body: tokens };
    return request.headers['if-none-match'] === undefined
      ? { body: JSON.stringify(order(7)) }
      : { status: 304, body: '' };
  });

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  );

test('a client of one copy of the package takes the login of another, and reports what the login failed with', async () => {
  const server = await serve(true);
  const auth = copy.tokenAuth({ authUrl: server.url, ...login });
  const { orders } = createClient({ baseUrl: server.url, auth, retry: false }).api(ordering);
  const error = await failureOf(orders.create(orderBody));
  expect(isRestkinError(error)).toBe(true);
  expect(error).toMatchObject({ code: 'token_request_failed', temporary: true });
  expect(server.requests.map(({ url }) => url)).toEqual(['/auth/token']);
});

test('the guard of one copy knows the 304 of another', async () => {
  const server = await serve(false);
  const auth = copy.tokenAuth({ authUrl: server.url, ...login });
  const { orders } = copy.createClient({ baseUrl: server.url, auth }).api(ordering);
  const unchanged = await orders.get(7, { ifNoneMatch: '"a"' });
  expect([isNotModified(unchanged), copy.isNotModified(unchanged)]).toEqual([true, true]);
  expect(unchanged).toStrictEqual({ outcome: 'notModified' });
  expect(isNotModified({ ...order(7), outcome: 'notModified' })).toBe(false);
});
