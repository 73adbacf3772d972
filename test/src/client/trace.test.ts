import { AsyncLocalStorage } from 'node:async_hooks';
import { createClient, NotFoundError, type Trace, type TracedOperation, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { inOrder, json, record } from '../../support/recording-server.ts';
import { serveTokens } from '../../support/token-server.ts';

interface Seen {
  readonly operation: TracedOperation;
  readonly error?: unknown;
}

const watch = () => {
  const seen: Seen[] = [];
  const trace: Trace = async (operation, run) => {
    try {
      await run();
      seen.push({ operation });
    } catch (error) {
      seen.push({ operation, error });
    }
  };
  return { seen, trace };
};

const page = (url: string, number: number, last: number) =>
  json([order(number, url)], 200, {
    'x-pagination-page': String(number),
    'x-pagination-total-pages': String(last),
    'x-pagination-per-page': '1',
    'x-pagination-total-count': String(last),
    ...(number < last && { link: `<${url}/v1/orders?page=${number + 1}>; rel="next"` }),
  });

/** A list of pages of one order. */
const servePages = (last: number) =>
  record(({ url, headers }) =>
    page(`http://${headers.host}`, Number(/page=(\d+)/.exec(url)?.[1] ?? 1), last),
  );

describe('the operations', () => {
  test('each call: what it is, where it goes, and what came of it', async () => {
    await using server = await record(({ method, url }) => {
      if (url.startsWith('/shop/v1/orders/404')) return json({ message: 'none' }, 404);
      if (method === 'DELETE') return { status: 204 };
      if (method === 'OPTIONS') return { headers: { accept: 'GET' } };
      return json(order(7), method === 'POST' ? 201 : 200);
    });
    const { seen, trace } = watch();
    const { client, orders, companyOrders } = connect(`${server.url}/shop`, { trace });
    await orders.get(7, { fields: ['status'] });
    await orders.find(404);
    await companyOrders({ companyId: 3 }).create(orderBody);
    await orders.delete(7);
    await orders.allowedMethods();
    await orders.allowedMethods(7);
    await client.request({ method: 'GET', path: 'v1/orders/7' });
    const error = await failureOf(orders.get(404), NotFoundError);
    expect(
      seen.map(({ operation: { kind, api, collection, method, template } }) =>
        [kind, api, collection, method, template].join(' '),
      ),
    ).toEqual([
      'call ordering orders GET /shop/v1/orders/{id}',
      'call ordering orders GET /shop/v1/orders/{id}',
      'call ordering companyOrders POST /shop/v1/companies/{companyId}/orders',
      'call ordering orders DELETE /shop/v1/orders/{id}',
      'call ordering orders OPTIONS /shop/v1/orders',
      'call ordering orders OPTIONS /shop/v1/orders/{id}',
      'call   GET ',
      'call ordering orders GET /shop/v1/orders/{id}',
    ]);
    const statuses = [200, 404, 201, 204, 200, 200, 200, 404];
    expect(seen.map(({ operation }) => operation.outcome)).toEqual(
      statuses.map((status) => ({ status, sent: 1, throttledMs: 0, pages: 0 })),
    );
    expect(seen.at(-1)?.error).toBe(error);
    expect(seen.at(-1)?.operation).toMatchObject({ callId: error.callId, baseUrl: `${server.url}/shop` });
  });

  test('a call that is refused before anything is sent has none', async () => {
    const { seen, trace } = watch();
    const { orders } = connect('http://127.0.0.1:1', { trace });
    await Promise.allSettled([orders.get(Number.NaN)]);
    expect(seen).toEqual([]);
  });

  test('retries, and the time in pauses', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' } };
    await using server = await record(inOrder({ status: 503 }, limited, json(order(7))));
    const { seen, trace } = watch();
    await connect(server.url, { trace, retry: { baseDelayMs: 1 } }).orders.get(7);
    const outcome = seen[0]?.operation.outcome;
    expect(outcome).toMatchObject({ status: 200, sent: 3 });
    expect(outcome?.throttledMs).toBeGreaterThan(900);
  });

  test('a list and its pages are one operation, whether it is read to its end or left', async () => {
    await using server = await servePages(4);
    const { seen, trace } = watch();
    const { orders } = connect(server.url, { trace });
    await orders.list();
    await orders.list().toArray();
    for await (const { id } of orders.list()) if (id === 2) break;
    expect(await orders.list({ limit: 1 }).first()).toMatchObject({ id: 1 });
    expect(seen.map(({ operation }) => operation.kind)).toEqual(Array(4).fill('list'));
    const pages = seen.map(({ operation }) => operation.outcome.pages);
    expect(pages).toEqual([1, 4, expect.any(Number), 1]);
    expect(pages[2]).toBeGreaterThan(1);
    expect(seen[0]?.operation).toMatchObject({ collection: 'orders', template: '/v1/orders' });
  });

  test('a list that fails has the error of its reader', async () => {
    await using server = await record(({ url, headers }) =>
      url.includes('page=2') ? { status: 404 } : page(`http://${headers.host}`, 1, 2),
    );
    const { seen, trace } = watch();
    const error = await failureOf(connect(server.url, { trace }).orders.list().toArray(), NotFoundError);
    expect(seen.map((one) => one.error)).toEqual([error]);
  });

  test('a renewal that many calls wait for', async () => {
    await using server = await serveTokens({ api: () => json(order(7)) });
    const { seen, trace } = watch();
    const auth = tokenAuth({ authUrl: `${server.url}/idp`, ...login });
    const { orders } = createClient({ baseUrl: server.url, auth, trace }).api(ordering);
    await Promise.all([orders.get(7), orders.get(7), orders.get(7)]);
    expect(seen.map(({ operation }) => operation.kind)).toEqual(['renewal', 'call', 'call', 'call']);
    expect(seen[0]?.operation).toEqual({
      ...{ kind: 'renewal', callId: expect.any(String), method: 'POST' },
      ...{ template: '/idp/auth/token', baseUrl: `${server.url}/idp` },
      outcome: { status: undefined, sent: 0, throttledMs: 0, pages: 0 },
    });
  });
});

