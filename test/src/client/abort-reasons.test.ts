import { setImmediate } from 'node:timers/promises';
import { AmbiguousOutcomeError, ConnectionError, type Events, NotFoundError } from 'restkin';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, failureOf, orderBody } from '../../support/basic-ordering.ts';
import { type Outcome, type RecordedRequest, record } from '../../support/recording-server.ts';

/** A server that responds to some requests, and is silent to the others until they are aborted. */
const start = async (respond: (request: RecordedRequest) => Outcome) => {
  const server = await record(respond);
  onTestFinished(() => server.close());
  const responses: Events['response'][] = [];
  const on = { response: (event: Events['response']) => void responses.push(event) };
  return { server, responses, orders: connect(server.url, { on, retry: false }).orders };
};

describe('the first failure of many calls, given as the reason to abort the others', () => {
  const controllerAfter = (count: number) => {
    const controller = new AbortController();
    let arrived = 0;
    let abortWith = (_reason: unknown): void => undefined;
    const reason = new Promise((resolve) => {
      abortWith = resolve;
    });
    const allArrived = (): void => {
      if (++arrived === count) void reason.then((error) => controller.abort(error));
    };
    return { signal: controller.signal, allArrived, abortWith };
  };

  test('stays the error of its own call, and no response is reported for the others', async () => {
    const { signal, allArrived, abortWith } = controllerAfter(3);
    const { server, responses, orders } = await start(({ url }) => {
      allArrived();
      return url.endsWith('/7') ? { status: 404 } : undefined;
    });
    async function callerOfSeventh(): Promise<unknown> {
      return await orders.get(7, { signal });
    }
    const others = [orders.get(1, { signal }), orders.get(2, { signal })];
    const first = await failureOf(callerOfSeventh(), NotFoundError);
    const { attempts, stack } = first;
    abortWith(first);
    const settled = await Promise.allSettled(others);
    expect(settled.map((result) => result.status === 'rejected' && result.reason === first)).toEqual([
      true,
      true,
    ]);
    expect([first.attempts, first.stack]).toEqual([attempts, stack]);
    expect(stack).toContain('callerOfSeventh');
    expect(responses.map(({ url, status }) => [url, status])).toEqual([[`${server.url}/v1/orders/7`, 404]]);
  });

  test('ends a write as any other reason does, also when it is a lost connection', async () => {
    const { signal, allArrived, abortWith } = controllerAfter(2);
    const { orders } = await start(({ method }) => {
      allArrived();
      return method === 'GET' ? 'drop' : undefined;
    });
    const writing = orders.create(orderBody, { signal });
    const lost = await failureOf(orders.get(7), ConnectionError);
    abortWith(lost);
    const failure = await failureOf(writing, ConnectionError);
    expect(failure).toBe(lost);
    expect(failure).not.toBeInstanceOf(AmbiguousOutcomeError);
  });
});

test('a `fetch` that aborts the call and throws at once leaves no rejection behind', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const controller = new AbortController();
  const { signal } = controller;
  const fetch = (): never => {
    controller.abort('done');
    throw new Error('not sent');
  };
  const { orders } = connect('http://localhost', { fetch });
  await expect(orders.get(7, { signal })).rejects.toBe('done');
  await setImmediate();
  expect(unhandled).toEqual([]);
});
