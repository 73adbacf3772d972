import {
  AmbiguousOutcomeError,
  ConnectionError,
  type Fetch,
  ResponseTooLargeError,
  TimeoutError,
} from 'restkin';
import type { Case } from '../case.ts';
import { connect, newOrder } from '../connect.ts';
import { eventually, expectEqual, expectTrue, rejectionAs } from '../expect.ts';
import type { Stage } from '../stage.ts';

const countPosts = async (stage: Stage): Promise<number> =>
  (await stage.seen()).requests.filter(({ method }) => method === 'POST').length;

/** A POST whose work is done and whose answer is lost. */
const loseAnswer = async (stage: Stage, { warm, fetch }: { warm: boolean; fetch?: Fetch | undefined }) => {
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

/** Aborts a call while it waits, and gives what it was rejected with. */
const abortWhile = async (
  stage: Stage,
  call: (signal: AbortSignal) => PromiseLike<unknown>,
  isWaiting: () => Promise<boolean>,
) => {
  const controller = new AbortController();
  const reason = new Error('The user went away');
  const rejected = rejectionAs(Error, call(controller.signal));
  expectTrue(await eventually(isWaiting), 'The request did not arrive');
  controller.abort(reason);
  expectTrue((await rejected) === reason, `It was rejected with ${String(await rejected)}`);
  return stage.seen();
};

/** Lost, late and large answers. */
export const connections: readonly Case[] = [
  {
    name: 'a POST whose response is lost is `AmbiguousOutcomeError`, and the server saw it once',
    run: (stage) => loseAnswer(stage, { warm: false }),
  },
  {
    name: 'the same on a connection that was kept alive',
    run: (stage) => loseAnswer(stage, { warm: true }),
  },
  {
    name: 'the same with the `fetch` that the production guide advises',
    needs: 'advisedFetch',
    run: (stage, { advisedFetch }) => loseAnswer(stage, { warm: true, fetch: advisedFetch }),
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
    name: 'a GET to a port that nobody listens on is `ConnectionError` after four attempts',
    run: async (stage) => {
      const { authUrl, closedUrl } = stage;
      const error = await rejectionAs(ConnectionError, connect({ authUrl, apiUrl: closedUrl }).orders.get(1));
      expectEqual([error.name, error.attempts.length], ['ConnectionError', 4], 'Error');
    },
  },
  {
    name: 'aborting a call that waits for its response rejects it with the reason, and ends the request',
    run: async (stage) => {
      await stage.fault({ collection: 'orders', delayMs: 10_000 });
      const { orders } = connect(stage);
      await abortWhile(
        stage,
        (signal) => orders.get(1, { signal }),
        async () => (await stage.seen()).requests.length === 1,
      );
      const isSeen = await eventually(async () => (await stage.seen()).abandoned === 1);
      expectTrue(isSeen, 'The server did not see it end');
    },
  },
  {
    name: 'aborting a call that waits for `Retry-After` rejects it with the reason, and sends nothing more',
    run: async (stage) => {
      await stage.fault({ collection: 'orders', status: 429, headers: { 'retry-after': '10' } });
      let waits = 0;
      const { orders } = connect(stage, { on: { retry: () => waits++ } });
      const { requests } = await abortWhile(
        stage,
        (signal) => orders.get(1, { signal }),
        async () => waits === 1,
      );
      expectEqual(requests.length, 1, 'Requests');
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
];