describe('the asynchronous context', () => {
  const storage = new AsyncLocalStorage<string>();
  /** The context of each request: the names of the operations around it. */
  const contexts = (url: string) => {
    const around: string[] = [];
    const trace: Trace = ({ kind }, run) => storage.run(`${storage.getStore() ?? ''}/${kind}`, run);
    const send: typeof fetch = (...given) => {
      around.push(storage.getStore() ?? '');
      return fetch(...given);
    };
    return { around, ...connect(url, { trace, fetch: send }) };
  };

  test('of a call is around its requests', async () => {
    await using server = await record(inOrder(json(order(7))));
    const { around, orders } = contexts(server.url);
    await storage.run('request', () => orders.get(7));
    expect(around).toEqual(['request/call']);
  });

  test('of a list is around all its pages, and not around its reader', async () => {
    await using server = await servePages(6);
    const { around, orders } = contexts(server.url);
    const readers: unknown[] = [];
    await storage.run('request', async () => {
      for await (const { id } of orders.list({ concurrency: 3 })) {
        readers.push(storage.getStore());
        await storage.run(`record ${id}`, async () => void (await orders.list()));
      }
    });
    expect(readers).toEqual(Array(6).fill('request'));
    expect(around.filter((context) => context === 'request/list')).toHaveLength(6);
    expect(around.filter((context) => /^record \d\/list$/.test(context))).toHaveLength(6);
    expect(around).toHaveLength(12);
  });
});

describe('a trace that fails', () => {
  const failure = new Error('the tracer');
  const reject = () => Promise.reject(failure);
  const traces: Readonly<Record<string, Trace>> = {
    'throws before it runs': () => {
      throw failure;
    },
    'throws after it ran': (_operation, run) => {
      void run();
      throw failure;
    },
    'rejects at once': async () => Promise.reject(failure),
    'rejects in the end': (_operation, run) => run().then(reject, reject),
    'never runs it': () => undefined,
    'runs it too late': async (_operation, run) => {
      await Promise.resolve();
      await run();
    },
    'runs it twice': (_operation, run) => Promise.all([run(), run()]),
    'never ends': (_operation, run) => run().then(() => new Promise(() => undefined)),
  };

  test.each(Object.entries(traces))('%s', async (_name, trace) => {
    await using server = await servePages(2);
    const { orders } = connect(server.url, { trace });
    expect(await orders.list()).toMatchObject({ items: [{ id: 1 }] });
    expect(await orders.list().toArray()).toHaveLength(2);
    expect(server.requests).toHaveLength(3);
    await using missing = await record(() => ({ status: 404 }));
    await failureOf(connect(missing.url, { trace }).orders.get(7), NotFoundError);
    await failureOf(connect(missing.url, { trace }).orders.list().toArray(), NotFoundError);
    expect(missing.requests).toHaveLength(2);
  });
});
