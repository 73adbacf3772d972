import { CrossOriginUrlError, RedirectRefusedError, TokenRequestError } from 'restkin';
import type { Case } from '../case.ts';
import { connect, newOrder } from '../connect.ts';
import { expectEqual, rejectionAs } from '../expect.ts';
import type { Stage } from '../stage.ts';

const expectNothingAtOther = async (stage: Stage): Promise<void> =>
  expectEqual((await stage.seen()).atOther, [], 'Requests at the other origin');

/** What is never followed. */
export const refusals: readonly Case[] = [
  {
    name: 'a redirect is `RedirectRefusedError`, and nothing is sent to its target',
    run: async (stage) => {
      const { orders } = connect(stage);
      const headers = { location: `${stage.otherUrl}/v1/orders` };
      for (const status of [302, 307]) {
        await stage.fault({ collection: 'orders', status, headers, times: 2 });
        await rejectionAs(RedirectRefusedError, orders.get(1));
        await rejectionAs(RedirectRefusedError, orders.create(newOrder));
      }
      await expectNothingAtOther(stage);
    },
  },
  {
    name: 'a redirect of the token endpoint is `TokenRequestError`, and the password is not sent there',
    run: async (stage) => {
      const headers = { location: `${stage.otherUrl}/auth/token` };
      await stage.fault({ token: true, status: 307, headers, times: 10 });
      await rejectionAs(TokenRequestError, connect(stage).orders.get(1));
      await expectNothingAtOther(stage);
    },
  },
  {
    name: '§4.5 a next link to another origin is `CrossOriginUrlError`, after the records of its page',
    run: async (stage) => {
      const headers = { link: `<${stage.otherUrl}/v1/feed?page=2>; rel="next"` };
      await stage.fault({ collection: 'feed', headers });
      let records = 0;
      const read = async (): Promise<void> => {
        for await (const _record of connect(stage).feed.list()) records++;
      };
      await rejectionAs(CrossOriginUrlError, read());
      expectEqual(records, 50, 'Records');
      await expectNothingAtOther(stage);
    },
  },
];
