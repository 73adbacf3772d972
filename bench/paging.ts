// Iteration with 20 ms of latency: restkin against hand-written loops, as ratios in one run. `npm run bench`
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { collection, createClient, defineApi, resource, tokenAuth } from 'restkin';
import * as z from 'zod';

const pages = 100;
const perPage = 100;
const rounds = 5;

const server = fork(fileURLToPath(new URL('list-server.ts', import.meta.url)), [
  `${pages * perPage}`,
  `${perPage}`,
  '20',
]);
const port = await new Promise<number>((resolve) =>
  server.once('message', (message) => resolve(message as number)),
);
const url = `http://127.0.0.1:${port}`;

const Thing = resource({
  name: z.string(),
  status: z.string(),
  quantity: z.number(),
  price: z.number(),
  createdAt: z.iso.datetime(),
});
const inventory = defineApi({
  name: 'inventory',
  version: 1,
  auth: 'token',
  collections: { things: collection('things', Thing, { paging: true }) },
});
const { things } = createClient({
  baseUrl: url,
  auth: tokenAuth({ authUrl: url, username: 'u', password: 'p' }),
}).api(inventory);

const fetchPage = async (page: number): Promise<readonly unknown[]> => {
  const response = await fetch(`${url}/v1/things?page=${page}`, {
    headers: { authorization: 'Bearer access' },
  });
  return (await response.json()) as unknown[];
};

const byHand = async (concurrency: number): Promise<number> => {
  let read = 0;
  const waiting = Array.from({ length: pages }, (_, index) => index + 1);
  const loaded: Promise<readonly unknown[]>[] = waiting.splice(0, concurrency).map(fetchPage);
  for (let page = loaded.shift(); page !== undefined; page = loaded.shift()) {
    read += (await page).length;
    const next = waiting.shift();
    if (next !== undefined) loaded.push(fetchPage(next));
  }
  return read;
};

const byRestkin = async (concurrency?: number): Promise<number> => {
  let read = 0;
  for await (const { id } of things.list({}, { concurrency })) read += id > 0 ? 1 : 0;
  return read;
};

const candidates = {
  'fetch, one by one': () => byHand(1),
  'fetch, 8 at once': () => byHand(8),
  'restkin, one by one': () => byRestkin(1),
  'restkin, default': () => byRestkin(),
  'restkin, 8 at once': () => byRestkin(8),
};

const times = new Map<string, number[]>(Object.keys(candidates).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(candidates)) {
    const start = performance.now();
    const read = await run();
    if (read !== pages * perPage) throw new Error(`${name} read ${read} records`);
    times.get(name)?.push(performance.now() - start);
  }
}
server.disconnect();

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const sequential = median(times.get('fetch, one by one') ?? []);
console.log(`${pages} pages of ${perPage}, 20 ms of latency, medians of ${rounds} interleaved rounds`);
for (const [name, values] of times) {
  console.log(
    `${name.padEnd(22)} ${median(values).toFixed(0).padStart(6)} ms  ${(median(values) / sequential).toFixed(2)}`,
  );
}
