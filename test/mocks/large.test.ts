import { basicAuth, createClient } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { basicOrdering, login } from '../support/basic-ordering.ts';

const rounds = 15;

/** The median time of a page in milliseconds: with one order, and without one, measured in turns. */
const medians = async (rows: number) => {
  const mock = createMock(basicOrdering, { generate: { companies: 10, orders: rows } });
  const baseUrl = 'http://127.0.0.1:9';
  const auth = basicAuth(login);
  const { orders } = createClient({ baseUrl, auth, fetch: mock.fetch }).api(basicOrdering);
  const timeOf = async (sort: boolean): Promise<number> => {
    const begin = performance.now();
    const { totalCount } = await orders.list(
      sort ? { sort: ['-createdAt'], perPage: 100 } : { perPage: 100 },
    );
    expect(totalCount).toBe(rows);
    return performance.now() - begin;
  };
  await timeOf(true);
  const sorted: number[] = [];
  const unsorted: number[] = [];
  for (let round = 0; round < rounds; round++) {
    sorted.push(await timeOf(true));
    unsorted.push(await timeOf(false));
  }
  const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[rounds >> 1] ?? 0;
  return { sorted: median(sorted), unsorted: median(unsorted) };
};

test('a sorted page of 50,000 rows takes at most twice the time of an unsorted one', async () => {
  const { sorted, unsorted } = await medians(50_000);
  expect(sorted / unsorted).toBeLessThan(2);
}, 60_000);
