import { basicAuth, createClient, type ItemList } from 'restkin';
import { expect, test } from 'vitest';
import { basicOrdering, login, order } from '../../support/basic-ordering.ts';

const done = { done: true, value: undefined };

/** A server whose second page never arrives, and whether its request was aborted. */
const neverSecond = () => {
  const state = { requested: 0, aborted: 0 };
  const errors: unknown[] = [];
  const client = createClient({
    baseUrl: 'https://api.test',
    auth: basicAuth(login),
    on: { error: ({ error }) => errors.push(error) },
    fetch: (url, { signal }) => {
      state.requested++;
      if (!url.includes('page=2'))
        return Promise.resolve(
          Response.json([order(1)], { headers: { link: '</v1/orders?page=2>; rel="next"' } }),
        );
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          state.aborted++;
          reject(signal.reason);
        });
      });
    },
  });
  return { state, errors, orders: client.api(basicOrdering).orders };
};

const iterators = {
  records: (list: ItemList<unknown>) => list[Symbol.asyncIterator](),
  pages: (list: ItemList<unknown>) => list.pages(),
} as const;

test.each(Object.entries(iterators))(
  'return of %s while next is pending ends the request at once, and both are done',
  async (_name, open) => {
    const { state, errors, orders } = neverSecond();
    const steps = open(orders.list());
    await steps.next();
    const pending = steps.next();
    while (state.requested < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(await Promise.all([steps.return?.(), pending])).toEqual([done, done]);
    expect(state.aborted).toBe(1);
    expect(await steps.next()).toEqual(done);
    expect(errors).toEqual([]);
  },
);

test('return before the first step sends nothing', async () => {
  const { state, orders } = neverSecond();
  const pages = orders.list().pages();
  expect(await pages.return?.()).toEqual(done);
  expect(await pages.next()).toEqual(done);
  expect(state.requested).toBe(0);
});

test('each reading of a list is a call of its own, and on.error names the one that failed', async () => {
  const failed: string[] = [];
  const client = createClient({
    baseUrl: 'https://api.test',
    auth: basicAuth(login),
    retry: false,
    on: { error: ({ callId }) => failed.push(callId) },
    fetch: async () => new Response(null, { status: 404 }),
  });
  const list = client.api(basicOrdering).orders.list();
  await Promise.allSettled([list.toArray(), list.first(), list.toArray()]);
  expect(new Set(failed).size).toBe(3);
});
