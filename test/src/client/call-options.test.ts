import { basicAuth, createClient, InvalidRequestError, resource, tokenAuth, waitFor } from 'restkin';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { countingFetch } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { connect, orderBody, rejectionOf, shopAt } from '../../support/shop.ts';

const Thing = resource({ name: z.string() });
const at = { url: 'https://api.test' };

/** A JavaScript user has no compiler. */
const loose = <T>(options: object): T => options as T;

test('an unknown option of a call is refused with the known names, and nothing is sent', async () => {
  const { fetch, urls } = countingFetch();
  const client = connect(at, { fetch });
  const { orders } = shopAt(at, { fetch });
  const wrong = loose<undefined>({ timeoutms: 5 });
  const calls: readonly PromiseLike<unknown>[] = [
    orders.list(wrong),
    orders.list().toArray(loose({ limits: 5 })),
    orders.query().list(wrong),
    orders.get(7, wrong),
    orders.find(7, wrong),
    orders.create(orderBody, wrong),
    orders.replace(7, orderBody, wrong),
    orders.update(7, {}, wrong),
    orders.delete(7, wrong),
    orders.allowedMethods(7, wrong),
    client.follow(Thing, 'https://api.test/v1/things/1', wrong),
    client.request({ method: 'GET', path: 'v1/x', ...loose<object>({ timeoutms: 5 }) }),
    waitFor(
      () => Promise.resolve(1),
      () => true,
      loose({ timeoutms: 5 }),
    ),
  ];
  for (const call of calls) {
    const error = await rejectionOf(call);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(String(error)).toMatch(/its options are .*(timeoutMs|limit)/);
  }
  expect(urls).toEqual([]);
});

test('options are read when the call is made: what becomes of their object later changes nothing', async () => {
  const { fetch, urls } = countingFetch();
  const query = { sort: ['status'] as ('status' | 'id')[], perPage: 5 };
  const list = shopAt(at, { fetch }).orders.list(query);
  query.perPage = 6;
  await list;
  expect(urls).toEqual(['https://api.test/v1/orders?sort=status&perPage=5']);
});

test('an unknown option of a client, of its parts and of a scheme is refused with its fix', () => {
  const auth = basicAuth({ username: 'ada', password: 'lovelace' });
  const base = { baseUrl: 'https://api.test', auth };
  expect(() => createClient({ ...base, ...loose<object>({ baseURL: 'x' }) })).toThrow(
    'its options are baseUrl',
  );
  expect(() => createClient(loose<never>(ordering))).toThrow('createClient({ ... }).api(declaration)');
  expect(() => createClient({ ...base, on: loose({ tokens: () => undefined }) })).toThrow('token');
  expect(() => basicAuth(loose({ user: 'ada', password: 'x' }))).toThrow('basicAuth has no option "user"');
  const login = { authUrl: 'https://auth.test', username: 'ada', password: 'lovelace' };
  expect(() => tokenAuth({ ...login, ...loose<object>({ authURL: 'x' }) })).toThrow('authUrl');
});

test('the error for a relative baseUrl names the fix', () => {
  const auth = basicAuth({ username: 'ada', password: 'lovelace' });
  expect(() => createClient({ baseUrl: '/api', auth })).toThrow("new URL('/api', location.href).href");
});

test('the error for a path that begins with a slash names the fix', async () => {
  const error = await rejectionOf(connect(at).request({ method: 'GET', path: '/v1/reports/3' }));
  expect(String(error)).toContain('no leading slash');
});

test('a query of the builder does not change with the object of its params', () => {
  const { feed } = connect(at, {}).api({ ...ordering, auth: 'basic' });
  const params = { since: 'monday' };
  const query = feed.query().params(params);
  params.since = 'friday';
  expect(query.toString()).toBe('since=monday');
});

test('a query of the builder refuses params without own properties, which would send no filter', () => {
  const { feed } = connect(at, {}).api({ ...ordering, auth: 'basic' });
  const query = feed.query().params(new URLSearchParams('limit=5') as object);
  expect(() => query.toString()).toThrow('`params` must be a plain object');
});
