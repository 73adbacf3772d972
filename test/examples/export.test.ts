import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMock, serve } from 'restkin/mocks';
import { expect, onTestFinished, test } from 'vitest';
import { ordering } from '../../examples/ordering.ts';
import { type Ended, type ExampleProcess, startExample } from './example-process.ts';

const count = 8_000;

const prepare = async () => {
  const mock = createMock(ordering, { generate: { companies: 5, orders: count } });
  const server = await serve(mock);
  const folder = await mkdtemp(join(tmpdir(), 'restkin-export-'));
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const path = join(folder, 'orders.ndjson');
  return {
    mock,
    path,
    start: () => startExample(['examples/export/main.ts', path], { API_URL: server.url }),
    readLines: async (): Promise<unknown[]> =>
      (await readFile(path, 'utf8'))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  };
};

/** Ends a run at any instant of its work: behind some saved pages, and a random time into the next ones. */
const killSomewhere = async ({ child, printed, ended }: ExampleProcess) => {
  const saved = `(?:\\d+ orders saved\n){${1 + Math.floor(Math.random() * 3)}}`;
  // A run that does not print as much has come to the end of the list.
  await printed(new RegExp(saved)).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  child.kill('SIGKILL');
  return ended;
};

test('an export that is killed repeatedly has each record once, and as the server has it', async () => {
  const { mock, path, start, readLines } = await prepare();
  const ends: Ended['end'][] = [];
  for (let runs = 0; runs < 6; runs++) ends.push((await killSomewhere(start())).end);
  // Where the machine was busy elsewhere, the last runs may have come to the end of the list.
  expect(ends.slice(0, 3)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
  expect(ends.every((ended) => ended === 'SIGKILL' || ended === 0)).toBe(true);
  const { stdout, stderr, end } = await start().ended;
  expect({ stderr, end }).toEqual({ stderr: '', end: 0 });
  expect(stdout).toContain(`complete: ${count} orders, ${(await stat(path)).size} bytes\n`);
  // A row has no `self`; all else of it is in the file, in its place.
  const lines = await readLines();
  expect(lines).toHaveLength(count);
  expect(lines).toMatchObject(mock.state.rows('orders') as object[]);
}, 60_000);

test('an export that is interrupted says so, and the next run continues from the page it stopped at', async () => {
  const { mock, start, readLines } = await prepare();
  const first = start();
  await first.printed(/orders saved/);
  first.child.kill('SIGINT');
  const { stdout, stderr, end } = await first.ended;
  expect({ stderr, end }).toEqual({ stderr: '', end: 130 });
  expect(stdout).toMatch(/stopped; run it again to go on\n$/);
  const saved = Number([...stdout.matchAll(/(\d+) orders saved/g)].at(-1)?.[1]);
  expect(saved).toBeLessThan(count);

  const before = mock.requests.length;
  expect((await start().ended).end).toBe(0);
  const pages = mock.requests.slice(before).filter(({ collection }) => collection === 'orders');
  expect(pages).toHaveLength((count - saved) / 100);
  expect(await readLines()).toMatchObject(mock.state.rows('orders') as object[]);
}, 60_000);
