import { AmbiguousOutcomeError, createClient, NotFoundError, tokenAuth, type ValidationError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { inOrder, json, type Outcome, record } from '../../support/recording-server.ts';
import { serveTokens } from '../../support/token-server.ts';

const retry = { baseDelayMs: 1 };
const ids = (requests: readonly { readonly headers: { readonly [name: string]: unknown } }[]) =>
  requests.map(({ headers }) => headers['x-request-id']);

describe('the id of a request', () => {
  test('is the callId, in each attempt of a call and on each page of a list', async () => {
    await using server = await record(inOrder({ status: 503 }, json(order(7)), json([order(7)])));
    const seen: string[] = [];
    const { orders } = connect(server.url, {
      retry,
      on: { request: ({ callId }) => void seen.push(callId) },
    });
    await orders.get(7);
    await orders.list().toArray();
    expect(ids(server.requests)).toEqual(seen);
    expect(seen[0]).toBe(seen[1]);
    expect(seen[2]).not.toBe(seen[0]);
  });

  test('is the one that the application gives, in events, headers and errors', async () => {
    await using server = await record(
      inOrder(json(order(7)), json([order(7)]), json({ message: 'no' }, 404)),
    );
    const seen: string[] = [];
    const on = { request: ({ callId }: { readonly callId: string }) => void seen.push(callId) };
    const { orders } = connect(server.url, { on });
    await orders.get(7, { callId: 'incoming-1' });
    await orders.list({ callId: 'incoming-2' }).toArray();
    const error = await failureOf<NotFoundError>(orders.get(8, { callId: 'incoming-3' }), NotFoundError);
    expect(error.callId).toBe('incoming-3');
    expect(seen).toEqual(['incoming-1', 'incoming-2', 'incoming-3']);
    expect(ids(server.requests)).toEqual(seen);
  });

  test.each(['', 'two words', 'a\r\nx-admin: 1', 'ü', 'x'.repeat(201), 7])(
    'is refused where it cannot stand in a header: %j',
    async (callId) => {
      await using server = await record(() => json(order(7)));
      const { orders } = connect(server.url);
      await expect(orders.get(7, { callId: callId as string })).rejects.toThrow(
        'orders.get: callId must be 1 to 200 visible ASCII characters',
      );
      expect(server.requests).toEqual([]);
    },
  );

  test('is in the token request too: that of the call that waits for it', async () => {
    await using server = await serveTokens({ api: () => json(order(7)) });
    const auth = tokenAuth({ authUrl: server.url, ...login });
    await createClient({ baseUrl: server.url, auth }).api(ordering).orders.get(7);
    const [token, call] = ids(server.requests);
    expect(token).toBe(call);
  });

  test.each([
    ['the name of another header', { requestIdHeader: 'x-trace' }, ['x-trace']],
    ['false', { requestIdHeader: false }, []],
  ] as const)('requestIdHeader: %s', async (_name, options, expected) => {
    await using server = await record(() => json(order(7)));
    await connect(server.url, options).orders.get(7);
    const names = Object.keys(server.requests[0]?.headers ?? {});
    expect(names.filter((name) => /^x-(?:request-id|trace)$/.test(name))).toEqual(expected);
  });

  test('and the User-Agent give way to headers of the application', async () => {
    await using server = await record(() => json(order(7)));
    const { orders } = connect(server.url, { headers: { 'User-Agent': 'shop/2' } });
    await orders.get(7, { headers: { 'X-Request-Id': 'r-1' } });
    await connect(server.url).orders.get(7);
    expect(server.requests[0]?.headers).toMatchObject({ 'user-agent': 'shop/2', 'x-request-id': 'r-1' });
    expect(server.requests[1]?.headers['user-agent']).toMatch(/^restkin\//);
  });

  test.each(['x-request-id', 'x-correlation-id', 'x-amzn-requestid'])(
    'that the server gives in %s stands on results and errors',
    async (name) => {
      const answers = [json(order(7), 200, { [name]: 'r-1' }), json({}, 404, { [name]: 'r-2' })];
      await using server = await record(inOrder(...answers, json(order(7))));
      const { orders } = connect(server.url);
      expect((await orders.get(7).withResponse()).response.requestId).toBe('r-1');
      expect((await failureOf(orders.get(7), NotFoundError)).requestId).toBe('r-2');
      expect((await orders.get(7).withResponse()).response.requestId).toBeUndefined();
    },
  );
});

describe('with an Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': '8e03978e-40d5-43dd-bc93-6894a57f9324' };

  test.each<[string, Outcome]>([
    ['a lost connection', 'drop'],
    ['503', { status: 503 }],
    ['502', { status: 502 }],
    ['500', { status: 500 }],
  ])('a POST and a PATCH are resent after %s, with the same key', async (_name, failure) => {
    await using server = await record(inOrder(failure, json(order(7), 201), failure, { status: 204 }));
    const { orders } = connect(server.url, { retry });
    await orders.create(orderBody, { headers });
    await orders.update(7, { status: 'open' }, { headers });
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH', 'PATCH']);
    expect(new Set(server.requests.map((one) => one.headers['idempotency-key'])).size).toBe(1);
  });

  test.each<[string, Outcome]>([
    ['are lost too', 'drop'],
    ['get a 503', { status: 503 }],
    ['get a 401', { status: 401 }],
  ])('the outcome of an attempt that was lost stays unknown when later ones %s', async (_name, later) => {
    await using server = await record(inOrder('drop', later));
    const { orders } = connect(server.url, { retry });
    const error = await failureOf(orders.create(orderBody, { headers }), AmbiguousOutcomeError);
    expect([error.sent, error.attempts[0]?.error]).toEqual([true, 'connection_failed']);
  });
});

test('the message of a validation failure names the first fields', async () => {
  const errors = ['status', 'lines.0.quantity', 'x'.repeat(500), 'a', 'b'].map((field) => ({
    field,
    code: 'invalid',
  }));
  await using server = await record(() => json({ message: 'Validation failed', errors }, 400));
  const error = await connect(server.url)
    .orders.create(orderBody)
    .catch((failure: ValidationError) => failure);
  expect(error).toHaveProperty(
    'message',
    `POST ${server.url}/v1/orders: 400 Bad Request: Validation failed: ` +
      `status (invalid), lines.0.quantity (invalid), ${'x'.repeat(100)}, 2 more`,
  );
});
