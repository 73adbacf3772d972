import { ConnectionError, isRestkinError, ServiceUnavailableError } from 'restkin';
import { expect, test } from 'vitest';
import { connect, order } from '../../support/basic-ordering.ts';
import { type Fault, startFaultServer } from '../../support/fault-server.ts';
import { json } from '../../support/recording-server.ts';

const calls = 2_000;
const atOnce = 50;

/** Makes so many calls, `atOnce` of them at a time, and says how each ended. */
const callMany = async (count: number, call: () => PromiseLike<unknown>): Promise<string[]> => {
  const ends: string[] = [];
  let started = 0;
  const work = async (): Promise<void> => {
    while (started++ < count) {
      ends.push(
        await call().then(
          () => 'ok',
          (error: unknown) => (isRestkinError(error) ? error.name : 'foreign'),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return ends;
};

const outages: readonly [string, Fault, string][] = [
  ['503', { status: 503 }, ServiceUnavailableError.name],
  ['dropped connections', 'drop', ConnectionError.name],
];

test.each(outages)(
  'total outage, %s: at most 1.1 requests per call, then normal at once',
  async (_name, fault, failure) => {
    let isDown = true;
    await using server = await startFaultServer({ respond: () => (isDown ? fault : json(order(7))) });
    const { orders } = connect(server.url, { retry: {} });

    const during = await callMany(calls, () => orders.get(7));
    expect(new Set(during)).toEqual(new Set([failure]));
    expect(during).toHaveLength(calls);
    const requests = server.requests.length;
    expect(requests).toBeGreaterThanOrEqual(calls);
    expect(requests / calls).toBeLessThanOrEqual(1.1);

    isDown = false;
    const recovered = performance.now();
    const after = await callMany(200, () => orders.get(7));
    expect(new Set(after)).toEqual(new Set(['ok']));
    expect(server.requests.length - requests).toBe(200);
    expect(performance.now() - recovered).toBeLessThan(5_000);
  },
  60_000,
);
