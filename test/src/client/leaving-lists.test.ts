import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { connect, order } from '../../support/basic-ordering.ts';
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
