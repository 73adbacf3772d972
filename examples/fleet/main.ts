// A fleet that shares one login: node examples/fleet/main.ts [workers]
// The fleet's Redis is at REDIS_URL; without it, the program starts a redis-server of its own.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createMock, serve } from 'restkin/mocks';
import { ordering } from '../ordering.ts';
import { startRedis } from './start-redis.ts';

const size = Number(process.argv[2] ?? 4);

const mock = createMock(ordering, {
  generate: { companies: 5, orders: 1_000 },
  users: [{ username: 'ada', password: 'lovelace' }],
  // A second login ends the first one, and a refresh token that is used twice ends them all, so the workers
  // must share one login.
  tokens: { singleSession: true },
});
const server = await serve(mock);
const redis = process.env.REDIS_URL ? undefined : await startRedis();
const env = { ...process.env, API_URL: server.url, REDIS_URL: redis?.path ?? process.env.REDIS_URL };

const workers = Array.from({ length: size }, (_, part) =>
  fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [String(part), String(size)], { env }),
);

const read = (worker: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    worker.once('message', (count) => resolve(Number(count)));
    worker.once('exit', (code) => reject(new Error(`A worker ended with ${code}`)));
    worker.send('read');
  });

const readTogether = async (): Promise<void> => {
  const counts = await Promise.all(workers.map(read));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const grants = (kind: string): number => mock.requests.filter(({ grant }) => grant === kind).length;
  console.log(`${size} workers read ${counts.join(' + ')} = ${total} orders`);
  console.log(`token grants so far: ${grants('password')} password, ${grants('refresh_token')} refresh`);
};

await readTogether();
mock.clock.advance({ minutes: 11 });
console.log('eleven minutes later, the access token of all of them has expired');
await readTogether();

const ended = Promise.all(workers.map((worker) => once(worker, 'exit')));
for (const worker of workers) worker.disconnect();
await ended;
await redis?.stop();
await server.close();
