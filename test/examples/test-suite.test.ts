import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startExample } from './example-process.ts';

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const titles = [
  'counts the orders of each company over all pages',
  'ships an open order, once',
  'says what is wrong with a purchase',
  'gets over a short outage when it reads, and places no order twice',
  'stays logged in for a day',
  'distinguishes missing from forbidden',
];

const passedIn = (tap: string): readonly (string | undefined)[] =>
  [...tap.matchAll(/^ok \d+ - (?:order-desk\.test\.ts > )?(.*?)(?: # .*)?$/gm)].map(([, title]) => title);

test("an application's tests pass in vitest, with msw", { timeout: 60_000 }, async () => {
  const { stdout, end } = await startExample([
    ...[vitest, 'run', '--root', 'examples/test-suite', '--reporter', 'tap-flat'],
  ]).ended;
  expect(end).toBe(0);
  expect(passedIn(stdout)).toEqual(titles);
});

test('the same tests pass in node:test, with mock.fetch', { timeout: 60_000 }, async () => {
  const { stdout, end } = await startExample([
    ...['--test', '--test-reporter', 'tap', 'examples/test-suite/order-desk.node.ts'],
  ]).ended;
  expect(end).toBe(0);
  expect(passedIn(stdout)).toEqual(titles);
});
