import { AmbiguousOutcomeError, ApiError, type CallOptions, type Fetch } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, orderBody } from '../../support/basic-ordering.ts';
import { freePort } from '../../support/ports.ts';
import { inOrder, json, record } from '../../support/recording-server.ts';

// The first attempt arrives and its response is lost. Whether the status of the second one says how the first
// one ended depends on the status: a 412, for example, may be there because the first one changed the
// resource.

type Orders = ReturnType<typeof connect>['orders'];

const idempotentWrites: CallOptions = { retry: { attempts: 2, baseDelayMs: 1, idempotentWrites: true } };
const withKey: CallOptions = {
  retry: { attempts: 2, baseDelayMs: 1 },
  headers: { 'Idempotency-Key': 'k-1' },
};

const writes: Readonly<Record<string, (orders: Orders) => PromiseLike<unknown>>> = {
  'PUT with idempotentWrites': (orders) => orders.replace(7, orderBody, idempotentWrites),
  'DELETE with idempotentWrites': (orders) => orders.delete(7, idempotentWrites),
  'PUT with an Idempotency-Key': (orders) => orders.replace(7, orderBody, withKey),
  'DELETE with an Idempotency-Key': (orders) => orders.delete(7, withKey),
  'POST with an Idempotency-Key': (orders) => orders.create(orderBody, withKey),
  'PATCH with an Idempotency-Key': (orders) => orders.update(7, { status: 'open' }, withKey),
};

const statusesOf = ({ attempts }: ApiError | AmbiguousOutcomeError) => attempts.map(({ status }) => status);

describe.each(Object.entries(writes))('a %s whose first attempt was lost', (name, write) => {
  const isDelete = name.startsWith('DELETE');

  test.each([401, 408, 409, 412, 423, 425, ...(isDelete ? [404, 410] : [])])(
    'has an unknown outcome after a %d',
    async (status) => {
      await using server = await record(inOrder('drop', json({ message: 'no' }, status)));
      const error = await failureOf(write(connect(server.url).orders), AmbiguousOutcomeError);
      expect(statusesOf(error)).toEqual([undefined, status]);
    },
  );

  test.each([400, 403, 405, 413, 415, 422, ...(isDelete ? [] : [404, 410])])(
    'was refused if the second one gets a %d',
    async (status) => {
      await using server = await record(inOrder('drop', json({ message: 'no' }, status)));
      const error = await failureOf(write(connect(server.url).orders), ApiError);
      expect(statusesOf(error)).toEqual([undefined, status]);
    },
  );

  test('is done if the second one succeeds', async () => {
    const done = name.startsWith('POST') ? json({ ...orderBody, id: 7 }, 201) : { status: 204 };
    await using server = await record(inOrder('drop', done));
    await write(connect(server.url, { validation: 'off' }).orders);
    expect(server.requests).toHaveLength(2);
  });
});

// A 500 is a failure, but the server may have changed the resource before it.
describe('a write whose first attempt got a 500', () => {
  const after500 = (status: number) => record(inOrder({ status: 500 }, json({ message: 'no' }, status)));

  test.each([409, 412])('has an unknown outcome after a %d', async (status) => {
    await using server = await after500(status);
    const { orders } = connect(server.url);
    const error = await failureOf(orders.replace(7, orderBody, idempotentWrites), AmbiguousOutcomeError);
    expect(statusesOf(error)).toEqual([500, status]);
  });

  test.each([404, 410])('has an unknown outcome if it is a DELETE and then gets a %d', async (status) => {
    await using server = await after500(status);
    const error = await failureOf(
      connect(server.url).orders.delete(7, idempotentWrites),
      AmbiguousOutcomeError,
    );
    expect(error.message).toContain('may have deleted the resource');
  });

  test('has an unknown outcome if the second one cannot be sent', async () => {
    await using server = await after500(200);
    const unused = `http://127.0.0.1:${await freePort()}`;
    let attempts = 0;
    const fetch: Fetch = (input, init) => {
      attempts++;
      return globalThis.fetch(attempts === 1 ? input : unused, init as RequestInit);
    };
    const { orders } = connect(server.url, { fetch });
    const error = await failureOf(orders.replace(7, orderBody, idempotentWrites), AmbiguousOutcomeError);
    expect(error).toMatchObject({ sent: true });
    expect(statusesOf(error)).toEqual([500, undefined]);
  });

  test.each([400, 403, 404, 500])('has failed if the second one gets a %d', async (status) => {
    await using server = await after500(status);
    const { orders } = connect(server.url);
    const error = await failureOf(orders.replace(7, orderBody, idempotentWrites), ApiError);
    expect(statusesOf(error)).toEqual([500, status]);
  });
});

// A gateway also sends a 503 once the request has reached the server: Heroku's router when it gives up after
// 30 s (H12), Envoy when the connection behind it is reset.
describe.each([
  ['as text', { status: 503, body: 'upstream connect error or disconnect/reset before headers' }],
  [
    'as a page',
    { status: 503, headers: { 'content-type': 'text/html' }, body: '<html>Application error</html>' },
  ],
  ['without a body', { status: 503 }],
])('a write whose first attempt got a 503 of a gateway, %s', (_form, reply) => {
  const after503 = (status: number) => record(inOrder(reply, json({ message: 'no' }, status)));

  test.each([401, 409, 412])('has an unknown outcome after a %d', async (status) => {
    await using server = await after503(status);
    const { orders } = connect(server.url);
    const error = await failureOf(orders.replace(7, orderBody, idempotentWrites), AmbiguousOutcomeError);
    expect(statusesOf(error)).toEqual([503, status]);
  });

  test.each([404, 410])('has an unknown outcome if it is a DELETE and then gets a %d', async (status) => {
    await using server = await after503(status);
    const { orders } = connect(server.url);
    const error = await failureOf(orders.delete(7, idempotentWrites), AmbiguousOutcomeError);
    expect(error.message).toContain('may have deleted the resource');
  });

  test.each([400, 403, 503])('has failed if the second one gets a %d', async (status) => {
    await using server = await after503(status);
    const { orders } = connect(server.url);
    const error = await failureOf(orders.replace(7, orderBody, idempotentWrites), ApiError);
    expect(statusesOf(error)).toEqual([503, status]);
  });
});

// With its `message` (§7.2.2) a 503 is the API's own, which says that it did nothing.
test.each([404, 409])(
  'a write whose first attempt got a 503 of the API is refused by a %d',
  async (status) => {
    const replies = [json({ message: 'Down for maintenance' }, 503), json({ message: 'no' }, status)];
    await using server = await record(inOrder(...replies));
    const error = await failureOf(connect(server.url).orders.delete(7, idempotentWrites), ApiError);
    expect(statusesOf(error)).toEqual([503, status]);
  },
);

test.each([409, 412])('a %d to the first attempt is a definite refusal', async (status) => {
  await using server = await record(() => json({ message: 'no' }, status));
  const { orders } = connect(server.url);
  const error = await failureOf(orders.replace(7, orderBody, idempotentWrites), ApiError);
  expect(error.status).toBe(status);
});
