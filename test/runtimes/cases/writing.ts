import { isAccepted, NotFoundError } from 'restkin';
import type { Case } from '../case.ts';
import { connect, newOrder } from '../connect.ts';
import { expectEqual, expectTrue, rejectionAs } from '../expect.ts';

/** §4.2. */
export const writing: readonly Case[] = [
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
    name: '§7.1 202 is the outcome `accepted`',
    stage: { accepted: true },
    run: async (stage) => {
      const { companies, orders } = connect(stage);
      expectTrue(isAccepted(await companies.create({ name: 'Bolt', city: 'Oslo' })), 'POST');
      expectEqual((await orders.update(7, { status: 'shipped' })).outcome, 'accepted', 'PATCH');
      expectEqual((await orders.delete(8)).outcome, 'accepted', 'DELETE');
    },
  },
];
