import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';

// An application that logs in, gets a resource and iterates a list, with declarations in zod/mini, as a browser gets it.

const app = `import { collection, createClient, defineApi, resource, tokenAuth } from 'restkin';
import * as z from 'zod/mini';
const Order = resource({ status: z.string(), total: z.number() });
const shop = defineApi({
  name: 'shop', version: 1, auth: 'token', collections: { orders: collection('orders', Order, { paging: true }) },
});
const auth = tokenAuth({ authUrl: 'https://auth.test', username: 'ada', password: 'lovelace' });
const { orders } = createClient({ baseUrl: 'https://api.test', auth }).api(shop);
console.log(await orders.get(1));
for await (const order of orders.list()) console.log(order.id, order.status);
`;

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  await consumer.write('app.js', app);
}, 60_000);
afterAll(() => consumer.remove());

const bundle = async (conditions: readonly string[] = []) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: consumer.folder,
    entryPoints: ['app.js'],
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2023' },
    conditions: [...conditions],
    ...{ write: false, metafile: true, logLevel: 'silent' },
  });
  return { bytes: outputFiles[0]?.contents ?? new Uint8Array(), inputs: Object.keys(metafile.inputs) };
};

describe('a bundle for a browser', () => {
  test('needs nothing of Node, and no mock', async () => {
    const { inputs } = await bundle();
    expect(inputs.some((path) => /node:|\/(?:ky|msw|undici|ioredis|redis)\/|sqlite|mocks/.test(path))).toBe(
      false,
    );
  });

  test('does not grow unnoticed', async () => {
    const { bytes } = await bundle();
    // Of which p-retry 1.5, zod 6 and restkin about 20; bench/RESULTS.md has the figures.
    expect(brotliCompressSync(bytes).length).toBeLessThan(38.5 * 1024);
  });
});
