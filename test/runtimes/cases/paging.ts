import { PagingError } from 'restkin';
import type { Case } from '../case.ts';
import { connect } from '../connect.ts';
import { eventually, expectAllIds, expectEqual, expectTrue } from '../expect.ts';

const many = 1_200;

const idsOf = async (list: AsyncIterable<{ readonly id: number }>): Promise<number[]> => {
  const ids: number[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
};

/** §4.5. */
export const paging: readonly Case[] = [
  {
    name: '§4.5 the first page has its records, totals, number, size and next',
    run: async (stage) => {
      const page = await connect(stage).orders.list();
      expectEqual(
        [page.items.length, page.totalCount, page.totalPages, page.number, page.size],
        [50, 120, 3, 1, 50],
        'Page',
      );
      expectTrue(page.next !== undefined, 'There is no next');
    },
  },
  {
    name: '§4.5 `for await` gives 1,200 records once and in order, four pages at once',
    stage: { records: many },
    run: async (stage) => {
      expectAllIds(await idsOf(connect(stage).orders.list({ concurrency: 4 })), many);
      expectEqual((await stage.seen()).requests.length, many / 50, 'Requests');
    },
  },
  {
    name: '§4.5.2 without totals the next links alone lead through 1,200 records',
    stage: { records: many },
    run: async (stage) => {
      expectAllIds(await idsOf(connect(stage).feed.list({ concurrency: 4 })), many);
    },
  },
  {
    name: '§4.5 a token that expires in the middle of a list is renewed once, and no record is lost',
    stage: { records: many },
    run: async (stage) => {
      const ids: number[] = [];
      for await (const { id } of connect(stage).orders.list({ concurrency: 4 })) {
        ids.push(id);
        if (id === 75) await stage.advance({ minutes: 11 });
      }
      expectAllIds(ids, many);
      expectEqual((await stage.seen()).grants, ['password 200', 'refresh_token 200'], 'Grants');
    },
  },
  {
    name: '§4.5 leaving the loop cancels the pages that are on the way',
    stage: { records: many },
    run: async (stage) => {
      // Two pages as usual; without totals the third is the one that is loaded ahead.
      await stage.fault({ collection: 'feed', times: 2 });
      await stage.fault({ collection: 'feed', delayMs: 10_000 });
      const isOnTheWay = async () => (await stage.seen()).requests.some(({ status }) => status === 0);
      for await (const { id } of connect(stage).feed.list()) {
        if (id > 50 && (await eventually(isOnTheWay))) break;
      }
      const isSeen = await eventually(async () => (await stage.seen()).abandoned > 0);
      expectTrue(isSeen, 'The server saw no request given up');
    },
  },
  {
    name: '§4.5 hidden paging headers never end a list silently',
    run: async (stage, { hidesHeaders }) => {
      await stage.fault({
        collection: 'orders',
        times: 100,
        headers: { 'access-control-expose-headers': 'x-nothing' },
      });
      const { orders } = connect(stage);
      const read = idsOf(orders.list());
      if (!hidesHeaders) return expectAllIds(await read, 120);
      const error = await read.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expectEqual(error instanceof PagingError, true, 'The error');
    },
  },
];
