import {
  AmbiguousOutcomeError,
  ConnectionError,
  type Fetch,
  RedirectRefusedError,
  ResponseTooLargeError,
  TimeoutError,
} from 'restkin';
import type { Case } from '../case.ts';
import { connect, newOrder } from '../connect.ts';
import { eventually, expectEqual, expectTrue, rejectionAs } from '../expect.ts';
import type { Stage } from '../stage.ts';

const countPosts = async (stage: Stage): Promise<number> =>
  (await stage.seen()).requests.filter(({ method }) => method === 'POST').length;

/** A POST whose work is done and whose response is lost. */
const loseResponse = async (stage: Stage, { warm, fetch }: { warm: boolean; fetch?: Fetch | undefined }) => {
  const { orders } = connect(stage, fetch && { fetch });
  if (warm) await orders.get(1);
  await stage.fault({ collection: 'orders', method: 'POST', cut: 'response' });
  let failure: unknown;
  try {
    await rejectionAs(AmbiguousOutcomeError, orders.create(newOrder));
  } catch (error) {
    failure = error;
  }
  // What the server saw says more than how the call ended.
  expectEqual(await countPosts(stage), 1, 'POST requests at the server');
  if (failure !== undefined) throw failure;
};

/** Lost, late, large and redirected responses. */
export const connectionCases: readonly Case[] = [
  {
    name: 'a POST whose response is lost is `AmbiguousOutcomeError`, and the server saw it once',
    run: (stage) => loseResponse(stage, { warm: false }),
  },
  {
    name: 'the same on a connection that was kept alive',
    run: (stage) => loseResponse(stage, { warm: true }),
  },
  {
    name: 'the same with the `fetch` that the guide to runtimes advises',
    needs: 'advisedFetch',
    run: (stage, { advisedFetch }) => loseResponse(stage, { warm: true, fetch: advisedFetch }),
  },
  {
    name: 'a GET whose response is cut is retried',
    run: async (stage) => {
      await stage.fault({ collection: 'orders', cut: 'body' });
      const { response } = await connect(stage).orders.get(7).withResponse();
      expectEqual(response.status, 200, 'Status');
      expectEqual((await stage.seen()).requests.length, 2, 'Requests');
    },
  },
  {
    name: 'a POST that provably was not sent is retried, and is `ConnectionError` and not ambiguous',
    run: async (stage) => {
      const { authUrl, closedUrl } = stage;
      const { orders } = connect({ authUrl, apiUrl: closedUrl });
      const error = await rejectionAs(ConnectionError, orders.create(newOrder));
      expectEqual([error.name, error.sent, error.attempts.length], ['ConnectionError', false, 4], 'Error');
    },
  },
  {
    name: 'aborting a call that waits for its response rejects it with the reason, and ends the request',
    run: async (stage) => {
      await stage.fault({ collection: 'orders', delayMs: 10_000 });
      const controller = new AbortController();
      const reason = new Error('The user went away');
      const rejected = rejectionAs(Error, connect(stage).orders.get(1, { signal: controller.signal }));
      const isWaiting = async () => (await stage.seen()).requests.length === 1;
      expectTrue(await eventually(isWaiting), 'The request did not arrive');
      controller.abort(reason);
      expectTrue((await rejected) === reason, `It was rejected with ${String(await rejected)}`);
      const isSeen = await eventually(async () => (await stage.seen()).abandoned === 1);
      expectTrue(isSeen, 'The server did not see it end');
    },
  },
  {
    name: 'a response later than `timeoutMs` is `TimeoutError`',
    run: async (stage) => {
      const { orders } = connect(stage, { timeoutMs: 100, retry: false });
      await orders.get(1);
      await stage.fault({ collection: 'orders', delayMs: 10_000 });
      await rejectionAs(TimeoutError, orders.get(1));
    },
  },
  {
    name: 'a body above `maxResponseBytes` is `ResponseTooLargeError`',
    stage: { records: 200 },
    run: async (stage) => {
      const { orders } = connect(stage, { maxResponseBytes: 10_000 });
      await orders.get(1);
      await rejectionAs(ResponseTooLargeError, orders.list({ perPage: 200 }));
    },
  },
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
      expectEqual((await stage.seen()).atOther, [], 'Requests at the other origin');
    },
  },
  {
    name: '§7.1 429 is waited for as long as `Retry-After` says, also with POST',
    run: async (stage) => {
      await stage.fault({ collection: 'orders', status: 429, headers: { 'retry-after': '1' } });
      const waits: number[] = [];
      const { orders } = connect(stage, { on: { retry: ({ delayMs }) => waits.push(delayMs) } });
      await orders.create(newOrder);
      expectTrue(waits.length === 1 && (waits[0] ?? 0) >= 1_000, `The waits were ${waits.join()}`);
      expectEqual(await countPosts(stage), 2, 'Requests');
    },
  },
];
