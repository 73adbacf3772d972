import { isNotModified, NotFoundError, PagingError } from 'restkin';
import type { Case } from '../case.ts';
import { connect, newOrder } from '../connect.ts';
import { eventually, expectEqual, expectTrue, rejectionAs } from '../expect.ts';

const many = 1_200;

/** Reading, writing and lists. */
export const callCases: readonly Case[] = [
  {
    name: '§4.2 create, replace, update and delete, with `Location`',
    run: async (stage) => {
      const { orders } = connect(stage);
      const { data, response } = await orders.create({ ...newOrder, note: 'ünïcode 秘密' }).withResponse();
      const { id } = data;
      expectEqual(response.location, `${stage.apiUrl}/v1/orders/${id}`, 'Location');
      expectEqual((await orders.get(id)).note, 'ünïcode 秘密', 'Note');
      await orders.replace(id, { ...newOrder, note: 'replaced' });
      await orders.update(id, { status: 'shipped' });
      const { status, note } = await orders.get(id);
      expectEqual([status, note], ['shipped', 'replaced'], 'Order');
      expectEqual((await orders.delete(id)).outcome, 'done', 'Outcome');
      await rejectionAs(NotFoundError, orders.get(id));
    },
  },
  {
    name: '§7.1 304 is `NotModified` for the ETag of the previous response',
    run: async (stage) => {
      const { orders } = connect(stage);
      const { etag } = (await orders.get(7).withResponse()).response;
      expectTrue(etag !== undefined, 'The response shows no ETag');
      expectTrue(isNotModified(await orders.get(7, { ifNoneMatch: etag })), 'It was read again');
      await orders.update(7, { status: 'shipped' });
      const changed = await orders.get(7, { ifNoneMatch: etag });
      expectTrue(!isNotModified(changed) && changed.status === 'shipped', 'It was not read again');
    },
  },
  {
    name: 'each read asks the server, also where the runtime has a cache',
    run: async (stage) => {
      // Without `Cache-Control` a response counts as fresh for a tenth of its age (RFC 9111, section 4.2.2).
      await stage.advance({ days: -10 });
      const { orders } = connect(stage);
      await orders.update(7, { status: 'shipped' });
      for (const _round of [1, 2]) await orders.get(7);
      const reads = (await stage.seen()).requests.filter(({ method }) => method === 'GET');
      expectEqual(reads.length, 2, 'Requests');
    },
  },
  {
    name: '§4.5 a list gives 1,200 records in order, four pages at once, while its token expires',
    stage: { records: many },
    run: async (stage) => {
      let last = 0;
      const query = { fields: ['company'], expand: ['company'], concurrency: 4 } as const;
      for await (const { id, company } of connect(stage).orders.list(query)) {
        expectEqual([id, company.name], [last + 1, `Company ${last + 1}`], 'Record');
        last = id;
        if (id === 75) await stage.advance({ minutes: 11 });
      }
      expectEqual(last, many, 'Records');
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
      const headers = { 'access-control-expose-headers': 'x-nothing' };
      await stage.fault({ collection: 'orders', times: 100, headers });
      const read = connect(stage).orders.list().toArray();
      if (hidesHeaders) await rejectionAs(PagingError, read);
      else expectEqual((await read).length, 120, 'Records');
    },
  },
];
