import { relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';

// An application that logs in, gets a resource and iterates a list, with declarations in zod/mini, as a
// browser gets it.

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

/** The files that the page loads at once: a bundler puts what is imported later into files of its own. */
const bundle = async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: consumer.folder,
    entryPoints: ['app.js'],
    bundle: true,
    splitting: true,
    outdir: 'built',
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const loaded = new Set<string>();
  const follow = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { path, kind } of metafile.outputs[file]?.imports ?? []) {
      if (kind === 'import-statement') follow(path);
    }
  };
  follow('built/app.js');
  const code = outputFiles.filter(({ path }) => loaded.has(relative(consumer.folder, path)));
  return { bytes: Buffer.concat(code.map(({ contents }) => contents)), inputs: Object.keys(metafile.inputs) };
};

describe('a bundle for a browser', () => {
  test('needs nothing of Node, and no mock', async () => {
    const { inputs } = await bundle();
    expect(
      inputs.some((path) =>
        /node:|\/(?:@opentelemetry|ky|msw|undici|ioredis|redis)\/|sqlite|mocks/.test(path),
      ),
    ).toBe(false);
  });

  test('does not grow unnoticed', async () => {
    const { bytes } = await bundle();
    // 47.1 KB in November 2026, of which zod is a quarter. Endpoints cost 0.1 KB to who declares none.
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(47_200);
  });
});
