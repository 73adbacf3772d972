import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';
import { documentFor, respond, variants, whole } from '../support/list-variants.ts';

// Servers that page in all ways that are usual, each with the document that a person would write of it. What
// is imported reads every record, or fails, or the import has said that it may not.

/** Reads the only collection of each file, and prints how many records it has, or the name of the error. */
const reader = `
import { createClient, customAuth } from 'restkin';
const [origin, count] = process.argv.slice(2);
const read = async (api, baseUrl, options) => {
  const client = createClient({ baseUrl, auth: customAuth(() => undefined), retry: false });
  const [key] = Object.keys(api.collections);
  const ids = new Set();
  try {
    for await (const { id } of client.api(api)[key].list(options)) ids.add(id);
    return ids.size;
  } catch (error) {
    return error.name;
  }
};
const results = [];
for (let index = 0; index < Number(count); index += 1) {
  const { shopAPI } = await import('./list-' + index + '.ts');
  const baseUrl = origin + '/' + index;
  const sizes = [{}, { perPage: 100 }, { perPage: 7 }, { perPage: 7, concurrency: 4 }];
  results.push(await Promise.all(sizes.map((options) => read(shopAPI, baseUrl, options))));
}
console.log(JSON.stringify(results));
`;

const all = Object.values(variants);
let consumer: Consumer;
const listener = createServer(({ url = '/', headers: { host = '' } }, response) => {
  const variant = all[Number(url.split('/', 2)[1])];
  if (variant !== undefined) respond(variant, new URL(url, `http://${host}`), response);
  else response.writeHead(404).end();
});

/** What was read of each list, and what its import reported. */
const found: { readonly read: readonly unknown[]; readonly report: string }[] = [];

beforeAll(async () => {
  consumer = await createConsumer();
  await consumer.write('read.js', reader);
  listener.listen(0, '127.0.0.1');
  const { folder } = consumer;
  const command = join(folder, 'node_modules/restkin/dist/cli.js');
  const reports: string[] = [];
  for (const [index, variant] of all.entries()) {
    await consumer.write(`document-${index}.json`, JSON.stringify(documentFor(variant)));
    const args = [command, 'import', `document-${index}.json`, '--out', `list-${index}.ts`];
    const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    reports.push(stderr);
  }
  const { port } = listener.address() as AddressInfo;
  const { stdout } = await consumer.node(['read.js', `http://127.0.0.1:${port}`, String(all.length)]);
  const results = JSON.parse(stdout) as readonly (readonly unknown[])[];
  found.push(...results.map((read, index) => ({ read, report: reports[index] ?? '' })));
}, 300_000);
afterAll(async () => {
  listener.close();
  await consumer.remove();
});

test('what is imported compiles', async () => {
  const files = all.map((_, index) => `list-${index}.ts`);
  expect(await consumer.compile('typescript-7', files, ['--noUnusedLocals'])).toBe('');
}, 60_000);

test.each(Object.keys(variants))(
  'the list of a server that sends %s is whole, or does not end in silence',
  (name) => {
    const { read, report } = found[Object.keys(variants).indexOf(name)] ?? {};
    const { expected = whole, isAdvised = false } = variants[name] ?? {};
    const isTold = report?.includes('Nothing in the document says how a list continues');
    expect({ read, isTold }).toEqual({ read: expected, isTold: isAdvised });
  },
);
