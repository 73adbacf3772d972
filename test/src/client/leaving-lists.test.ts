import { getEventListeners, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { ItemList } from 'restkin';
import { expect, onTestFinished, test } from 'vitest';
import { connect, order } from '../../support/basic-ordering.ts';
import { all } from '../../support/pages.ts';
import { json, type Reply, record } from '../../support/recording-server.ts';

/** A server whose second page never arrives, and the end of the connection that waits for it. */
const startStalling = async () => {
  let onStall = (_closed: Promise<unknown>): void => undefined;
  const stalled = new Promise<{ readonly closed: Promise<unknown> }>((resolve) => {
    onStall = (closed) => resolve({ closed });
  });
  const server = await record(({ url }, _index, response): Reply | undefined => {
    if (!url.includes('page=2')) return json([order(1)], 200, { link: '</v1/orders?page=2>; rel="next"' });
    onStall(once(response, 'close'));
    return undefined;
  });
  onTestFinished(() => server.close());
  return { orders: connect(server.url).orders, stalled };
};

const done = { done: true, value: undefined };

test('pages that are left while one of them loads end at once, and so does the request', async () => {
  const { orders, stalled } = await startStalling();
  const pages = orders.list().pages();
  expect((await pages.next()).value?.items).toHaveLength(1);
  const waiting = pages.next();
  const { closed } = await stalled;
  expect(await pages.return?.()).toEqual(done);
  expect(await waiting).toEqual(done);
  expect(await pages.next()).toEqual(done);
  await closed;
});

test('a stream that is cancelled takes no record that nobody reads, so that the list continues behind the last one read', async () => {
  const server = await record(() => json([order(1), order(2), order(3)]));
  onTestFinished(() => server.close());
  const { orders } = connect(server.url);
  const list = orders.list();
  const reader = list.toReadableStream().getReader();
  expect((await reader.read()).value?.id).toBe(1);
  // Whatever the stream would take ahead is taken by now.
  await setImmediate();
  await reader.cancel();
  const rest = await orders.list({ from: list.position }).toArray();
  expect(rest.map(({ id }) => id)).toEqual([2, 3]);
});

test('an abort ends a list at once, also in the middle of a page', async () => {
  const server = await record(() => json([order(1), order(2), order(3)]));
  onTestFinished(() => server.close());
  const errors: unknown[] = [];
  const { orders } = connect(server.url, { on: { error: ({ error }) => errors.push(error) } });
  const controller = new AbortController();
  const list = orders.list({ signal: controller.signal });
  const items = list[Symbol.asyncIterator]();
  expect((await items.next()).value?.id).toBe(1);
  controller.abort('enough');
  await expect(items.next()).rejects.toBe('enough');
  expect(await items.next()).toEqual(done);
  expect(errors).toEqual(['enough']);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  expect(await orders.list({ from: list.position }).first()).toMatchObject({ id: 2 });
});

test('an abort ends pages at once, also one that was loaded before', async () => {
  const server = await record(({ url }) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
    return json([order(page)], 200, page < 4 ? { link: `</v1/orders?page=${page + 1}>; rel="next"` } : {});
  });
  onTestFinished(() => server.close());
  const controller = new AbortController();
  const pages = connect(server.url).orders.list({ signal: controller.signal }).pages();
  for (let page = 1; page <= 2; page++)
    expect((await pages.next()).value?.items).toMatchObject([{ id: page }]);
  while (server.requests.length < 3) await setImmediate();
  controller.abort('enough');
  await expect(pages.next()).rejects.toBe('enough');
  expect(await pages.next()).toEqual(done);
});

const waysToRead = {
  await: (list) => list,
  'for await': all,
  pages: (list) => all(list.pages()),
  toArray: (list) => list.toArray(),
  first: (list) => list.first(),
  toReadableStream: (list) => all(list.toReadableStream()),
} as const satisfies Readonly<Record<string, (list: ItemList<unknown>) => PromiseLike<unknown>>>;

test.each(Object.entries(waysToRead))(
  'an abort before a list is read with %s is reported once',
  async (_way, read) => {
    await using server = await record(() => json([order(1)]));
    const errors: unknown[] = [];
    const { orders } = connect(server.url, { on: { error: ({ error }) => errors.push(error) } });
    const list = orders.list({ signal: AbortSignal.abort('enough') });
    await expect(Promise.resolve(read(list))).rejects.toBe('enough');
    expect([errors, server.requests.length]).toEqual([['enough'], 0]);
  },
);

test.each([
  ['its records', (list: ItemList<unknown>) => list],
  ['its pages', (list: ItemList<unknown>) => list.pages()],
  ['its stream', (list: ItemList<unknown>) => list.toReadableStream()],
])('an abort on the last page of a list is reported to the reader of %s', async (_way, open) => {
  await using server = await record(() => json([order(1)], 200, { 'x-pagination-current-page': '1' }));
  const errors: unknown[] = [];
  const { orders } = connect(server.url, { on: { error: ({ error }) => errors.push(error) } });
  const controller = new AbortController();
  const read = async (): Promise<void> => {
    for await (const each of open(orders.list({ signal: controller.signal }))) {
      expect(each).toBeDefined();
      controller.abort('enough');
    }
  };
  await expect(read()).rejects.toBe('enough');
  expect(errors).toEqual(['enough']);
});

test('a signal that lives long holds no list that nobody reads to its end', async () => {
  const server = await record(() => json([order(1)], 200, { link: '</v1/orders?page=2>; rel="next"' }));
  onTestFinished(() => server.close());
  const { orders } = connect(server.url);
  const { signal } = new AbortController();
  expect((await orders.list({ signal })[Symbol.asyncIterator]().next()).value?.id).toBe(1);
  expect((await orders.list({ signal }).pages().next()).value?.items).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
