import { AsyncLocalStorage } from 'node:async_hooks';
import { NotFoundError, type Trace, type TracedOperation } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, order, orderBody } from '../../support/basic-ordering.ts';
import { json, record } from '../../support/recording-server.ts';

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
      'call ordering orders GET /v1/orders/{id}',
      'call ordering orders GET /v1/orders/{id}',
      'call ordering companyOrders POST /v1/companies/{companyId}/orders',
      'call ordering orders DELETE /v1/orders/{id}',
      'call ordering orders OPTIONS /v1/orders',
      'call ordering orders OPTIONS /v1/orders/{id}',
      'call   GET ',
      'call ordering orders GET /v1/orders/{id}',
    ]);
    const statuses = [200, 404, 201, 204, 200, 200, 200, 404];
    expect(seen.map(({ operation: { status, attempts } }) => [status, attempts])).toEqual(
      statuses.map((status) => [status, 1]),
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

  test('a list and its pages are one operation, whether it is read to its end or left', async () => {
    await using server = await servePages(4);
    const { seen, trace } = watch();
    const { orders } = connect(server.url, { trace });
    await orders.list();
    await orders.list().toArray();
    for await (const { id } of orders.list()) if (id === 2) break;
    expect(await orders.list({ limit: 1 }).first()).toMatchObject({ id: 1 });
    expect(seen.map(({ operation }) => operation.kind)).toEqual(Array(4).fill('list'));
    const pages = seen.map(({ operation }) => operation.pages);
    expect(pages).toEqual([1, 4, expect.any(Number), 1]);
    expect(pages[2]).toBeGreaterThan(1);
    expect(seen[0]?.operation).toMatchObject({ collection: 'orders', template: '/v1/orders' });
  });
});

test.each([true, false])(
  'throw() into the pages of a list is its failure (with trace: %s)',
  async (isTraced) => {
    await using server = await servePages(3);
    const { seen, trace } = watch();
    const errors: unknown[] = [];
    const { orders } = connect(server.url, {
      ...(isTraced && { trace }),
      on: { error: ({ error }) => errors.push(error) },
    });
    const pages = orders.list().pages();
    await pages.next();
    const failure = new Error('the reader');
    await expect(pages.throw?.(failure)).rejects.toBe(failure);
    expect(errors).toEqual([failure]);
    expect(seen.map(({ error }) => error)).toEqual(isTraced ? [failure] : []);
  },
);

test('the requests of a list have the context of its trace, whoever reads it', async () => {
  const context = new AsyncLocalStorage<string>();
  const contexts: unknown[] = [];
  await using server = await servePages(4);
  const trace: Trace = (_operation, run) => context.run('trace', run);
  const { orders } = connect(server.url, {
    trace,
    fetch: (url, init) => {
      contexts.push(context.getStore());
      return fetch(url, init);
    },
  });
  await context.run('reader', () => orders.list({ concurrency: 3 }).toArray());
  expect(contexts).toEqual(Array(4).fill('trace'));
});

describe('a trace that fails', () => {
  const failure = new Error('the tracer');
  const reject = () => Promise.reject(failure);
  const traces: Readonly<Record<string, Trace>> = {
    'throws before it runs': () => {
      throw failure;
    },
    'rejects in the end': (_operation, run) => run().then(reject, reject),
    'never runs it': () => undefined,
    'runs it too late': async (_operation, run) => {
      await Promise.resolve();
      await run();
    },
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
