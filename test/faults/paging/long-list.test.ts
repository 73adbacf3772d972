import { expect, onTestFinished, test } from 'vitest';
import { type PageFault, startListServer } from '../../support/list-server.ts';
import { isFullRun } from '../../support/runs.ts';
import { connectThings } from '../../support/things.ts';

const start = async (options: Parameters<typeof startListServer>[0]) => {
  const server = await startListServer(options);
  onTestFinished(() => server.close());
  return server;
};

/** The same faults in each run. */
const createChance = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

const pages = isFullRun ? 1_000 : 400;
const perPage = 20;
const count = pages * perPage;

test.each([
  { concurrency: 1, pagesPerToken: 7 },
  // Eight pages at once use a token for seven up before the last of them has replayed its 401.
  { concurrency: 8, pagesPerToken: 50 },
])(
  `${count} records over ${pages} pages: each once and in order, whatever happens on the way ($concurrency at once)`,
  async ({ concurrency, pagesPerToken }) => {
    const chance = createChance(7);
    const fault = (): PageFault => {
      const drawn = chance();
      if (drawn < 0.02) return 'unavailable';
      if (drawn < 0.03) return 'reset';
      return drawn < 0.035 ? 'throttled' : undefined;
    };
    const server = await start({ count, perPage, pagesPerToken, fault });
    const retry = { attempts: 10, baseDelayMs: 1 };
    const things = connectThings(server.url, { retry });
    let last = 0;
    let wrong = 0;
    for await (const { id } of things.list({ concurrency })) {
      if (id !== last + 1) wrong++;
      last = id;
    }
    expect({ last, wrong }).toEqual({ last: count, wrong: 0 });
    expect(server.grants.password).toBe(1);
    expect(server.grants.refresh_token).toBeGreaterThan((0.85 * pages) / pagesPerToken);
    expect(server.pages.length).toBeGreaterThan(1.03 * pages);
  },
  120_000,
);

test('break after the first item: one page was requested, and nothing is in flight', async () => {
  const server = await start({ count: 1_000, perPage: 10, delayMs: 5 });
  for await (const { id } of connectThings(server.url).list({ concurrency: 8 })) {
    expect(id).toBe(1);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.pages).toEqual([1]);
  expect(server.onTheWay()).toBe(0);
});
