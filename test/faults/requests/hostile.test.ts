import {
  AmbiguousOutcomeError,
  ConnectionError,
  createClient,
  RedirectRefusedError,
  ResponseTooLargeError,
  TimeoutError,
  TokenRequestError,
  tokenAuth,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { ordering } from '../../support/ordering.ts';
import { json } from '../../support/recording-server.ts';

const broken: readonly Fault[] = ['resetInBody', 'truncatedChunk', 'shortBody', 'halfClose', 'drip'];
const options = { retry: { baseDelayMs: 1 }, timeoutMs: 400 };

describe.each(broken)('%s', (fault) => {
  test('a read is made four times, and no half of a response arrives', async () => {
    await using server = await startFaultServer({ respond: () => fault });
    const error = await failureOf(connect(server.url, options).orders.get(7), ConnectionError);
    expect(error).toBeInstanceOf(fault === 'drip' ? TimeoutError : ConnectionError);
    expect(server.requests).toHaveLength(4);
  });

  test('a POST is sent once', async () => {
    await using server = await startFaultServer({ respond: () => fault });
    const call = connect(server.url, options).orders.create(orderBody);
    expect((await failureOf(call, AmbiguousOutcomeError)).attempts).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  test('a token request is sent once in each attempt, and the call fails', async () => {
    await using server = await startFaultServer({ respond: () => fault });
    const auth = tokenAuth({ authUrl: server.url, ...login, timeoutMs: 150 });
    const { orders } = createClient({ baseUrl: server.url, auth, retry: false }).api(ordering);
    expect((await failureOf(orders.get(7), TokenRequestError)).temporary).toBe(true);
    expect(server.requests.map(({ path }) => path)).toEqual(['/auth/token']);
  });
});

test.each([200, 404, 503])('a body without an end is left at the limit: %d', async (status) => {
  await using server = await startFaultServer({ respond: () => ({ endless: status }) });
  const { orders } = connect(server.url, { maxResponseBytes: 1_000_000, retry: { baseDelayMs: 1 } });
  expect((await failureOf(orders.get(7), ResponseTooLargeError)).status).toBe(status);
  expect(server.requests).toHaveLength(1);
});

describe('redirects to a second port', () => {
  const statuses = [301, 302, 303, 307, 308];
  const start = async (status: number) => {
    const second = await startFaultServer({ respond: () => json(order(7)) });
    const location = `${second.url}/stolen`;
    const first = await startFaultServer({ respond: () => ({ status, headers: { location } }) });
    return { first, second };
  };

  test.each(statuses)('%d: nothing reaches it, by no method', async (status) => {
    const { first, second } = await start(status);
    await using _first = first;
    await using _second = second;
    const { orders, client } = connect(first.url, { retry: { baseDelayMs: 1 } });
    const calls = [
      () => orders.get(7),
      () => orders.create(orderBody),
      () => orders.replace(7, orderBody),
      () => orders.delete(7),
      () => orders.update(7, { status: 'open' }),
      () => orders.allowedMethods(),
      () => client.request({ method: 'GET', path: 'x' }),
      () => orders.list(),
    ];
    for (const call of calls) {
      const error = await failureOf(call(), RedirectRefusedError);
      expect(error.status).toBe(status);
      // Its path and its query may hold a secret.
      expect(error.message).toContain(`${status}: redirect to ${second.url} refused; check \`baseUrl\``);
    }
    expect(first.requests).toHaveLength(calls.length);
    expect([second.connections, second.requests.length]).toEqual([0, 0]);
  });

  test.each(statuses)('%d: a token request does not travel', async (status) => {
    const { first, second } = await start(status);
    await using _first = first;
    await using _second = second;
    const auth = tokenAuth({ authUrl: first.url, ...login });
    const { orders } = createClient({ baseUrl: second.url, auth, retry: false }).api(ordering);
    expect((await failureOf(orders.get(7), TokenRequestError)).status).toBe(status);
    expect(first.requests).toHaveLength(1);
    expect(second.connections).toBe(0);
  });
});

test('a late response of an attempt that timed out does not become the response of the next one', async () => {
  const released: (() => void)[] = [];
  await using server = await startFaultServer({
    respond: async (_request, index) => {
      if (index > 0) return json(order(8));
      await new Promise<void>((resolve) => released.push(resolve));
      return json(order(7));
    },
  });
  const call = connect(server.url, { ...options, timeoutMs: 100 }).orders.get(7);
  expect((await call).id).toBe(8);
  for (const release of released) release();
  expect(server.requests).toHaveLength(2);
});
