import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { ItemList } from 'restkin';
import { expect, onTestFinished, test } from 'vitest';
import { connect, order } from '../../support/basic-ordering.ts';
import { all } from '../../support/pages.ts';
import { json, record } from '../../support/recording-server.ts';

const done = { done: true, value: undefined };

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
