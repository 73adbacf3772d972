import { isNotModified, UnexpectedResponseError } from 'restkin';
import type { Case } from '../case.ts';
import { connect } from '../connect.ts';
import { expectEqual, expectTrue, rejectionAs } from '../expect.ts';

/** §2, §4.2 and §4.4, without paging. */
export const reading: readonly Case[] = [
  {
    name: '§2.1 a codec of the declaration decodes what is read',
    run: async (stage) => {
      const { placedAt } = await connect(stage).orders.get(7);
      expectTrue(placedAt instanceof Date, 'It is no Date');
      expectEqual(placedAt.toISOString(), '2026-01-02T03:04:05.000Z', 'Date');
    },
  },
  {
    name: '§4.4 `fields` limits and `expand` completes a resource',
    run: async (stage) => {
      const order = await connect(stage).orders.get(7, { fields: ['company'], expand: ['company'] });
      expectEqual(order.company.name, 'Company 7', 'Name');
      expectEqual(Object.keys(order).toSorted(), ['company', 'id', 'self'], 'Fields');
    },
  },
  {
    name: '§7.1 304 is `NotModified` for the ETag of the previous response',
    run: async (stage) => {
      const { orders } = connect(stage);
      const { etag } = (await orders.get(7).withResponse()).response;
      expectTrue(etag !== undefined, 'The response shows no ETag');
      const again = await orders.get(7, { ifNoneMatch: etag });
      expectTrue(isNotModified(again), 'It was read again');
      await orders.update(7, { status: 'shipped' });
      const changed = await orders.get(7, { ifNoneMatch: etag });
      expectTrue(!isNotModified(changed) && changed.status === 'shipped', 'It was not read again');
    },
  },
  {
    name: 'each read asks the server, also where the runtime has a cache',
    run: async (stage) => {
      // Without `Cache-Control` an answer counts as fresh for a tenth of its age (RFC 9111, section 4.2.2).
      await stage.advance({ days: -10 });
      const { orders } = connect(stage);
      await orders.update(7, { status: 'shipped' });
      for (const _round of [1, 2]) await orders.get(7);
      const reads = (await stage.seen()).requests.filter(({ method }) => method === 'GET');
      expectEqual(reads.length, 2, 'Requests');
    },
  },
  {
    name: '§4.2 the `Accept` field of the response to OPTIONS lists the methods',
    run: async (stage) => {
      const methods = await connect(stage).orders.allowedMethods(7);
      expectEqual(methods.toSorted(), ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'PUT'], 'Methods');
    },
  },
  {
    name: 'a response that does not match the declaration is `UnexpectedResponseError`, with the paths',
    run: async (stage) => {
      await stage.fault({ collection: 'orders', body: '{"id":7,"status":"lost"}' });
      const { issues } = await rejectionAs(UnexpectedResponseError, connect(stage).orders.get(7));
      expectEqual(
        issues.map(({ path }) => path).toSorted(),
        ['company', 'placedAt', 'self', 'status'],
        'Paths',
      );
    },
  },
];
